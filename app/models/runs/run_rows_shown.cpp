// How the rows that are shown change, and what their cells say.
#include <algorithm>

#include "app/models/runs/run_rows.h"
#include "app/models/words.h"

namespace paceline::runs {
namespace {

using recorder::CellStanding;

constexpr std::size_t kMostRanges = 64;  // of rows that come or go one after the other; beyond that the table begins anew

}  // namespace

void RunRows::apply(std::vector<Line> next) {
  const auto ids = [](const std::vector<Line>& lines) {
    std::vector<std::string> all;
    for (const Line& line : lines) all.push_back(line.id);
    return all;
  };
  std::vector<std::string> before = ids(lines_), after = ids(next);
  if (before == after) {
    lines_ = std::move(next);
    return allChanged();
  }
  const bool sameRows = before.size() == after.size() && std::set(before.begin(), before.end()) == std::set(after.begin(), after.end());
  if (sameRows) return reorder(std::move(next));
  if (replaceInPlace(next)) return allChanged();
  beginResetModel();
  lines_ = std::move(next);
  endResetModel();
}

void RunRows::reorder(std::vector<Line> next) {
  emit layoutAboutToBeChanged({}, VerticalSortHint);
  std::unordered_map<std::string, int> places;
  for (std::size_t i = 0; i < next.size(); ++i) places[next[i].id] = static_cast<int>(i);
  const QModelIndexList from = persistentIndexList();
  QModelIndexList to;
  for (const QModelIndex& each : from) to << index(places[idAt(each.row())], each.column());
  lines_ = std::move(next);
  changePersistentIndexList(from, to);
  emit layoutChanged({}, VerticalSortHint);
}

// Rows that go and rows that come, where those that stay keep their order. False: they do not, or there are too many of them; nothing was changed.
bool RunRows::replaceInPlace(const std::vector<Line>& next) {
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < next.size(); ++i) places[next[i].id] = i;
  std::vector<std::size_t> kept;
  std::size_t ranges = 0;
  bool inside = false;
  for (const Line& line : lines_) {
    const auto place = places.find(line.id);
    if (place == places.end() && !inside) ++ranges;
    inside = place == places.end();
    if (!inside) kept.push_back(place->second);
  }
  if (!std::ranges::is_sorted(kept)) return false;
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (kept[i] != (i == 0 ? 0 : kept[i - 1] + 1)) ++ranges;
  if (kept.empty() || ranges > kMostRanges) return false;
  for (int row = rows() - 1; row >= 0; --row) {
    if (places.contains(lines_[static_cast<std::size_t>(row)].id)) continue;
    int first = row;
    while (first > 0 && !places.contains(lines_[static_cast<std::size_t>(first - 1)].id)) --first;
    beginRemoveRows({}, first, row);
    lines_.erase(lines_.begin() + first, lines_.begin() + row + 1);
    endRemoveRows();
    row = first;
  }
  for (std::size_t i = 0; i < next.size(); ++i) {
    if (i < lines_.size() && lines_[i].id == next[i].id) {
      lines_[i] = next[i];
      continue;
    }
    std::size_t last = i;  // up to the next one that is there
    while (last < next.size() && (i >= lines_.size() || next[last].id != lines_[i].id)) ++last;
    beginInsertRows({}, static_cast<int>(i), static_cast<int>(last) - 1);
    lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(i), next.begin() + static_cast<std::ptrdiff_t>(i), next.begin() + static_cast<std::ptrdiff_t>(last));
    endInsertRows();
    i = last - 1;
  }
  return true;
}

RunRows::Kind RunRows::kindAt(int row) const { return lines_[static_cast<std::size_t>(row)].kind; }
std::string RunRows::idAt(int row) const { return row >= 0 && row < rows() ? lines_[static_cast<std::size_t>(row)].id : std::string(); }

std::string RunRows::suiteAt(int row) const { return row >= 0 && row < rows() ? lines_[static_cast<std::size_t>(row)].suite : std::string(); }

int RunRows::rowOf(const std::string& id) const {
  const auto found = std::ranges::find(lines_, id, &Line::id);
  return found == lines_.end() ? -1 : static_cast<int>(found - lines_.begin());
}

const SuiteFacts* RunRows::suite(const std::string& id) const {
  const auto found = suites_.find(id);
  return found == suites_.end() ? nullptr : &found->second.facts;
}

// Below its suite a run needs no more than what tells it from the others: "esync seed 1".
QString RunRows::shortName(const Line& line) const {
  const RunItem* item = itemOf(line);
  const Suite* suite = suiteOf(line);
  const QString name = qtext(item->row.name.empty() ? item->row.id : item->row.name), begin = (suite != nullptr ? suite->facts.name : QString()) + ' ';
  const QString own = name.startsWith(begin) ? name.mid(begin.size()) : name;
  return line.older ? tr("%1, before").arg(own) : own;
}

// A number of a suite says which one of its runs' numbers it is: in the cell, then in words.
QVariant RunRows::suiteNumber(const Suite& suite, int column, int role) const {
  const QString number = runs_.cellOf(suite.item, column, Qt::DisplayRole).toString();
  if (!suite.item.measured || runs_.cellOf(suite.item, column, RunsModel::kSortRole).toDouble() <= 0) return role == Qt::DisplayRole || role == kShortRole ? number : QVariant();
  const bool inWords = role == Qt::ToolTipRole || role == Qt::AccessibleTextRole;
  if (role == kShortRole) return number;
  if (column == RunsModel::kAccuracy) return (inWords ? tr("%1: the best accuracy of its runs") : tr("best %1", "of several numbers")).arg(number);
  if (column == RunsModel::kThroughput) return (inWords ? tr("%1 samples/s: the speed of its fastest run") : tr("best %1", "of several numbers")).arg(number);
  return (inWords ? tr("%1: the times of its runs added up") : tr("sum %1", "of several times")).arg(number);
}

QVariant RunRows::suiteCell(const Line& line, int column, int role) const {
  const Suite& suite = *suiteOf(line);
  const auto runs = static_cast<int>(suite.facts.runs.size());
  const QString all = tr("%n run(s)", nullptr, runs) + ": " + said(recorder::standingsText(suite.facts.standings));
  if (role == Qt::ToolTipRole && (column == RunsModel::kName || column == RunsModel::kState)) return column == RunsModel::kName ? suite.facts.name + ", " + all : all;
  if (role == Qt::AccessibleTextRole && column == RunsModel::kName) return tr("%1, suite of %2, %3").arg(suite.facts.name, all, folded(suite.facts.id) ? tr("folded") : tr("unfolded"));
  if (role == RunsModel::kTagsRole) return runs_.cellOf(suite.item, column, role).toStringList() + QStringList{tr("%n run(s)", nullptr, runs)};
  const bool number = column == RunsModel::kAccuracy || column == RunsModel::kThroughput || column == RunsModel::kWall;
  if (number && (role == Qt::DisplayRole || role == Qt::ToolTipRole || role == Qt::AccessibleTextRole || role == kShortRole)) return suiteNumber(suite, column, role);
  if (role != Qt::DisplayRole) return runs_.cellOf(suite.item, column, role);
  if (column == RunsModel::kState) {
    const int done = suite.facts.count(CellStanding::kFinished) + suite.facts.count(CellStanding::kGivenUp), failed = suite.facts.count(CellStanding::kFailed);
    if (suite.facts.search && !suite.facts.search->ended) return tr("Searching, %1 tried").arg(suite.facts.search->points.size());
    if (done == runs) return tr("All done");
    return failed > 0 ? tr("%1 of %2 done, %3 failed").arg(done).arg(runs).arg(failed) : tr("%1 of %2 done").arg(done).arg(runs);
  }
  if (column == RunsModel::kSeed) return suite.seeds > 1 ? tr("%n seed(s)", nullptr, suite.seeds) : QString::number(suite.item.row.seed);
  return runs_.cellOf(suite.item, column, role);
}

QVariant RunRows::cell(int row, int column, int role) const {
  const Line& line = lines_[static_cast<std::size_t>(row)];
  const RunItem* item = itemOf(line);
  if (item == nullptr) return {};
  switch (role) {
    case kKindRole: return static_cast<int>(line.kind);
    case kStandingRole: return line.standing;
    case kFoldedRole: return line.kind == Kind::kSuite && folded(line.id) && words_.isEmpty();
    default: break;
  }
  if (line.kind == Kind::kSuite) return suiteCell(line, column, role);
  if (line.kind == Kind::kCell && role == Qt::DisplayRole && column == RunsModel::kName) return shortName(line);
  if (role == Qt::DisplayRole && column == RunsModel::kState && line.run < 0) {
    const QString word = said(recorder::standingWord(static_cast<CellStanding>(line.standing)));
    return word.left(1).toUpper() + word.mid(1);
  }
  return runs_.cellOf(*item, column, role);
}

}  // namespace paceline::runs

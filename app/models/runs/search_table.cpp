#include "app/models/runs/search_table.h"

#include "app/models/words.h"

namespace paceline::runs {
namespace {

constexpr int kFirst = 1, kOthers = 3;  // after the number come the values, then the result, the state last

}  // namespace

void SearchTable::present(const recorder::SearchStory& story, const Titles& titles) {
  if (story == story_ && titles == titles_) return;
  const bool other = titles != titles_ || story.suite != story_.suite || story.axes != story_.axes || story.points.size() < story_.points.size();
  const int before = rowCount(), after = static_cast<int>(story.points.size());
  if (other) {
    beginResetModel();
    story_ = story, titles_ = titles;
    return endResetModel();
  }
  if (after > before) beginInsertRows({}, before, after - 1);
  story_ = story;
  if (after > before) endInsertRows();
  if (before > 0) emit dataChanged(index(0, 0), index(before - 1, columnCount() - 1));
}

QString SearchTable::whyOf(int row) const {
  if (row < 0 || row >= rowCount()) return {};
  const recorder::TriedPoint& point = story_.points[static_cast<std::size_t>(row)];
  const QString why = tr("Point %1. %2").arg(row + 1).arg(searchSentence(story_, point.why, titles_));
  return point.note.empty() ? why : tr("%1 It was %2: %3.").arg(why, said(point.state), searchSentence(story_, point.note, titles_));
}

std::string SearchTable::runOf(int row) const {
  if (row < 0 || row >= rowCount()) return {};
  const recorder::TriedPoint& point = story_.points[static_cast<std::size_t>(row)];
  return point.runs.empty() ? std::string() : point.runs.back();
}

int SearchTable::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(story_.points.size()); }
int SearchTable::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(story_.axes.size()) + kOthers; }

QVariant SearchTable::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const auto row = static_cast<std::size_t>(index.row());
  const recorder::TriedPoint& point = story_.points[row];
  const int column = index.column(), last = columnCount() - 1;
  const bool best = story_.best == row;
  if (role == Qt::TextAlignmentRole) return static_cast<int>((column == last ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole) return whyOf(index.row());
  if (role != Qt::DisplayRole) return {};
  if (column == 0) return best ? tr("best  %1").arg(row + 1) : QString::number(row + 1);
  if (column == last - 1) return said(point.result);
  return column == last ? said(point.state) : searchedValue(story_, static_cast<std::size_t>(column - kFirst), point.values[static_cast<std::size_t>(column - kFirst)], titles_);
}

QVariant SearchTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  if (section == 0) return tr("Point");
  if (section == columnCount() - 1) return tr("State");
  if (section < columnCount() - 2) return searchedField(story_, static_cast<std::size_t>(section - kFirst), titles_);
  QString goal = said(story_.goal);
  if (!goal.isEmpty()) goal[0] = goal[0].toUpper();
  return goal;
}

}  // namespace paceline::runs

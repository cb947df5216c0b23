#include "app/models/experiment/suite_grid.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "app/models/words.h"
#include "engine/core/spec/run_spec_fields.h"

namespace paceline::experiment {
namespace {

struct Guess {
  enum Source { kStored, kEmulated, kStopRule, kNone } source = kNone;
  double seconds = 0;
};

// Of the wall time of own runs that finished, by the hash of their document without its seed.
std::map<std::string, double> storedSeconds(const runs::RunsModel& stored) {
  std::map<std::string, std::pair<double, int>> sums;
  for (int row = 0; row < stored.rowCount(); ++row) {
    const runs::RunItem& item = *stored.item(row);
    if (!item.measured || item.wallSeconds <= 0 || item.row.state != store::RunState::kFinished || !item.row.source.empty()) continue;
    auto& [sum, count] = sums[item.row.groupHash];
    sum += item.wallSeconds, ++count;
  }
  std::map<std::string, double> means;
  for (const auto& [hash, sum] : sums) means[hash] = sum.first / sum.second;
  return means;
}

// s, the mean of drawn ones; 0: it emulates none.
double emulatedStep(const Emulate& emulate) {
  if (emulate.steps.empty()) return emulate.stepSeconds.value_or(0);
  return std::accumulate(emulate.steps.begin(), emulate.steps.end(), 0.0) / static_cast<double>(emulate.steps.size());
}

// The slowest worker's; 0: not all workers emulate a step time.
double slowestStep(const RunSpec& run) {
  double slowest = 0;
  for (const NodeSpec& node : run.nodes) {
    if (node.role != Role::kWorker) continue;
    const double step = emulatedStep(node.emulate);
    if (step <= 0) return 0;
    slowest = std::max(slowest, step);
  }
  return slowest;
}

// The slowest worker's emulated steps, one a round; 0: they are not known, or neither rounds nor samples end the run.
double emulatedSeconds(const RunSpec& run) {
  double rounds = static_cast<double>(run.stop.rounds.value_or(0));
  if (run.stop.samples) {
    const double needed = std::ceil(static_cast<double>(*run.stop.samples) / (static_cast<double>(run.batchSize) * static_cast<double>(std::max<std::size_t>(1, run.workers().size()))));
    rounds = rounds > 0 ? std::min(rounds, needed) : needed;
  }
  return slowestStep(run) * rounds;
}

Guess guessed(const RunSpec& run, const std::map<std::string, double>& stored) {
  if (const auto like = stored.find(groupHash(run)); like != stored.end()) return {Guess::kStored, like->second};
  const double steps = emulatedSeconds(run), most = run.stop.seconds.value_or(0);
  if (steps > 0 && (most <= 0 || steps <= most)) return {Guess::kEmulated, steps};
  if (most > 0) return {Guess::kStopRule, most};
  return {};
}

}  // namespace

SuiteGrid::SuiteGrid(ExperimentDraft& draft, QObject* parent) : QAbstractTableModel(parent), draft_(draft) {
  connect(&draft_, &ExperimentDraft::findingsChanged, this, &SuiteGrid::follow);
}

void SuiteGrid::follow() {
  std::vector<QStringList> values;
  for (const SuiteAxis& axis : draft_.axes()) values.push_back(axisValues(draft_.state(), draft_.catalog(), axis.key));
  std::set<Cell> runs(draft_.positions().begin(), draft_.positions().end());
  const bool same = values == values_ && draft_.axes().size() == axes_.size() && std::ranges::equal(axes_, draft_.axes(), {}, &SuiteAxis::key, &SuiteAxis::key);
  if (same && runs == runs_) return;
  if (!same) beginResetModel();
  axes_ = draft_.axes(), values_ = std::move(values), runs_ = std::move(runs);
  if (!same) endResetModel();
  else emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int SuiteGrid::rowCount(const QModelIndex& parent) const {
  if (parent.isValid() || axes_.empty()) return 0;
  std::size_t rows = 1;
  for (std::size_t i = 0; i + 1 < axes_.size(); ++i) rows *= axes_[i].labels.size();
  return static_cast<int>(rows);
}

int SuiteGrid::columnCount(const QModelIndex& parent) const { return parent.isValid() || axes_.empty() ? 0 : static_cast<int>(axes_.back().labels.size()); }

Cell SuiteGrid::cellAt(int row, int column) const {
  Cell cell(axes_.size());
  if (axes_.empty()) return cell;
  cell.back() = static_cast<std::size_t>(column);
  auto rest = static_cast<std::size_t>(row);
  for (std::size_t i = axes_.size() - 1; i-- > 0;) cell[i] = rest % axes_[i].labels.size(), rest /= axes_[i].labels.size();
  return cell;
}

QString SuiteGrid::nameOf(const Cell& cell, std::size_t first, std::size_t last) const {
  QStringList words;
  for (std::size_t i = first; i < last; ++i) {
    const QString value = values_[i].value(static_cast<int>(cell[i]));
    const bool number = !value.isEmpty() && (value[0].isDigit() || value[0] == '-');
    const QString name = axisName(draft_.state(), draft_.catalog(), axes_[i].key);
    words << (number ? name + (name.contains(" of ") ? ": " : " ") + value : value);
  }
  return words.join(", ");
}

QVariant SuiteGrid::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount() || index.column() >= columnCount()) return {};
  const Cell cell = cellAt(index.row(), index.column());
  const bool run = runs_.contains(cell);
  if (role == Qt::CheckStateRole) return run ? Qt::Checked : Qt::Unchecked;
  if (role == Qt::AccessibleTextRole || role == Qt::ToolTipRole) return (run ? tr("%1: runs") : tr("%1: left out")).arg(nameOf(cell, 0, axes_.size()));
  return {};
}

QVariant SuiteGrid::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole || axes_.empty()) return {};
  if (orientation == Qt::Horizontal) return nameOf(cellAt(0, section), axes_.size() - 1, axes_.size());
  return axes_.size() == 1 ? tr("Runs") : nameOf(cellAt(section, 0), 0, axes_.size() - 1);
}

Qt::ItemFlags SuiteGrid::flags(const QModelIndex& index) const { return index.isValid() ? Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemIsUserCheckable : Qt::NoItemFlags; }

bool SuiteGrid::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::CheckStateRole || !index.isValid()) return false;
  set({index}, value.toInt() == Qt::Checked);
  return true;
}

void SuiteGrid::set(const QModelIndexList& cells, bool run) {
  std::set<Cell> wanted = runs_;
  for (const QModelIndex& each : cells) {
    const Cell cell = cellAt(each.row(), each.column());
    if (run) wanted.insert(cell);
    else if (wanted.size() > 1) wanted.erase(cell);
  }
  if (wanted == runs_) return;
  std::vector<Cell> gone;
  for (int row = 0; row < rowCount(); ++row)
    for (int column = 0; column < columnCount(); ++column)
      if (Cell cell = cellAt(row, column); !wanted.contains(cell)) gone.push_back(std::move(cell));
  draft_.leaveOut(gone);
  draft_.validateNow();
}

QString timeText(const std::vector<RunSpec>& runs, const runs::RunsModel& stored, std::int64_t of) {
  const std::map<std::string, double> known = storedSeconds(stored);
  double seconds = 0;
  int from[Guess::kNone + 1] = {};
  for (const RunSpec& run : runs) {
    const Guess guess = guessed(run, known);
    seconds += guess.seconds, ++from[guess.source];
  }
  const int all = static_cast<int>(runs.size());
  if (all == 0) return {};
  if (from[Guess::kNone] == all && std::ranges::all_of(runs, [](const RunSpec& run) { return slowestStep(run) > 0; }))
    return QObject::tr("their time is not known: no like run in the store, no stop rule of rounds, samples or seconds");
  if (from[Guess::kNone] == all) return QObject::tr("their time is not known: no like run in the store, no emulated step times, no stop rule of seconds");
  QStringList by;
  const auto add = [&](int count, const QString& ofAll, const QString& ofSome) {
    if (count > 0) by << (count == all ? ofAll : ofSome.arg(count));
  };
  add(from[Guess::kStored], QObject::tr("by like runs in the store"), QObject::tr("%1 by like runs in the store"));
  add(from[Guess::kEmulated], QObject::tr("by emulated step times"), QObject::tr("%1 by emulated step times"));
  add(from[Guess::kStopRule], QObject::tr("by the stop rules"), QObject::tr("%1 by the stop rules"));
  if (from[Guess::kNone] > 0) by << QObject::tr("%1 without an estimate").arg(from[Guess::kNone]);
  const QString how = from[Guess::kNone] > 0 ? QObject::tr("at least %1 (%2)") : from[Guess::kStopRule] == all ? QObject::tr("at most %1 (%2)") : QObject::tr("about %1 (%2)");
  return how.arg(durationText(of > 0 ? seconds / all * static_cast<double>(of) : seconds), by.join(", "));
}

}  // namespace paceline::experiment

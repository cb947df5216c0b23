#include "app/models/runs/runs_model.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>

#include "app/figures/figure.h"
#include "app/models/words.h"
#include "storage/store/store.h"
#include "storage/summary/summary.h"

namespace paceline::runs {
namespace {

using Steady = std::chrono::steady_clock;
constexpr auto kRemeasure = std::chrono::seconds(2);     // of a run in progress
constexpr auto kDeliver = std::chrono::milliseconds(250);  // while many are measured

bool same(const RunItem& a, const RunItem& b) {
  return a.row.state == b.row.state && a.row.name == b.row.name && a.row.tags == b.row.tags && a.row.notes == b.row.notes &&
         a.row.error == b.row.error && a.row.endedUtc == b.row.endedUtc && a.measured == b.measured && a.accuracyBest == b.accuracyBest &&
         a.samplesPerSecond == b.samplesPerSecond && a.wallSeconds == b.wallSeconds;
}

QString text(const std::string& s) { return QString::fromStdString(s); }

}  // namespace

struct RunsModel::Source {
  struct Measured {
    RunItem item;
    Steady::time_point at;
  };
  std::unique_ptr<store::StoreReader> reader;
  std::map<std::string, Measured> cache;

  bool due(const store::RunRow& row) const {
    const auto found = cache.find(row.id);
    if (found == cache.end()) return true;
    if (found->second.item.row.state != row.state) return true;
    return isActive(row.state) && Steady::now() - found->second.at > kRemeasure;
  }
  void measure(RunItem& item) {
    const summary::RunSummary summary = summary::summarise(summary::loadRun(*reader, item.row));
    item.measured = true;
    item.accuracyBest = summary.accuracyBest;
    item.samplesPerSecond = summary.throughputSamplesPerSecond;
    item.wallSeconds = summary.wallSeconds;
    cache[item.row.id] = {item, Steady::now()};
  }
  void recall(RunItem& item) const {
    const auto found = cache.find(item.row.id);
    if (found == cache.end()) return;
    store::RunRow row = std::move(item.row);
    item = found->second.item;
    item.row = std::move(row);
  }
};

RunsModel::RunsModel(std::string storePath, QObject* parent)
    : QAbstractTableModel(parent), path_(std::move(storePath)), source_(std::make_shared<Source>()) {}

void RunsModel::refresh() {
  if (asking_) {
    again_ = true;
    return;
  }
  asking_ = true;
  tasks_.post([this, trashed = trashed_](const std::stop_token& stop) { load(stop, trashed); });
}

void RunsModel::setTrashed(bool trashed) {
  if (trashed == trashed_) return;
  trashed_ = trashed;
  beginResetModel();
  items_.clear();
  loaded_ = false;
  endResetModel();
  refresh();
}

// On the thread of tasks_.
void RunsModel::load(const std::stop_token& stop, bool trashed) {
  std::vector<RunItem> items;
  try {
    if (!source_->reader && std::filesystem::exists(path_)) source_->reader = std::make_unique<store::StoreReader>(path_);
    if (source_->reader)
      for (store::RunRow& row : source_->reader->runs(store::RunQuery{.text = "", .trashed = trashed})) items.push_back({.row = std::move(row)});
    for (RunItem& item : items) source_->recall(item);
    const bool anyDue = std::any_of(items.begin(), items.end(), [this](const RunItem& i) { return source_->due(i.row); });
    if (anyDue) deliver(items, trashed, false);
    Steady::time_point delivered = Steady::now();
    for (RunItem& item : items) {
      if (stop.stop_requested()) return;
      if (source_->due(item.row)) source_->measure(item);
      if (Steady::now() - delivered < kDeliver) continue;
      deliver(items, trashed, false);
      delivered = Steady::now();
    }
  } catch (const std::exception& error) {
    source_->reader.reset();
    QMetaObject::invokeMethod(this, [this, what = text(error.what())] { emit failed(what); }, Qt::QueuedConnection);
  }
  deliver(std::move(items), trashed, true);
}

void RunsModel::deliver(std::vector<RunItem> items, bool trashed, bool last) {
  QMetaObject::invokeMethod(
      this,
      [this, items = std::move(items), trashed, last]() mutable {
        if (trashed == trashed_) take(std::move(items));
        if (!last) return;
        asking_ = false;
        if (std::exchange(again_, false)) refresh();
      },
      Qt::QueuedConnection);
}

void RunsModel::take(std::vector<RunItem> items) {
  if (items_.empty()) {
    if (!items.empty()) {
      beginResetModel();
      items_ = std::move(items);
      endResetModel();
    }
  } else {
    std::set<std::string> kept;
    for (const RunItem& item : items) kept.insert(item.row.id);
    for (int row = static_cast<int>(items_.size()) - 1; row >= 0; --row)
      if (!kept.contains(items_[static_cast<std::size_t>(row)].row.id)) {
        beginRemoveRows({}, row, row);
        items_.erase(items_.begin() + row);
        endRemoveRows();
      }
    for (std::size_t i = 0; i < items.size(); ++i) {
      const int row = static_cast<int>(i);
      if (i < items_.size() && items_[i].row.id == items[i].row.id) {
        const bool changed = !same(items_[i], items[i]);
        items_[i] = std::move(items[i]);
        if (changed) emit dataChanged(index(row, 0), index(row, kColumns - 1));
      } else {
        beginInsertRows({}, row, row);
        items_.insert(items_.begin() + row, std::move(items[i]));
        endInsertRows();
      }
    }
  }
  loaded_ = true;
  emit refreshed();
}

const RunItem* RunsModel::item(int row) const {
  return row >= 0 && row < rowCount() ? &items_[static_cast<std::size_t>(row)] : nullptr;
}

int RunsModel::rowOf(const std::string& id) const {
  const auto found = std::find_if(items_.begin(), items_.end(), [&id](const RunItem& i) { return i.row.id == id; });
  return found == items_.end() ? -1 : static_cast<int>(found - items_.begin());
}

const RunItem* RunsModel::find(const std::string& id) const { return item(rowOf(id)); }

int RunsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(items_.size()); }

int RunsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant RunsModel::data(const QModelIndex& index, int role) const {
  const RunItem* found = item(index.row());
  if (!found) return {};
  switch (role) {
    case Qt::DisplayRole: return display(*found, index.column());
    case Qt::TextAlignmentRole:
      return QVariant(Qt::AlignVCenter | (index.column() >= kAccuracy && index.column() <= kWall ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::ToolTipRole:
      return index.column() == kState ? text(found->row.error) : index.column() == kName ? text(found->row.name) : QString();
    case kIdRole: return text(found->row.id);
    case kStateRole: return static_cast<int>(found->row.state);
    case kSortRole: return sortKey(*found, index.column());
    case kTagsRole: {
      QStringList tags;
      for (const std::string& tag : found->row.tags) tags << text(tag);
      return tags;
    }
    case kTextRole: {
      std::string all = found->row.name + ' ' + found->row.id + ' ' + found->row.algorithm + ' ' + displayName(found->row.algorithm) + ' ' +
                        found->row.model + ' ' + found->row.dataset + ' ' + found->row.notes + ' ' + store::stateName(found->row.state);
      for (const std::string& tag : found->row.tags) all += ' ' + tag;
      return text(all);
    }
    default: return {};
  }
}

QVariant RunsModel::display(const RunItem& item, int column) const {
  const store::RunRow& row = item.row;
  switch (column) {
    case kName: return text(row.name.empty() ? row.id : row.name);
    case kState: return stateWord(row.state);
    case kAlgorithm: return text(row.algorithm.empty() ? "—" : displayName(row.algorithm));
    case kModel: return text(row.model.empty() ? "—" : row.model);
    case kData: return text(row.dataset.empty() ? "—" : row.dataset);
    case kAccuracy: return item.measured ? percentText(item.accuracyBest) : QString();
    case kThroughput: return item.measured ? item.samplesPerSecond > 0 ? rateText(item.samplesPerSecond) : QString("—") : QString();
    case kWall: return item.measured ? item.wallSeconds > 0 ? durationText(item.wallSeconds) : QString("—") : QString();
    case kCreated: return whenText(row.createdUtc);
    default: return {};
  }
}

QVariant RunsModel::sortKey(const RunItem& item, int column) {
  switch (column) {
    case kName: return text(item.row.name).toLower();
    case kState: return static_cast<int>(item.row.state);
    case kAlgorithm: return text(item.row.algorithm);
    case kModel: return text(item.row.model);
    case kData: return text(item.row.dataset);
    case kAccuracy: return item.accuracyBest.value_or(-1);
    case kThroughput: return item.samplesPerSecond;
    case kWall: return item.wallSeconds;
    default: return item.row.createdUtc;
  }
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  static const char* const kTitles[kColumns] = {"Name", "State", "Algorithm", "Accuracy", "Samples/s", "Wall time", "Created", "Model", "Data"};
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
  if (role == Qt::DisplayRole) return QString(kTitles[section]);
  if (role == Qt::ToolTipRole && section == kAccuracy) return QString("The best test accuracy of the run");
  if (role == Qt::TextAlignmentRole)
    return QVariant(Qt::AlignVCenter | (section >= kAccuracy && section <= kWall ? Qt::AlignRight : Qt::AlignLeft));
  return {};
}

RunsFilter::RunsFilter(QObject* parent) : QSortFilterProxyModel(parent) {
  setSortRole(RunsModel::kSortRole);
  setDynamicSortFilter(true);
}

void RunsFilter::setText(const QString& text) {
  words_ = text.simplified().split(' ', Qt::SkipEmptyParts);
  invalidateFilter();
}

void RunsFilter::setStates(States states) {
  states_ = states;
  invalidateFilter();
}

bool RunsFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
  const QModelIndex index = sourceModel()->index(row, 0, parent);
  const auto state = static_cast<store::RunState>(index.data(RunsModel::kStateRole).toInt());
  if (states_ == States::kActive && !isActive(state)) return false;
  if (states_ == States::kFinished && state != store::RunState::kFinished && state != store::RunState::kImported) return false;
  if (states_ == States::kProblem && state != store::RunState::kFailed && state != store::RunState::kStale && state != store::RunState::kStopped) return false;
  if (words_.isEmpty()) return true;
  const QString all = index.data(RunsModel::kTextRole).toString();
  return std::all_of(words_.begin(), words_.end(), [&all](const QString& w) { return all.contains(w, Qt::CaseInsensitive); });
}

}  // namespace paceline::runs

#include "app/models/runs/runs_model.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <ranges>

#include <QDateTime>

#include "app/figures/figure.h"
#include "app/models/words.h"
#include "storage/store/store.h"
#include "storage/summary/summary.h"

namespace paceline::runs {
namespace {

using Steady = std::chrono::steady_clock;
constexpr auto kRemeasure = std::chrono::seconds(2);     // of a run in progress
constexpr auto kDeliver = std::chrono::milliseconds(250);  // while many are measured

QString rate(double value, QString (*text)(double)) { return value > 0 ? text(value) : QString("—"); }

constexpr ItemColumn<RunItem> kTable[RunsModel::kColumns] = {
    {{QT_TR_NOOP("Name")}, [](const RunItem& item) { return qtext(item.row.name.empty() ? item.row.id : item.row.name); }, [](const RunItem& item) { return QVariant(qtext(item.row.name).toLower()); }},
    {{QT_TR_NOOP("Seed"), "", true}, [](const RunItem& item) { return item.row.specText.empty() ? QString("—") : QString::number(item.row.seed); },
     [](const RunItem& item) { return QVariant(static_cast<qulonglong>(item.row.seed)); }},
    {{QT_TR_NOOP("State")}, [](const RunItem& item) { return stateWord(item.row.state); }, [](const RunItem& item) { return QVariant(static_cast<int>(item.row.state)); }},
    {{QT_TR_NOOP("Algorithm")}, [](const RunItem& item) { return said(item.row.algorithm.empty() ? "—" : displayName(item.row.algorithm)); },
     [](const RunItem& item) { return QVariant(qtext(item.row.algorithm)); }},
    {{QT_TR_NOOP("Best accuracy"), QT_TR_NOOP("The best test accuracy of the run"), true}, [](const RunItem& item) { return item.measured ? percentText(item.accuracyBest) : QString(); },
     [](const RunItem& item) { return QVariant(item.accuracyBest.value_or(-1)); }},
    {{QT_TR_NOOP("Samples/s"), "", true}, [](const RunItem& item) { return item.measured ? rate(item.samplesPerSecond, rateText) : QString(); },
     [](const RunItem& item) { return QVariant(item.samplesPerSecond); }},
    {{QT_TR_NOOP("Wall time"), "", true}, [](const RunItem& item) { return item.measured ? rate(item.wallSeconds, durationText) : QString(); },
     [](const RunItem& item) { return QVariant(item.wallSeconds); }},
    {{QT_TR_NOOP("Created")}, [](const RunItem& item) { return whenText(item.row.createdUtc); }, [](const RunItem& item) { return QVariant(item.row.createdUtc); }},
    {{QT_TR_NOOP("Model")}, [](const RunItem& item) { return qtext(item.row.model); }},  // ids: cell() shows and sorts by their titles
    {{QT_TR_NOOP("Data")}, [](const RunItem& item) { return qtext(item.row.dataset); }}};

bool same(const RunItem& a, const RunItem& b) {
  return a.row.state == b.row.state && a.row.name == b.row.name && a.row.tags == b.row.tags && a.row.notes == b.row.notes &&
         a.row.error == b.row.error && a.row.endedUtc == b.row.endedUtc && a.measured == b.measured && a.whole == b.whole && a.accuracyBest == b.accuracyBest &&
         a.samplesPerSecond == b.samplesPerSecond && a.wallSeconds == b.wallSeconds;
}

bool same(const StoredSuites& a, const StoredSuites& b) {
  const auto alike = [](const store::SuiteRow& x, const store::SuiteRow& y) {
    return x.id == y.id && std::ranges::equal(x.cells, y.cells, {}, &store::SuiteCell::runs, &store::SuiteCell::runs);
  };
  return a.trashed == b.trashed && a.searches == b.searches && std::ranges::equal(a.rows, b.rows, alike) && std::ranges::equal(a.pending | std::views::keys, b.pending | std::views::keys);
}

}  // namespace

struct RunsModel::Source {
  struct Measured {
    RunItem item;
    Steady::time_point at;
    bool stale = false;  // shown until it is measured again
  };
  std::unique_ptr<store::StoreReader> reader;
  std::map<std::string, Measured> cache;
  std::map<std::string, RunItem> pending;  // by attempt: a document is read once

  std::shared_ptr<const StoredSuites> suites(const std::vector<RunItem>& items, bool trashed) {
    auto found = std::make_shared<StoredSuites>();
    found->rows = reader->suites();
    found->trashed = reader->trashed();
    if (trashed) return found;  // there a suite has what of it is in the trash
    for (const store::SuiteRow& suite : found->rows)
      if (auto story = recorder::storyOf(*reader, suite)) found->searches.emplace(suite.id, std::move(*story));
    std::set<std::string> known = found->trashed;
    if (!found->rows.empty())
      for (const RunItem& item : items) known.insert(item.row.id);
    for (const store::SuiteRow& suite : found->rows)
      for (const store::SuiteCell& cell : suite.cells)
        if (const std::string& newest = cell.runs.back(); !known.contains(newest)) found->pending.emplace(newest, pendingOf(suite, cell));
    std::erase_if(pending, [&](const auto& entry) { return !found->pending.contains(entry.first); });
    return found;
  }

  const RunItem& pendingOf(const store::SuiteRow& suite, const store::SuiteCell& cell) {
    const auto known = pending.find(cell.runs.back());
    if (known != pending.end()) return known->second;
    RunItem made;
    made.row.specText = reader->cellDocument(suite.id, cell.place).value_or("");
    const RunSpec spec = parseRunSpec(made.row.specText).spec;
    made.row.id = cell.runs.back(), made.row.name = cell.name, made.row.createdUtc = suite.createdUtc, made.row.seed = spec.seed;
    made.row.algorithm = spec.algorithm.id, made.row.model = spec.model.id, made.row.dataset = spec.dataset.id, made.row.partition = spec.partition.id;
    return pending.emplace(cell.runs.back(), std::move(made)).first->second;
  }

  bool due(const store::RunRow& row) const {
    const auto found = cache.find(row.id);
    if (found == cache.end()) return true;
    if (found->second.stale || found->second.item.row.state != row.state) return true;
    return isActive(row.state) && Steady::now() - found->second.at > kRemeasure;
  }
  void moreOf(const std::string& run) {
    const auto found = cache.find(run);
    if (found != cache.end() && found->second.item.row.state == store::RunState::kImported) found->second.stale = true;
  }
  void measure(RunItem& item) {
    const summary::RunSummary summary = summary::summaryOf(*reader, item.row, {});
    item.measured = true;
    item.whole = store::isEnded(item.row.state);
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
    item.whole = item.whole && item.row.state == row.state;
    item.row = std::move(row);
  }
};

RunsModel::RunsModel(std::string storePath, QObject* parent)
    : ColumnTable(kTable, parent), path_(std::move(storePath)), source_(std::make_shared<Source>()) {}

void RunsModel::refresh() {
  again_ = std::exchange(asking_, true);
  if (again_) return;
  tasks_.post([this, trashed = trashed_, grown = std::exchange(grown_, {})](const std::stop_token& stop) { load(stop, trashed, grown); });
}

void RunsModel::moreOf(const std::string& run) {
  grown_.insert(run);
  refresh();
}

void RunsModel::setTrashed(bool trashed) {
  if (trashed == trashed_) return;
  trashed_ = trashed;
  loaded_ = false;
  replace({});
  refresh();
}

// On the thread of tasks_.
void RunsModel::load(const std::stop_token& stop, bool trashed, const std::set<std::string>& grown) {
  for (const std::string& run : grown) source_->moreOf(run);
  std::vector<RunItem> items;
  std::shared_ptr<const StoredSuites> suites;
  try {
    if (!source_->reader && std::filesystem::exists(path_)) source_->reader = std::make_unique<store::StoreReader>(path_);
    if (source_->reader) {
      for (store::RunRow& row : source_->reader->runs(store::RunQuery{.text = "", .trashed = trashed})) items.push_back({.row = std::move(row)});
      suites = source_->suites(items, trashed);
    }
    for (RunItem& item : items) source_->recall(item);
    const bool anyDue = std::any_of(items.begin(), items.end(), [this](const RunItem& i) { return source_->due(i.row); });
    if (anyDue) deliver(items, suites, trashed, false);
    Steady::time_point delivered = Steady::now();
    for (RunItem& item : items) {
      if (stop.stop_requested()) return;
      if (source_->due(item.row)) source_->measure(item);
      if (Steady::now() - delivered < kDeliver) continue;
      deliver(items, suites, trashed, false);
      delivered = Steady::now();
    }
  } catch (const std::exception& error) {
    source_->reader.reset();
    onGuiThread(this, [this, what = qtext(error.what())] { emit failed(what); });
  }
  deliver(std::move(items), suites, trashed, true);
}

void RunsModel::deliver(std::vector<RunItem> items, const std::shared_ptr<const StoredSuites>& suites, bool trashed, bool last) {
  onGuiThread(this, [this, items = std::move(items), suites, trashed, last]() mutable {
    if (trashed == trashed_) take(std::move(items), suites);
    if (!last) return;
    asking_ = false;
    if (std::exchange(again_, false)) refresh();
  });
}

void RunsModel::take(std::vector<RunItem> items, std::shared_ptr<const StoredSuites> suites) {
  if (suites && !same(*suites, *suites_)) suites_ = std::move(suites);
  if (items_.empty() && !items.empty())
    replace(std::move(items));
  else
    change(std::move(items));
  places_.clear();
  for (int row = 0; row < rows(); ++row) places_.emplace(item(row)->row.id, row);
  loaded_ = true;
  emit refreshed();
}

void RunsModel::replace(std::vector<RunItem> items) {
  beginResetModel();
  items_ = std::move(items);
  endResetModel();
}

void RunsModel::change(std::vector<RunItem> items) {
  std::map<std::string, std::size_t> places;
  for (const RunItem& item : items) places.emplace(item.row.id, places.size());
  for (int row = rowCount() - 1; row >= 0; --row) {
    if (places.contains(item(row)->row.id)) continue;
    beginRemoveRows({}, row, row);
    items_.erase(items_.begin() + row);
    endRemoveRows();
  }
  if (!std::ranges::is_sorted(items_, {}, [&places](const RunItem& item) { return places.at(item.row.id); })) return replace(std::move(items));
  for (std::size_t i = 0; i < items.size(); ++i) {
    const int row = static_cast<int>(i);
    if (i < items_.size() && items_[i].row.id == items[i].row.id) {
      const bool changed = !same(items_[i], items[i]);
      items_[i] = std::move(items[i]);
      if (changed) rowsChanged(row, row);
    } else {
      beginInsertRows({}, row, row);
      items_.insert(items_.begin() + row, std::move(items[i]));
      endInsertRows();
    }
  }
}

void RunsModel::setTitles(Titles titles) {
  titles_ = std::move(titles);
  allChanged();
}

QString RunsModel::titleOf(const std::string& id) const { return id.empty() ? QString("—") : said(titleIn(titles_, id)); }

const RunItem* RunsModel::item(int row) const {
  return row >= 0 && row < rowCount() ? &items_[static_cast<std::size_t>(row)] : nullptr;
}

int RunsModel::rowOf(const std::string& id) const {
  const auto place = places_.find(id);
  if (place != places_.end() && place->second < rowCount() && item(place->second)->row.id == id) return place->second;
  const auto found = std::find_if(items_.begin(), items_.end(), [&id](const RunItem& i) { return i.row.id == id; });  // rows just change
  return found == items_.end() ? -1 : static_cast<int>(found - items_.begin());
}

const RunItem* RunsModel::find(const std::string& id) const { return item(rowOf(id)); }

QVariant RunsModel::cell(int row, int column, int role) const { return cellOf(items_[static_cast<std::size_t>(row)], column, role); }

const std::vector<ColumnTable::Heading>& RunsModel::headings() {
  static const std::vector<Heading> all(std::begin(kTable), std::end(kTable));
  return all;
}

QVariant RunsModel::cellOf(const RunItem& found, int column, int role) const {
  const std::string* titled = column == kModel ? &found.row.model : column == kData ? &found.row.dataset : nullptr;
  switch (role) {
    case Qt::DisplayRole: return titled ? titleOf(*titled) : kTable[column].shown(found);
    case Qt::ToolTipRole:
      if (column == kCreated) return QDateTime::fromSecsSinceEpoch(static_cast<qint64>(found.row.createdUtc)).toString("yyyy-MM-dd HH:mm:ss");
      return qtext(column == kState ? found.row.error : column == kName ? found.row.name : titled ? *titled : "");
    case kIdRole: return qtext(found.row.id);
    case kStateRole: return static_cast<int>(found.row.state);
    case kSortRole: return titled ? titleOf(*titled).toLower() : kTable[column].sortKey(found);
    case kTagsRole: return (found.row.source == "simulated" ? QStringList(QObject::tr("simulated")) : QStringList()) + qtexts(found.row.tags);
    case kTextRole: {
      const store::RunRow& run = found.row;
      QStringList all = qtexts({run.name, run.id, run.algorithm, displayName(run.algorithm), run.model, run.dataset, run.notes, run.source, store::stateName(run.state)});
      all += {titleOf(run.model), titleOf(run.dataset)};
      return (all + qtexts(run.tags)).join(' ');
    }
    default: return {};
  }
}

}  // namespace paceline::runs

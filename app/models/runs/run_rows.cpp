#include "app/models/runs/run_rows.h"

#include <algorithm>
#include <numeric>

#include "app/models/words.h"

namespace paceline::runs {
namespace {

using recorder::CellStanding;

// The first of these that a suite has is what its row is marked with.
constexpr CellStanding kPressing[] = {CellStanding::kUnderWay, CellStanding::kHeld,   CellStanding::kWaiting, CellStanding::kFailed,
                                      CellStanding::kStale,    CellStanding::kNotRun, CellStanding::kStopped, CellStanding::kFinished};

CellStanding mostPressing(const std::vector<CellStanding>& standings) {
  const auto found = std::ranges::find_if(kPressing, [&](CellStanding each) { return std::ranges::find(standings, each) != standings.end(); });
  return found == std::end(kPressing) ? CellStanding::kFinished : *found;
}

// One value of all, else how many there are: "3 algorithms".
template <class Get>
std::string oneOf(const std::vector<const RunItem*>& items, const Get& get, QString (*many)(int)) {
  std::set<std::string> all;
  for (const RunItem* item : items) all.insert(get(*item));
  return all.size() == 1 ? *all.begin() : many(static_cast<int>(all.size())).toStdString();
}

struct Key {
  double number = 0;
  QString text;
};

Key keyOf(const QVariant& value) { return value.typeId() == QMetaType::QString ? Key{.text = value.toString()} : Key{.number = value.toDouble(), .text = {}}; }
bool before(const Key& a, const Key& b) { return a.number != b.number ? a.number < b.number : a.text < b.text; }

// The order of `count` things by their keys; equal ones keep theirs.
std::vector<std::size_t> sorted(const std::vector<Key>& keys, Qt::SortOrder order) {
  std::vector<std::size_t> places(keys.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::stable_sort(places, [&](std::size_t a, std::size_t b) { return order == Qt::AscendingOrder ? before(keys[a], keys[b]) : before(keys[b], keys[a]); });
  return places;
}

template <class T>
void arrange(std::vector<T>& things, const std::vector<std::size_t>& places) {
  std::vector<T> arranged;
  arranged.reserve(things.size());
  for (const std::size_t place : places) arranged.push_back(std::move(things[place]));
  things = std::move(arranged);
}

}  // namespace

int SuiteFacts::count(CellStanding standing) const { return static_cast<int>(std::ranges::count(standings, standing)); }
int SuiteFacts::missing() const { return search ? 0 : static_cast<int>(std::ranges::count_if(standings, recorder::isMissing)); }

RunRows::RunRows(const RunsModel& runs, const RunQueue& queue, QObject* parent) : ColumnTable(RunsModel::headings(), parent), runs_(runs), queue_(queue), stored_(runs.suites()) {
  const auto mark = [this] { changed_ = true; };
  connect(&runs_, &QAbstractItemModel::dataChanged, this, [this](const QModelIndex& first, const QModelIndex& last) {
    for (int row = first.row(); row <= last.row(); ++row)
      if (const RunItem* item = runs_.item(row)) texts_.erase(item->row.id);
    changed_ = true;
  });
  for (const auto news : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved}) connect(&runs_, news, this, mark);
  connect(&runs_, &QAbstractItemModel::modelReset, this, [this] { texts_.clear(), gather(); });
  connect(&runs_, &RunsModel::refreshed, this, [this] {
    if (changed_ || stored_ != runs_.suites()) gather();
  });
  connect(&queue_, &RunQueue::changed, this, &RunRows::followQueue);
  gather();
}

// Progress alone changes no row.
void RunRows::followQueue() {
  std::vector<std::pair<std::string, int>> now;
  for (const recorder::Entry& entry : queue_.entries()) now.emplace_back(entry.run, entry.waiting ? 1 + static_cast<int>(entry.held) : 0);
  if (now != std::exchange(waiting_, now)) gather();
}

void RunRows::gather() {
  changed_ = false;
  stored_ = runs_.suites();
  groups_.clear(), suites_.clear();
  std::unordered_map<std::string, int> places;
  for (int row = 0; row < runs_.rowCount(); ++row) places.emplace(runs_.item(row)->row.id, row);
  std::unordered_map<std::string, const recorder::Entry*> queue;
  for (const recorder::Entry& entry : queue_.entries()) queue.emplace(entry.run, &entry);
  std::set<std::string> within;
  for (const store::SuiteRow& suite : stored_->rows) {
    gatherSuite(suite, places, queue);
    for (const store::SuiteCell& cell : suite.cells) within.insert(cell.runs.begin(), cell.runs.end());
  }
  all_ = 0;
  for (const Group& group : groups_) all_ += static_cast<int>(group.below.size());
  for (int row = 0; row < runs_.rowCount(); ++row)
    if (const std::string& id = runs_.item(row)->row.id; !within.contains(id)) groups_.push_back({.head = {.kind = Kind::kRun, .id = id, .run = row}, .below = {}}), ++all_;
  order();
  show();
}

void RunRows::gatherSuite(const store::SuiteRow& row, const std::unordered_map<std::string, int>& places, const std::unordered_map<std::string, const recorder::Entry*>& queue) {
  Suite suite{.facts = {.id = row.id, .name = qtext(row.name), .runs = {}, .standings = {}, .attempts = {}}, .item = {}};
  std::vector<Line> cells;
  const auto add = [&](const std::string& run, int standing, bool older) {
    const auto place = places.find(run);
    if (place == places.end() && (older || !stored_->pending.contains(run))) return false;
    cells.push_back({.kind = Kind::kCell, .id = run, .suite = row.id, .run = place == places.end() ? -1 : place->second, .standing = standing, .older = older});
    if (place != places.end()) suite.facts.attempts.push_back(run);
    return true;
  };
  for (const store::SuiteCell& cell : row.cells) {
    const std::string& newest = cell.runs.back();
    const auto place = places.find(newest);
    const auto entry = queue.find(newest);
    const CellStanding standing = recorder::standingOf(place == places.end() ? nullptr : &runs_.item(place->second)->row, entry == queue.end() ? nullptr : entry->second);
    if (add(newest, static_cast<int>(standing), false) && (runs_.trashed() || standing != CellStanding::kTrashed)) suite.facts.runs.push_back(newest), suite.facts.standings.push_back(standing);
    for (std::size_t i = cell.runs.size() - 1; i-- > 0;) {
      const auto old = places.find(cell.runs[i]);
      if (old != places.end()) add(cell.runs[i], static_cast<int>(recorder::standingOf(&runs_.item(old->second)->row, nullptr)), true);
    }
  }
  if (cells.empty()) return;
  if (const auto story = stored_->searches.find(row.id); story != stored_->searches.end()) suite.facts.search = story->second;
  suite.item.row.id = row.id, suite.item.row.name = row.name, suite.item.row.createdUtc = row.createdUtc;
  describe(suite, cells);
  groups_.push_back({.head = {.kind = Kind::kSuite, .id = row.id, .suite = row.id, .standing = static_cast<int>(mostPressing(suite.facts.standings))}, .below = std::move(cells)});
  suites_.emplace(row.id, std::move(suite));
}

// Its best accuracy and speed, the time of all of its runs.
void RunRows::describe(Suite& suite, const std::vector<Line>& cells) {
  std::vector<const RunItem*> items;
  for (const Line& cell : cells)
    if (const RunItem* item = itemOf(cell); item != nullptr && !cell.older) items.push_back(item);
  RunItem& all = suite.item;
  all.row.algorithm = oneOf(items, [](const RunItem& item) { return item.row.algorithm; }, [](int n) { return tr("%n algorithm(s)", nullptr, n); });
  all.row.model = oneOf(items, [](const RunItem& item) { return item.row.model; }, [](int n) { return tr("%n model(s)", nullptr, n); });
  all.row.dataset = oneOf(items, [](const RunItem& item) { return item.row.dataset; }, [](int n) { return tr("%n data set(s)", nullptr, n); });
  const auto begun = [](const Line& cell) { return cell.run >= 0; };
  const auto simulated = [&](const Line& cell) { return !begun(cell) || itemOf(cell)->row.source == "simulated"; };
  if (std::ranges::any_of(cells, begun) && std::ranges::all_of(cells, simulated)) all.row.source = "simulated";
  std::set<std::uint64_t> seeds;
  for (const RunItem* item : items) {
    seeds.insert(item->row.seed);
    if (!item->measured) continue;
    all.measured = true;
    if (item->accuracyBest) all.accuracyBest = std::max(all.accuracyBest.value_or(0), *item->accuracyBest);
    all.samplesPerSecond = std::max(all.samplesPerSecond, item->samplesPerSecond);
    all.wallSeconds += item->wallSeconds;
  }
  suite.seeds = static_cast<int>(seeds.size());
  all.row.seed = seeds.empty() ? 0 : *seeds.begin();
}

const RunRows::Suite* RunRows::suiteOf(const Line& line) const {
  const auto found = suites_.find(line.suite);
  return found == suites_.end() ? nullptr : &found->second;
}

const RunItem* RunRows::itemOf(const Line& line) const {
  if (line.kind == Kind::kSuite) return suiteOf(line) == nullptr ? nullptr : &suiteOf(line)->item;
  if (line.run >= 0) return runs_.item(line.run);
  const auto found = stored_->pending.find(line.id);
  return found == stored_->pending.end() ? nullptr : &found->second;
}

const RunItem* RunRows::itemOf(const std::string& run) const {
  const int row = rowOf(run);
  if (row >= 0 && kindAt(row) != Kind::kSuite) return itemOf(lines_[static_cast<std::size_t>(row)]);
  if (const RunItem* stored = runs_.find(run)) return stored;
  const auto found = stored_->pending.find(run);
  return found == stored_->pending.end() ? nullptr : &found->second;
}

void RunRows::sort(int column, Qt::SortOrder order) {
  column_ = column, order_ = order;
  this->order();
  show();
}

// Cells have no dates of their own to be sorted by: they were asked for together.
void RunRows::order() {
  const auto keyAt = [this](const Line& line) {
    const RunItem* item = itemOf(line);
    if (item == nullptr) return Key{};
    if (column_ == RunsModel::kState && line.standing >= 0) return Key{.number = static_cast<double>(line.standing), .text = {}};
    return keyOf(runs_.cellOf(*item, column_, RunsModel::kSortRole));
  };
  std::vector<Key> keys;
  for (const Group& group : groups_) keys.push_back(keyAt(group.head));
  arrange(groups_, sorted(keys, order_));
  if (column_ == RunsModel::kCreated) return;
  for (Group& group : groups_) {
    if (group.below.size() < 2) continue;
    keys.clear();
    for (const Line& line : group.below) keys.push_back(keyAt(line));
    arrange(group.below, sorted(keys, order_));
  }
}

void RunRows::setWords(const QString& words) {
  words_ = wordsOf(words.toLower());
  show();
}

void RunRows::setStates(States states) {
  states_ = states;
  show();
}

void RunRows::setFolded(const std::string& suite, bool folded) {
  if (folded ? unfolded_.erase(suite) == 0 : !unfolded_.insert(suite).second) return;
  show();
}

const QString& RunRows::textOf(const Line& line) {
  QString& text = texts_[line.id];
  if (!text.isEmpty()) return text;
  if (const RunItem* item = itemOf(line)) text = runs_.cellOf(*item, 0, RunsModel::kTextRole).toString().toLower();
  if (const Suite* suite = suiteOf(line)) text += ' ' + suite->facts.name.toLower();
  return text;
}

bool RunRows::fits(const Line& line) {
  const RunItem* item = itemOf(line);
  if (item == nullptr) return false;
  const auto standing = line.standing >= 0 ? static_cast<CellStanding>(line.standing) : recorder::standingOf(&item->row, nullptr);
  switch (states_) {
    case States::kAll: break;
    case States::kActive:
      if (standing != CellStanding::kUnderWay && standing != CellStanding::kWaiting && standing != CellStanding::kHeld) return false;
      break;
    case States::kFinished:
      if (item->row.state != store::RunState::kFinished && item->row.state != store::RunState::kImported) return false;
      break;
    case States::kProblem:
      if (standing != CellStanding::kStale && !recorder::isMissing(standing)) return false;
      break;
  }
  if (words_.isEmpty()) return true;
  const QString& text = textOf(line);
  return std::ranges::all_of(words_, [&text](const QString& word) { return text.contains(word); });
}

void RunRows::show() {
  std::vector<Line> next;
  shown_ = 0;
  for (const Group& group : groups_) {
    if (group.head.kind == Kind::kRun) {
      if (fits(group.head)) next.push_back(group.head), ++shown_;
      continue;
    }
    const std::size_t at = next.size();
    next.push_back(group.head);
    int found = 0;
    const bool open = !words_.isEmpty() || unfolded_.contains(group.head.id);
    for (const Line& line : group.below)
      if (fits(line)) {
        ++found;
        if (open) next.push_back(line);
      }
    if (found == 0) next.resize(at);
    shown_ += found;
  }
  apply(std::move(next));
}

}  // namespace paceline::runs

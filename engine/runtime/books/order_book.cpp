#include "engine/runtime/books/order_book.h"

#include <algorithm>
#include <utility>

#include "engine/core/base/error.h"
#include "engine/core/json/json_text.h"
#include "engine/core/record/state_table.h"

namespace paceline {

OrderBook::OrderBook(const NodeRun& run, bool ordered) : run_(run), ordered_(ordered) {}

void OrderBook::handed(const Message& message) {
  if (!records()) return;
  Shard& shard = shards_[message.shard];
  if (message.kind == MessageKind::kReduce) ++shard.contributions[message.from];
  if (ordered_ && (message.kind == MessageKind::kPush || message.kind == MessageKind::kPull)) add(message.shard, shard, {.node = message.from});
}

void OrderBook::lost(int node) {
  if (!records()) return;
  for (auto& [number, shard] : shards_) add(number, shard, {.node = node, .lost = true, .count = shard.contributions[node]});
  closeAll();
}

void OrderBook::joined(int node) {
  if (!records()) return;
  const auto told = answers_.find(node);
  const std::int64_t answers = told == answers_.end() ? 0 : told->second.place + static_cast<std::int64_t>(told->second.answers.size());
  for (auto& [number, shard] : shards_) add(number, shard, {.node = node, .joined = true, .count = answers});
  closeAll();
}

// Where nothing but losses is recorded, at once.
void OrderBook::closeAll() {
  if (ordered_) return;
  for (auto& [number, shard] : shards_) close(number, shard);
}

void OrderBook::answered(int to, const Message& answer) {
  if (!records()) return;
  Told& told = answers_[to];
  told.answers.push_back(answer.scalars);
  if (told.answers.size() >= kAnswers) tell(to, told);
}

void OrderBook::add(std::int32_t number, Shard& shard, const AppliedStep& step) {
  shard.steps.push_back(step);
  if (shard.steps.size() >= kSteps) close(number, shard);
}

// Shards get the parts of one vector one after the other: nearly always their orders are the same, and one of them says all.
void OrderBook::close(std::int32_t number, Shard& shard) {
  const std::int64_t place = shard.place;
  ServerReplay::Steps steps = std::exchange(shard.steps, {});
  shard.place += static_cast<std::int64_t>(steps.size());
  if (number != shards_.begin()->first) {
    if (const auto same = first_.find(place); same == first_.end()) waiting_[place].push_back({.shard = number, .steps = std::move(steps)});
    else if (same->second != steps) tell(number, place, textOf(steps, same->second));
    return;
  }
  tell(number, place, textOf(steps));
  for (const Waiting& other : waiting_[place])
    if (other.steps != steps) tell(other.shard, place, textOf(other.steps, steps));
  waiting_.erase(place);
  first_[place] = std::move(steps);
  while (std::ranges::all_of(shards_, [&](const auto& entry) { return entry.second.place > first_.begin()->first; }) && first_.size() > 1) first_.erase(first_.begin());
}

void OrderBook::tell(std::int32_t number, std::int64_t place, std::string nodes) { run_.emit(OrderRecord{.shard = number, .place = place, .nodes = std::move(nodes)}); }

void OrderBook::tell(int to, Told& told) {
  Json lists = Json::array();
  for (const std::vector<double>& answer : told.answers) {
    Json& list = lists.emplace_back(Json::array());
    for (const double number : answer) list.push_back(jsonNumber(number));
  }
  run_.emit(AnswerRecord{.peer = run_.spec.nodes.at(static_cast<std::size_t>(to)).id, .place = told.place, .answers = lists.dump()});
  told.place += static_cast<std::int64_t>(told.answers.size());
  told.answers.clear();
}

void OrderBook::finish() {
  if (!records()) return;
  for (auto& [number, shard] : shards_)
    if (!shard.steps.empty() || (number != shards_.begin()->first && first_.contains(shard.place))) close(number, shard);
  for (const auto& [place, blocks] : std::exchange(waiting_, {}))
    for (const Waiting& block : blocks) tell(block.shard, place, textOf(block.steps));
  for (auto& [to, told] : answers_)
    if (!told.answers.empty()) tell(to, told);
}

namespace {

void archiveSteps(Archive& archive, std::string_view name, ServerReplay::Steps& steps) {
  std::vector<double> numbers;
  for (const AppliedStep& step : steps) numbers.insert(numbers.end(), {static_cast<double>(step.node), step.lost ? 1.0 : step.joined ? 2.0 : 0.0, static_cast<double>(step.count)});
  archive.numbers(name, numbers);
  steps.clear();
  for (std::size_t i = 0; i + 2 < numbers.size(); i += 3)
    steps.push_back({.node = static_cast<int>(numbers[i]), .lost = numbers[i + 1] == 1, .joined = numbers[i + 1] == 2, .count = static_cast<std::int64_t>(numbers[i + 2])});
}

// The keys of a map, which loading makes.
template <class Map>
void archiveKeys(Archive& archive, std::string_view name, Map& map) {
  std::vector<double> keys;
  for (const auto& [key, value] : map) keys.push_back(static_cast<double>(key));
  archive.numbers(name, keys);
  for (const double key : keys) map[static_cast<typename Map::key_type>(key)];
}

}  // namespace

void OrderBook::state(Archive& archive) {
  archiveKeys(archive, "shards", shards_);
  for (auto& [number, shard] : shards_) {
    ArchiveScope scope(archive, strCat("shard ", number));
    scope.number("place", shard.place);
    archiveSteps(scope, "steps", shard.steps);
    archiveKeys(scope, "senders", shard.contributions);
    for (auto& [sender, count] : shard.contributions) scope.number(strCat("from ", sender), count);
  }
  archiveKeys(archive, "waiting", waiting_);
  for (auto& [place, blocks] : waiting_) {
    ArchiveScope scope(archive, strCat("waiting ", place));
    auto count = static_cast<std::int64_t>(blocks.size());
    scope.number("blocks", count);
    blocks.resize(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      std::int64_t shard = blocks[i].shard;
      scope.number(strCat("shard ", i), shard);
      blocks[i].shard = static_cast<std::int32_t>(shard);
      archiveSteps(scope, strCat("steps ", i), blocks[i].steps);
    }
  }
  archiveKeys(archive, "first", first_);
  for (auto& [place, steps] : first_) archiveSteps(archive, strCat("first ", place), steps);
  archiveKeys(archive, "answered", answers_);
  for (auto& [node, told] : answers_) {
    ArchiveScope scope(archive, strCat("answers ", node));
    scope.number("place", told.place);
    auto count = static_cast<std::int64_t>(told.answers.size());
    scope.number("count", count);
    told.answers.resize(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < told.answers.size(); ++i) scope.numbers(strCat("answer ", i), told.answers[i]);
  }
}

}  // namespace paceline

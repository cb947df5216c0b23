#include "engine/runtime/replay.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>

#include "engine/core/base/error.h"
#include "engine/core/base/hash.h"
#include "engine/core/json/json_text.h"
#include "engine/core/record/reasons.h"

namespace paceline {
namespace {

constexpr std::size_t kWorthAWord = 3;  // steps that are the same

// All of `text`, as a whole number that is not negative.
std::optional<std::int64_t> countOf(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value >= 0 ? std::optional(value) : std::nullopt;
}

AppliedStep stepOf(const std::string& word) {
  AppliedStep step{.lost = word.starts_with('-'), .joined = word.starts_with('+')};
  const bool applied = !step.lost && !step.joined;
  const std::size_t colon = word.find(':'), first = applied ? 0 : 1;
  const auto node = countOf(std::string_view(word).substr(first, colon == std::string::npos ? colon : colon - first));
  const auto count = colon == std::string::npos ? std::optional<std::int64_t>(0) : countOf(std::string_view(word).substr(colon + 1));
  if (!node || *node > static_cast<std::int64_t>(kMaxNodes) || !count || (colon != std::string::npos && applied))
    throw Error(Errc::kFormat, strCat("\"", quotable(word), "\" is no step of a server's order"));
  step.node = static_cast<int>(*node);
  step.count = *count;
  return step;
}

}  // namespace

std::string textOf(const ServerReplay::Steps& steps, const ServerReplay::Steps& first) {
  std::string text;
  const auto add = [&text](const auto&... parts) { text += strCat(text.empty() ? "" : " ", parts...); };
  for (std::size_t i = 0, same = 0; i < steps.size(); i += std::max<std::size_t>(1, same)) {
    same = 0;
    while (i + same < steps.size() && i + same < first.size() && steps[i + same] == first[i + same]) ++same;
    const AppliedStep& step = steps[i];
    if (same >= kWorthAWord) add('=', same);
    else if (same = 1; !step.lost && !step.joined) add(step.node);
    else if (step.count == 0) add(step.lost ? '-' : '+', step.node);
    else add(step.lost ? '-' : '+', step.node, ':', step.count);
  }
  return text;
}

ServerReplay::Steps stepsOf(const std::string& text, const ServerReplay::Steps& first) {
  ServerReplay::Steps steps;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word.front() != '=') {
      steps.push_back(stepOf(word));
      continue;
    }
    const auto count = countOf(std::string_view(word).substr(1));
    if (!count || steps.size() + static_cast<std::size_t>(*count) > first.size()) throw Error(Errc::kFormat, strCat("\"", quotable(word), "\" is no step of a server's order"));
    const auto from = first.begin() + static_cast<std::ptrdiff_t>(steps.size());
    steps.insert(steps.end(), from, from + *count);
  }
  return steps;
}

const ServerReplay::Steps& ServerReplay::of(std::int32_t shard) const {
  static const Steps kNone;
  const auto found = shards.find(shard);
  if (found != shards.end()) return found->second;
  return shards.empty() ? kNone : shards.begin()->second;
}

std::optional<double> Replay::warmUpOf(int node) const {
  const auto found = warmUps.find(node);
  return found == warmUps.end() ? std::nullopt : std::optional(found->second);
}

Replay::Divisions Replay::dividedBy(int node, std::size_t process) const {
  if (process > 0) return returns.at(node).at(process - 1).divided;
  const auto found = divided.find(node);
  return found == divided.end() ? Divisions() : found->second;
}

bool Replay::loses(int node, std::size_t process) const {
  const auto found = returns.find(node);
  return lost.contains(node) || (found != returns.end() && process < found->second.size());
}

std::string checksumOf(std::span<const Real> parameters) { return sha256Hex({reinterpret_cast<const char*>(parameters.data()), parameters.size_bytes()}); }

namespace {

std::size_t timesLostIn(const ServerReplay::Steps& steps, int node) {
  return static_cast<std::size_t>(std::ranges::count_if(steps, [node](const AppliedStep& step) { return step.lost && step.node == node; }));
}

}  // namespace

std::size_t ServerReplay::losing(int node, std::size_t before) const {
  return static_cast<std::size_t>(std::ranges::count_if(shards, [&](const auto& shard) { return timesLostIn(shard.second, node) > before; }));
}

std::size_t ServerReplay::timesLost(int node) const {
  std::size_t most = 0;
  for (const auto& [number, steps] : shards) most = std::max(most, timesLostIn(steps, node));
  return most;
}

std::optional<std::size_t> ServerReplay::answersBefore(int node, std::size_t process) const {
  for (const auto& [number, steps] : shards)
    for (std::size_t i = 0, joins = 0; i < steps.size(); ++i)
      if (steps[i].joined && steps[i].node == node && ++joins == process) return static_cast<std::size_t>(steps[i].count);
  return std::nullopt;
}

int ReplayReader::indexOf(const std::string& node) const {
  const int index = spec_.nodeIndex(node);
  if (index < 0) throw Error(Errc::kFormat, strCat("the run's records name node \"", quotable(node), "\", which its document does not have"));
  return index;
}

void ReplayReader::take(const std::string& node, const Event& event) {
  if (const auto* order = std::get_if<OrderRecord>(&event)) return takeOrder(indexOf(node), *order);
  if (const auto* answers = std::get_if<AnswerRecord>(&event)) return takeAnswers(indexOf(node), *answers);
  if (const auto* metric = std::get_if<MetricRecord>(&event)) return takeMetric(indexOf(node), *metric);
  if (const auto* round = std::get_if<RoundRecord>(&event); round && indexOf(node) == spec_.evaluatorNode()) replay_.rounds = std::max(replay_.rounds, round->round);
}

void ReplayReader::takeMetric(int node, const MetricRecord& record) {
  if (record.name == kWarmUpMetric) replay_.warmUps[node] = record.value;
  if (record.name.starts_with(kTakesPartAgain)) {
    const auto process = countOf(std::string_view(record.name).substr(std::string_view(kTakesPartAgain).size()));
    if (!process) throw Error(Errc::kFormat, strCat("\"", quotable(record.name), "\" names no process"));
    begun_[node].push_back({.process = *process, .as = {.begins = record.round, .samples = static_cast<std::int64_t>(record.value)}});
  }
  if (record.name.starts_with(kTakesIn)) takenIn_[record.round].emplace_back(indexOf(record.name.substr(kTakesIn.size())), static_cast<std::int64_t>(record.value));
  const bool takes = record.name.starts_with(kTakesData);
  if (!takes && !record.name.starts_with(kLeavesData)) return;
  const int other = indexOf(record.name.substr((takes ? kTakesData : kLeavesData).size()));
  const std::vector<int> workers = spec_.workers();
  const auto rank = static_cast<int>(std::ranges::find(workers, other) - workers.begin());
  std::vector<Begun>& begun = begun_[node];
  Replay::Divisions& divisions = begun.empty() ? replay_.divided[node] : begun.back().as.divided;
  std::vector<int> ranks = divisions.empty() ? std::vector<int>() : divisions.rbegin()->second;
  std::erase(ranks, rank);
  if (takes) ranks.insert(std::ranges::upper_bound(ranks, rank), rank);
  divisions[static_cast<std::uint64_t>(record.value)] = std::move(ranks);
}

void ReplayReader::takeOrder(int server, const OrderRecord& record) { blocks_[server][static_cast<std::int32_t>(record.shard)][record.place] = record.nodes; }

void ReplayReader::takeAnswers(int server, const AnswerRecord& record) {
  ServerReplay::Answers& answers = replay_.servers[server].answers[indexOf(record.peer)];
  if (record.place != static_cast<std::int64_t>(answers.size()))
    throw Error(Errc::kFormat, strCat("of the answers of ", spec_.nodes[static_cast<std::size_t>(server)].id, " to ", record.peer, " numbers ", answers.size(), " to ", record.place, " are missing"));
  const Json lists = jsonOrNull(record.answers);
  for (const Json& list : lists) {
    std::vector<double>& numbers = answers.emplace_back();
    for (const Json& each : list) numbers.push_back(numberFromJson(each).value_or(0));
  }
}

// A block that a shard lacks is that of the first.
Replay ReplayReader::finished() {
  for (const auto& [round, processes] : takenIn_)
    for (const auto& [node, process] : processes) {
      const std::vector<Begun>& begun = begun_[node];
      const auto found = std::ranges::find(begun, process, &Begun::process);
      replay_.takenIn[round].push_back(node);
      replay_.returns[node].push_back(found != begun.end() ? found->as : Replay::Return{.begins = round});
    }
  for (const auto& [server, shards] : blocks_) {
    const std::string& id = spec_.nodes[static_cast<std::size_t>(server)].id;
    std::map<std::int64_t, ServerReplay::Steps> first;
    for (const auto& [place, text] : shards.begin()->second) first[place] = stepsOf(text);
    for (const auto& [shard, own] : shards) {
      std::map<std::int64_t, ServerReplay::Steps> blocks = first;
      for (const auto& [place, text] : own) blocks[place] = stepsOf(text, first[place]);
      ServerReplay::Steps& steps = replay_.servers[server].shards[shard];
      for (const auto& [place, block] : blocks) {
        if (place != static_cast<std::int64_t>(steps.size()) && !block.empty()) throw Error(Errc::kFormat, strCat("of the order of ", id, ", shard ", shard, ", places ", steps.size(), " to ", place, " are missing"));
        steps.insert(steps.end(), block.begin(), block.end());
      }
      for (const AppliedStep& step : steps) {
        if (step.node >= static_cast<int>(spec_.nodes.size())) throw Error(Errc::kFormat, strCat("the order of ", id, " names node ", step.node, ", the document has ", spec_.nodes.size()));
      }
    }
    for (int node = 0; node < static_cast<int>(spec_.nodes.size()); ++node)
      if (replay_.servers[server].timesLost(node) > replay_.returns[node].size()) replay_.lost.insert(node);
  }
  blocks_.clear();
  return std::move(replay_);
}

}  // namespace paceline

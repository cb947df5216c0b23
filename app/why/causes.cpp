// Where the wall time goes. Behind a barrier a round takes what its slowest worker takes, and then the exchange of whoever comes last: who waits least waits for the exchange
// alone. Without one every worker's time is its own, and the means count.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "app/why/why.h"
#include "storage/summary/summary_curves.h"

namespace paceline::why {
namespace {

constexpr double kMostly = 0.6;           // of the rounds, or of the seconds, for one node to be named
constexpr double kStaleRounds = 2;        // times the number of other workers
constexpr std::int64_t kSmallMessages = 64 << 10;  // bytes of a round that any link carries at once

double waits(const RoundRecord& r) { return r.send + r.wait + r.receive + r.query; }
double work(const RoundRecord& r) { return r.compute + r.update; }

using Round = std::vector<const store::RoundRow*>;  // of all workers

// Seconds with the rounds that have them; the worst one is where it can be seen.
struct Sum {
  double seconds = 0, worst = 0;
  std::int64_t rounds = 0;
  Place place{};
  std::map<std::string, std::int64_t> by{};  // node -> rounds
  std::map<std::string, double> secondsBy{};

  void add(double more, const std::string& node, const store::RoundRow* row, double begin, double end) {
    if (more <= 0) return;
    seconds += more, ++rounds, ++by[node], secondsBy[node] += more;
    if (more <= worst) return;
    worst = more;
    place = {.node = row->node, .round = row->record.round, .begin = begin, .end = end};
  }
  std::string mostly() const {  // "": no node has most of the rounds
    const auto most = std::ranges::max_element(by, {}, [](const auto& entry) { return entry.second; });
    return most != by.end() && static_cast<double>(most->second) >= kMostly * static_cast<double>(rounds) ? most->first : "";
  }
  std::vector<std::string> nodes() const {  // of most seconds first; one that has mostly all of them alone
    std::vector<std::string> all;
    for (const auto& [node, its] : secondsBy) all.push_back(node);
    std::ranges::stable_sort(all, std::greater(), [this](const std::string& node) { return secondsBy.at(node); });
    if (!all.empty() && secondsBy.at(all.front()) >= kMostly * seconds) all.resize(1);
    return all;
  }
};

double beginOf(const store::RoundRow& row) { return row.record.t - row.record.total; }
double medianOf(std::vector<double> values) {
  std::ranges::sort(values);
  return values.empty() ? 0 : values[(values.size() - 1) / 2];
}

struct Times {
  Sum evaluation, straggler, input, exchange;
  double computing = 0;     // share
  double perWorker = 1;     // seconds above are of so many workers together
};

void addEvaluations(Times& times, const Explained& run) {
  for (const store::RoundRow& row : run.data.rounds) times.evaluation.add(row.record.evaluate, row.node, &row, row.record.t - row.record.evaluate, row.record.t);
}

// Whom most of a round's workers waited for; "": no worker.
std::string waitedFor(const Round& round) {
  std::map<std::string, std::size_t> votes;
  for (const store::RoundRow* row : round)
    if (std::ranges::any_of(round, [&](const store::RoundRow* other) { return other->node == row->record.longestWaitFor; })) ++votes[row->record.longestWaitFor];
  for (const auto& [node, count] : votes)
    if (2 * count >= round.size()) return node;
  return "";
}

void addBarrier(Times& times, const Round& round) {
  std::vector<double> works;
  for (const store::RoundRow* row : round) works.push_back(work(row->record));
  const auto slowest = static_cast<std::size_t>(std::ranges::max_element(works) - works.begin());
  std::vector<double> others = works;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(slowest));
  const store::RoundRow* slow = round[slowest];
  const double begin = beginOf(*slow);
  if (!others.empty()) times.straggler.add(works[slowest] - medianOf(others), slow->node, slow, begin, begin + slow->record.fetch + works[slowest]);
  const auto fetched = [](const store::RoundRow* row) { return row->record.fetch + work(row->record); };
  const store::RoundRow* last = *std::ranges::max_element(round, {}, fetched);
  times.input.add(fetched(last) - works[slowest], last->node, last, beginOf(*last), beginOf(*last) + last->record.fetch);
  const store::RoundRow* least = *std::ranges::min_element(round, {}, [](const store::RoundRow* row) { return waits(row->record); });
  const double trained = least->record.t - least->record.evaluate;
  times.exchange.add(waits(least->record), waitedFor(round), least, trained - waits(least->record), trained);
}

void addAlone(Times& times, const store::RoundRow& row, const std::set<std::string>& workers) {
  const RoundRecord& r = row.record;
  const bool forWorker = r.longestWait && r.longestWaitFor != row.node && workers.contains(r.longestWaitFor);
  const double held = forWorker ? std::min(*r.longestWait, waits(r)) : 0, trained = r.t - r.evaluate;
  times.straggler.add(held, r.longestWaitFor, &row, trained - held, trained);
  times.input.add(r.fetch, row.node, &row, beginOf(row), beginOf(row) + r.fetch);
  times.exchange.add(waits(r) - held, row.node, &row, trained - waits(r), trained);
}

Times timesOf(const Explained& run, const std::set<std::string>& workers, double wall) {
  Times times;
  double worked = 0;
  for (const store::RoundRow& row : run.data.rounds) worked += work(row.record);
  times.computing = worked / wall / static_cast<double>(workers.size());
  addEvaluations(times, run);
  if (!run.synchronous) {
    times.perWorker = static_cast<double>(workers.size());
    for (const store::RoundRow& row : run.data.rounds) addAlone(times, row, workers);
    return times;
  }
  std::map<std::int64_t, Round> rounds;
  for (const store::RoundRow& row : run.data.rounds) rounds[row.record.round].push_back(&row);
  for (const auto& [number, round] : rounds)
    if (round.size() == workers.size()) addBarrier(times, round);
  return times;
}

struct Busiest {
  std::string server{};
  double seconds = 0, longest = 0;
  Place place{};
};
Busiest busiestServer(const Explained& run) {
  std::map<std::string, Busiest> servers;
  for (const store::BusyRow& row : run.data.busy) {
    const int index = run.spec.nodeIndex(row.node);
    if (index < 0 || run.spec.nodes[static_cast<std::size_t>(index)].role != Role::kServer) continue;
    Busiest& one = servers[row.node];
    one.server = row.node;
    one.seconds += row.record.busy / run.spec.nodes[static_cast<std::size_t>(index)].threads;
    if (row.record.busy > one.longest) one.longest = row.record.busy, one.place = {.node = row.node, .begin = row.record.t - row.record.span, .end = row.record.t};
  }
  const auto most = std::ranges::max_element(servers, {}, [](const auto& entry) { return entry.second.seconds; });
  return most == servers.end() ? Busiest{} : most->second;
}

// Bytes of a worker's round take less than half of what its exchange takes: the messages' number and way cost the time.
bool isLatency(const Explained& run, double secondsPerRound) {
  double bytes = 0;
  for (const store::RoundRow& row : run.data.rounds) bytes += static_cast<double>(row.record.bytesSent + row.record.bytesReceived);
  bytes /= static_cast<double>(run.data.rounds.size());
  std::optional<double> slowest;
  for (const NodeSpec& node : run.spec.nodes)
    if (node.emulate.bandwidthMbps) slowest = std::min(slowest.value_or(*node.emulate.bandwidthMbps), *node.emulate.bandwidthMbps);
  const double crowd = run.synchronous ? static_cast<double>(run.spec.workers().size()) : 1;  // all at once, where the narrow link is the server's
  if (slowest) return crowd * bytes * 8 / (*slowest * 1e6) < secondsPerRound / 2;
  return bytes < kSmallMessages;
}

Cause causeOf(Kind kind, const Sum& sum, double seconds, double wall, std::vector<std::string> nodes) {
  return {.kind = kind, .nodes = std::move(nodes), .rounds = sum.rounds, .seconds = seconds, .share = seconds / wall, .place = sum.place};
}

std::vector<std::string> named(const std::string& node) { return node.empty() ? std::vector<std::string>{} : std::vector<std::string>{node}; }

// One node whose steps are drawn may be the slowest in a few rounds that cost most of the time; where all are drawn, another one is in each round.
Cause stragglerCause(const Explained& run, const Sum& sum, double seconds, double wall) {
  Cause cause = causeOf(Kind::kStraggler, sum, seconds, wall, sum.nodes());
  if (cause.nodes.size() != 1 || !run.synchronous) return cause;
  const std::int64_t its = sum.by.at(cause.nodes.front());
  if (static_cast<double>(its) < kMostly * static_cast<double>(sum.rounds)) cause.rounds = its, cause.ofRounds = sum.rounds;
  return cause;
}

// An exchange is the server's time as far as one was busy meanwhile, the rest is on the links.
void addExchange(std::vector<Cause>& causes, const Explained& run, const Times& times, double wall) {
  const double seconds = times.exchange.seconds / times.perWorker;
  const Busiest busiest = busiestServer(run);
  const bool full = !run.synchronous && busiest.seconds > 0.8 * wall;
  const double served = full ? seconds : std::min(seconds, busiest.seconds / times.perWorker), linked = seconds - served;
  if (served > 0) {
    Cause cause = causeOf(Kind::kServer, times.exchange, served, wall, named(busiest.server));
    cause.place = busiest.place;
    causes.push_back(std::move(cause));
  }
  const double perRound = seconds * times.perWorker / std::max<double>(1, static_cast<double>(times.exchange.rounds));
  const bool small = isLatency(run, perRound);
  const std::string last = run.synchronous ? times.exchange.mostly() : "";
  const bool apart = !last.empty() && run.spec.workers().size() > 1 && last != times.straggler.mostly() && last != times.input.mostly();
  causes.push_back(causeOf(small ? Kind::kBatch : Kind::kLink, times.exchange, linked, wall, named(apart && !small ? last : "")));
}

void addStaleness(std::vector<Cause>& causes, const Explained& run) {
  if (run.synchronous) return;
  std::map<std::string, std::pair<double, std::int64_t>> by;
  for (const store::RoundRow& row : run.data.rounds) by[row.node].first += row.record.staleness, ++by[row.node].second;
  Cause cause{.kind = Kind::kStaleness};
  for (const auto& [node, sum] : by)
    if (const double mean = sum.first / static_cast<double>(sum.second); mean > cause.staleness) cause.staleness = mean, cause.nodes = {node}, cause.rounds = sum.second;
  if (cause.staleness < kStaleRounds * static_cast<double>(by.size() - 1) || by.size() < 2) return;
  for (const store::RoundRow& row : run.data.rounds)
    if (row.node == cause.nodes.front()) cause.place = {.node = row.node, .round = row.record.round, .begin = beginOf(row), .end = row.record.t};
  causes.push_back(std::move(cause));
}

std::string idOf(const store::RunRow& run) { return run.name.empty() ? run.id : run.name; }

}  // namespace

Explained explained(summary::RunData data) {
  const std::string name = idOf(data.run);
  if (data.run.specText.empty()) throw Error(Errc::kStore, strCat("run \"", name, "\" was imported without its document: nobody knows what to change"));
  ParsedSpec parsed = parseRunSpec(data.run.specText);
  if (hasErrors(parsed.findings)) throw Error(Errc::kStore, strCat("run \"", name, "\": its document is not valid: ", parsed.findings.front().pointer, " ", parsed.findings.front().message));
  if (data.rounds.empty()) throw Error(Errc::kStore, strCat("run \"", name, "\" has no records of rounds", store::isEnded(data.run.state) ? "" : " yet", ": its state is ", store::stateName(data.run.state)));
  const bool synchronous = summary::recordedSynchronous(data.run).value_or(true);
  return {.spec = std::move(parsed.spec), .synchronous = synchronous, .data = std::move(data)};
}

double samplesPerSecond(const std::vector<store::RoundRow>& rounds) {
  if (rounds.empty()) return 0;
  double samples = 0, begin = beginOf(rounds.front()), end = rounds.front().record.t;
  for (const store::RoundRow& row : rounds) {
    samples += static_cast<double>(row.record.samples);
    begin = std::min(begin, beginOf(row)), end = std::max(end, row.record.t);
  }
  return end > begin ? samples / (end - begin) : 0;
}

Diagnosis diagnose(const Explained& run) {
  Diagnosis told;
  double begin = beginOf(run.data.rounds.front()), end = run.data.rounds.front().record.t;
  std::set<std::string> workers;
  for (const store::RoundRow& row : run.data.rounds) begin = std::min(begin, beginOf(row)), end = std::max(end, row.record.t), workers.insert(row.node);
  told.wall = end - begin, told.from = run.from;
  told.samplesPerSecond = samplesPerSecond(run.data.rounds);
  if (told.wall <= 0) return told;
  const Times times = timesOf(run, workers, told.wall);
  told.computing = times.computing;
  const auto add = [&](Kind kind, const Sum& sum, const std::string& node) { told.causes.push_back(causeOf(kind, sum, sum.seconds / times.perWorker, told.wall, named(node))); };
  add(Kind::kEvaluation, times.evaluation, times.evaluation.mostly());
  told.causes.push_back(stragglerCause(run, times.straggler, times.straggler.seconds / times.perWorker, told.wall));
  add(Kind::kInput, times.input, workers.size() > 1 ? times.input.mostly() : *workers.begin());
  addExchange(told.causes, run, times, told.wall);
  std::erase_if(told.causes, [](const Cause& cause) { return cause.share < kLeastShare; });
  std::ranges::stable_sort(told.causes, std::greater(), &Cause::share);
  addStaleness(told.causes, run);
  for (Cause& cause : told.causes) cause.remedy = remedyFor(cause, run);
  return told;
}

}  // namespace paceline::why

#include "tests/torture/checker.h"

#include <algorithm>
#include <map>
#include <set>

#include "app/cluster/run/replay_run.h"
#include "engine/algorithms/algorithm.h"
#include "engine/core/base/error.h"
#include "engine/runtime/replay.h"
#include "storage/summary/links.h"

namespace paceline::tests {
namespace {

class Judge {
 public:
  Judge(const store::StoreReader& store, const run::RunOutcome& outcome, const RunSpec& spec, const std::vector<Blow>& struck, bool goesOn)
      : store_(store), outcome_(outcome), spec_(spec), struck_(struck), goesOn_(goesOn), method_(*findAlgorithm(spec.algorithm.id)), coordinator_(nameOf(spec.evaluatorNode())) {
    for (const store::RoundRow& row : store.rounds(outcome.run)) rounds_[row.node].push_back(row.record.round);
    startedAgain_ = summary::startedAgain(store.nodes(outcome.run), store.notices(outcome.run));
  }

  Verdict verdict() {
    checkState();
    checkRounds();
    checkOrders();
    checkTraffic();
    for (const store::NoticeRow& notice : store_.notices(outcome_.run)) verdict_.rejoined += notice.record.reason == "rejoined";
    repeat();
    return std::move(verdict_);
  }

 private:
  template <class... Parts>
  void defect(const Parts&... parts) { verdict_.defects.push_back(strCat(parts...)); }

  const std::string& nameOf(int node) const { return spec_.nodes.at(static_cast<std::size_t>(node)).id; }
  bool finished() const { return outcome_.state == store::RunState::kFinished; }
  bool isWorker(const std::string& id) const { return spec_.nodes.at(static_cast<std::size_t>(spec_.nodeIndex(id))).role == Role::kWorker; }
  bool harmless(const Blow& blow) const { return blow.harm == Harm::kNone || blow.harm == Harm::kPause; }
  // Its host started it again, and it takes part with the state of another; also one that lost its way to a server that was struck.
  bool joinsAgain(const std::string& node) const { return !undisturbed() && startedAgain_.contains(node); }
  // Its host starts it again where it was.
  bool returns(const Blow& blow) const {
    return (blow.harm == Harm::kKill || blow.harm == Harm::kFreeze) && spec_.serversReturn() && spec_.nodes.at(static_cast<std::size_t>(spec_.nodeIndex(blow.victim))).role == Role::kServer;
  }
  bool survivable(const Blow& blow) const { return harmless(blow) || returns(blow) || (goesOn_ && isWorker(blow.victim) && blow.victim != coordinator_); }
  std::int64_t roundsOf(const std::string& node) const {
    const auto found = rounds_.find(node);
    return found == rounds_.end() ? 0 : static_cast<std::int64_t>(found->second.size());
  }
  bool undisturbed() const { return std::ranges::all_of(struck_, [this](const Blow& blow) { return harmless(blow); }); }

  // The state is true: who could be done without is, and a failure names who failed.
  void checkState() {
    const auto row = store_.find(outcome_.run);
    if (!row) return defect("the run is not in the store");
    if (row->state != outcome_.state || row->error != outcome_.error) defect("the store says ", store::stateName(row->state), " \"", row->error, "\", the session ", store::stateName(outcome_.state), " \"", outcome_.error, "\"");
    const bool survivableAll = std::ranges::all_of(struck_, [this](const Blow& blow) { return survivable(blow); });
    if (survivableAll && !finished()) return defect("it ", store::stateName(outcome_.state), " though it could go on: ", outcome_.error);
    if (undisturbed() && !startedAgain_.empty()) defect("nothing happened to it, and ", *startedAgain_.begin(), " was started again");
    if (undisturbed() && !outcome_.error.empty()) defect("nothing happened to it, and it says ", outcome_.error);
    if (!survivableAll && finished() && roundsOf(coordinator_) < *spec_.stop.rounds) defect("it finished after ", roundsOf(coordinator_), " rounds");
    if (!finished() && outcome_.state != store::RunState::kFailed) defect("it ended ", store::stateName(outcome_.state));
    if (outcome_.state == store::RunState::kFailed && std::ranges::none_of(struck_, [this](const Blow& blow) { return outcome_.error.find(blow.victim) != std::string::npos; })) defect("its failure names nobody who was struck: ", outcome_.error);
  }

  // Each round of each worker once, in order, without a gap; of one that took part again only those that it was there for.
  void checkRounds() {
    for (const auto& [node, rounds] : rounds_)
      for (std::size_t i = 0; i < rounds.size(); ++i)
        if (joinsAgain(node) ? i > 0 && rounds[i] <= rounds[i - 1] : rounds[i] != static_cast<std::int64_t>(i) + 1) {
          defect(node, " has round ", rounds[i], " where ", i + 1, " is due");
          break;
        }
    if (!finished()) return;
    if (roundsOf(coordinator_) != *spec_.stop.rounds) defect(coordinator_, " has ", roundsOf(coordinator_), " of ", *spec_.stop.rounds, " rounds");
    if (!sharesRounds(method_, spec_.algorithm.params)) return;
    for (const int worker : spec_.workers())
      if (undisturbed() && roundsOf(nameOf(worker)) != *spec_.stop.rounds) defect(nameOf(worker), " has ", roundsOf(nameOf(worker)), " of ", *spec_.stop.rounds, " rounds");
  }

  // What servers applied: nothing of a round that was closed is missing or there twice, in all shards; and SSP's bound held at every moment.
  void checkOrders() {
    if (method_.topology != Topology::kServer || spec_.algorithm.id == "sync_backup") return;
    Replay replay;
    try {
      ReplayReader reader(spec_);
      for (const auto& row : store_.records<OrderRecord>(outcome_.run)) reader.take(row.node, row.record);
      replay = reader.finished();
    } catch (const Error& error) {
      return defect("the order of its servers cannot be read: ", error.what());
    }
    const bool whole = std::ranges::none_of(struck_, [this](const Blow& blow) { return !harmless(blow) && !returns(blow) && !isWorker(blow.victim); }) && finished();
    for (const auto& [server, order] : replay.servers)
      for (const auto& [shard, steps] : order.shards) {
        std::map<int, std::int64_t> applied;
        for (const AppliedStep& step : steps) applied[step.node] += step.lost || step.joined ? 0 : 1;
        for (const int worker : spec_.workers()) {
          const std::int64_t closed = roundsOf(nameOf(worker));
          if ((whole && applied[worker] < closed) || applied[worker] > closed + 1 + (joinsAgain(nameOf(worker)) ? spec_.workerRestarts : 0)) defect(nameOf(server), ", shard ", shard, " applied ", applied[worker], " pushes of ", nameOf(worker), ", which closed ", closed, " rounds");
        }
        if (spec_.algorithm.id == "ssp" && startedAgain_.empty() && spec_.algorithm.params.boolean("bounded")) checkBound(server, shard, steps);
      }
  }

  void checkBound(int server, std::int32_t shard, const ServerReplay::Steps& steps) {
    const std::int64_t bound = spec_.algorithm.params.integer("staleness_bound");
    std::map<int, std::int64_t> clocks;
    for (const int worker : spec_.workers()) clocks[worker] = 0;
    for (const AppliedStep& step : steps) {
      if (step.lost) {
        clocks.erase(step.node);
        continue;
      }
      if (!clocks.contains(step.node)) return defect(nameOf(server), ", shard ", shard, " applied a push of ", nameOf(step.node), " after it was lost");
      const std::int64_t slowest = std::ranges::min_element(clocks, {}, [](const auto& entry) { return entry.second; })->second;
      if (clocks[step.node] - slowest > bound) return defect(nameOf(server), ", shard ", shard, ": ", nameOf(step.node), " pushed clock ", clocks[step.node] + 1, " while the slowest had ", slowest);
      ++clocks[step.node];
    }
  }

  // What was sent is what came.
  void checkTraffic() {
    if (!finished() || spec_.servers().empty() || !std::ranges::all_of(struck_, [this](const Blow& blow) { return harmless(blow) || returns(blow); })) return;
    std::map<std::string, double> sums;
    for (const auto& row : store_.records<MetricRecord>(outcome_.run)) sums[row.record.name] += row.record.value;
    for (const char* what : {"bytes", "messages"}) {
      const auto of = [&](const char* direction) { return sums[strCat(what, direction)]; };
      if (of("_to_servers") != of("_from_workers")) defect("workers sent ", of("_to_servers"), " ", what, ", servers received ", of("_from_workers"));
      if (of("_to_workers") != of("_from_servers") + of("_undelivered")) defect("servers sent ", of("_to_workers"), " ", what, ", workers received ", of("_from_servers"), " and ", of("_undelivered"), " were overtaken by the stop");
    }
  }

  void repeat() {
    const store::RunRow row = store_.find(outcome_.run).value();
    if (rounds_.empty()) return void(verdict_.notRepeated = "it closed no round");
    const bool server = std::ranges::any_of(struck_, [this](const Blow& blow) { return !harmless(blow) && !returns(blow) && !isWorker(blow.victim); });
    if (server || !finished()) return void(verdict_.notRepeated = "it did not end in order, or lost a server with its order");
    if ((verdict_.notRepeated = run::whyNoReplay(store_, row)) != "") return;
    const run::Replayed replayed = run::replayRun(store_, row);
    verdict_.repeated = replayed.same();
    if (!replayed.same())
      defect("it did not come out the same: ", replayed.firstDifference, replayed.error.empty() ? "" : strCat(" (", replayed.error, ")"), ", ", replayed.missingRounds, " rounds missing, parameters ", replayed.parameters == replayed.recordedParameters ? "the same" : "others");
  }

  const store::StoreReader& store_;
  const run::RunOutcome& outcome_;
  const RunSpec& spec_;
  const std::vector<Blow>& struck_;
  bool goesOn_;
  const AlgorithmDef& method_;
  std::string coordinator_;
  std::set<std::string> startedAgain_;
  std::map<std::string, std::vector<std::int64_t>> rounds_;
  Verdict verdict_;
};

}  // namespace

Verdict judge(const store::StoreReader& store, const run::RunOutcome& outcome, const RunSpec& spec, const std::vector<Blow>& struck, bool goesOn) { return Judge(store, outcome, spec, struck, goesOn).verdict(); }

}  // namespace paceline::tests

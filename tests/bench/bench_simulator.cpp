// How fast virtual time passes: a thousand workers on the quadratic objective, through the loops that real nodes run.
#include "engine/core/base/error.h"
#include "tests/bench/bench.h"
#include "tests/support/sim_run.h"

namespace paceline::bench {
namespace {

constexpr int kWorkers = 1000, kRounds = 100;

struct Cell {
  const char* algorithm;
  const char* aggregation;
  bool server;
};
constexpr Cell kCells[] = {{"asgd", "server", true}, {"ssgd", "server", true}, {"ssgd", "ring", false}, {"ssgd", "butterfly", false}};

}  // namespace

Result simulatorEvents() {
  Result result{.id = "simulator_events", .value = 0, .unit = "s", .target = 60, .higherIsBetter = false,
                .note = "the slowest of 1000 workers, 100 rounds, 12 elements: asgd and ssgd by a server, ssgd by a ring and a butterfly; inputs: "
                        "seconds, events (messages leaving and arriving, nodes waking) and rounds of a worker per second",
                .inputs = {}};
  for (const Cell& cell : kCells) {
    RunSpec spec = tests::clusterOf(cell.algorithm, kWorkers, cell.server ? 1 : 0);
    spec.aggregation.id = cell.aggregation;
    spec.algorithm.params.set("learning_rate", 1e-4);  // asynchronous gradients are a thousand updates old: larger steps diverge
    spec.stop.rounds = kRounds;
    spec.evaluate.everyRounds = 0;
    const double began = secondsNow();
    const tests::SimResult run = tests::runInSim(spec, tests::quadratic());
    const double took = secondsNow() - began;
    if (run.rounds(0).size() != kRounds) throw Error(Errc::kFormat, strCat("a simulated worker made ", run.rounds(0).size(), " rounds"));
    const std::string name = strCat(cell.algorithm, "_", cell.aggregation, "_");
    result.inputs.emplace_back(name + "s", took);
    result.inputs.emplace_back(name + "events_per_s", static_cast<double>(run.simulatedEvents) / took);
    result.inputs.emplace_back(name + "worker_rounds_per_s", kWorkers * kRounds / took);
    result.value = std::max(result.value, took);
  }
  return result;
}

}  // namespace paceline::bench

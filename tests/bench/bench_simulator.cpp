// How fast virtual time passes: a thousand workers, without learning and on the quadratic objective, through the loops that real nodes run.
#include <array>
#include <fstream>
#include <string>

#include "engine/core/base/error.h"
#include "engine/runtime/hollow_objective.h"
#include "tests/bench/bench.h"
#include "tests/support/sim_run.h"

namespace paceline::bench {
namespace {

struct Cell {
  const char* name;
  const char* algorithm;
  const char* aggregation;
  bool learns;
  int workers = 1000, rounds = 100;
};
constexpr int kMany = 100'000;  // of workers: the time and the memory of the whole are asked for
constexpr std::array<Cell, 7> kCells = {{{"ssgd", "ssgd", "server", false},
                                         {"asgd", "asgd", "server", false},
                                         {"ssgd_100000_workers", "ssgd", "server", false, kMany, 10},
                                         {"learning_ssgd", "ssgd", "server", true},
                                         {"learning_asgd", "asgd", "server", true},
                                         {"learning_ring", "ssgd", "ring", true},
                                         {"learning_butterfly", "ssgd", "butterfly", true}}};

RunSpec specOf(const Cell& cell) {
  RunSpec spec = tests::clusterOf(cell.algorithm, cell.workers, std::string(cell.aggregation) == "server" ? 1 : 0);
  spec.aggregation.id = cell.aggregation;
  spec.algorithm.params.set("learning_rate", 1e-4);  // asynchronous gradients are a thousand updates old: larger steps diverge
  spec.learn = cell.learns;
  spec.stop.rounds = cell.rounds;
  spec.evaluate.everyRounds = 0;
  return spec;
}

// The most memory that this process has had since it asked for that to be forgotten.
void forgetPeak() { std::ofstream("/proc/self/clear_refs") << 5; }
double peakMb() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (double kilobytes = 0; word == "VmHWM:" && status >> kilobytes) return kilobytes / 1000;
  return 0;
}

// Seconds. The records are made and handed out, and nobody keeps them.
double secondsOf(const Cell& cell) {
  const RunSpec spec = specOf(cell);
  const auto workers = static_cast<std::size_t>(cell.workers);
  const ObjectiveFactory logistic = hollowObjectives({{.name = "weight", .offset = 0, .size = 7840, .work = 7840}, {.name = "bias", .offset = 7840, .size = 10, .work = 10}},
                                                     {.samples = std::vector<std::size_t>(workers, 60), .batchSize = 4});
  std::int64_t rounds = 0;
  const double began = secondsNow();
  simulate(spec, cell.learns ? tests::quadratic() : logistic, [&](int, const Event& event) { rounds += std::holds_alternative<RoundRecord>(event) ? 1 : 0; });
  const double took = secondsNow() - began;
  if (rounds < static_cast<std::int64_t>(workers) * (cell.rounds - 1)) throw Error(Errc::kFormat, strCat("a simulation of ", cell.workers, " workers made ", rounds, " rounds"));
  return took;
}

}  // namespace

Result simulatorIterations() {
  Result result{.id = "simulator_iterations_per_s", .value = 0, .unit = "/s", .target = 200'000, .higherIsBetter = true,
                .note = "rounds of a worker per second: ssgd by a server without learning, 1000 workers, 100 rounds; inputs: the same of others and of 100 000 workers "
                        "and 10 rounds (as many as that take 30 s at most, and 4000 MB: its peak), and with learning of 12 elements",
                .inputs = {}};
  for (const Cell& cell : kCells) {
    forgetPeak();
    const double seconds = secondsOf(cell);
    result.inputs.emplace_back(cell.name, cell.workers * cell.rounds / seconds);
    if (cell.workers < kMany) continue;
    result.inputs.emplace_back(strCat(cell.name, "_s"), seconds);  // at most 30
    result.inputs.emplace_back(strCat(cell.name, "_mb"), peakMb());  // at most 4000
  }
  result.value = result.inputs.front().second;
  return result;
}

}  // namespace paceline::bench

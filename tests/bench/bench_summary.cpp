// What comparing many long runs takes: the table of their summaries and their accuracy figure, in a process of its own.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>

#include "app/cluster/hosts/host.h"
#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"
#include "storage/summary/summary.h"
#include "tests/bench/bench.h"
#include "tests/bench/temp_folder.h"

namespace paceline::bench {
namespace {

constexpr int kConfigurations = 50, kSeeds = 5, kEvaluations = 10'000;
constexpr double kTimeout = 300;

// One worker that evaluates after every round; times differ between seeds, as real ones do.
std::vector<StampedEvent> recordsOf(const std::string& run, Rng& rng) {
  std::vector<StampedEvent> events;
  double t = 0;
  for (int i = 1; i <= kEvaluations; ++i) {
    RoundRecord round;
    round.round = i, round.total = rng.uniform(0.2, 0.3), round.compute = 0.8 * round.total, round.evaluate = 0.1 * round.total;
    round.t = t += round.total;
    round.localSteps = 1, round.samples = 64, round.bytesSent = round.bytesReceived = 1'724'320, round.loss = 2.3 / i;
    events.push_back({run, "w0", 2 * i, round});
    EvaluationRecord evaluation{.round = i, .t = t - round.evaluate, .accuracy = 0.9 - 0.8 * std::exp(-i / 2000.0) + 0.02 * rng.normal(), .loss = 2.3 / std::sqrt(i)};
    evaluation.samples = 64 * i, evaluation.seconds = round.evaluate;
    events.push_back({run, "w0", 2 * i + 1, evaluation});
  }
  return events;
}

void storeRun(store::StoreWriter& store, int configuration, int seed) {
  const char* const algorithms[] = {"esync", "ssgd", "asgd", "dc_asgd", "local_sgd"};
  store::RunRow run;
  run.id = store::newRunId(), run.seed = static_cast<std::uint64_t>(seed), run.state = store::RunState::kFinished;
  run.algorithm = algorithms[configuration % 5], run.model = "lenet", run.dataset = "fashion_mnist", run.partition = "iid";
  run.name = strCat("big ", configuration, " seed ", seed), run.groupHash = strCat("g", configuration), run.configHash = strCat(run.groupHash, "s", seed);
  run.specText = strCat(R"({"algorithm": {"id": ")", run.algorithm, R"("}, "batch_size": )", 16 + configuration, R"(, "seed": )", seed, "}");
  store.together([&] {
    store.createRun(run, std::vector<store::NodeRow>{{.run = run.id, .id = "w0", .role = "worker", .host = "local", .device = "cpu", .rank = 0}});
    Rng rng = Rng::stream(1, "big store", static_cast<std::uint64_t>(configuration * kSeeds + seed));
    store.append(recordsOf(run.id, rng));
  });
}

struct Cost {
  double seconds = 0, megabytes = 0, amount = 0;
};

Cost costOf(const std::string& program, const std::string& store, const std::string& part) {
  const auto host = hosts::localHost();
  const auto process = host->start({std::filesystem::path(program).parent_path().string() + "/paceline-bench-summary", store, part});
  std::istringstream line(process->readLine(kTimeout).value_or(""));
  process->closeInput();
  const std::string errors = process->wait().errors;
  Cost cost;
  if (!(line >> cost.seconds >> cost.megabytes >> cost.amount)) throw Error(Errc::kFormat, strCat(part, " of a big store: ", errors));
  return cost;
}

struct Costs {
  std::vector<double> seconds, megabytes;
  std::vector<std::pair<std::string, double>> inputs;

  void input(const std::string& name, const Cost& cost) { inputs.insert(inputs.end(), {{name + "_s", cost.seconds}, {name + "_mb", cost.megabytes}}); }
};

Costs measuredCosts(const std::string& program) {
  const TempFolder folder{};
  const std::string path = folder.path + "/paceline.db";
  Costs costs;
  {
    store::StoreWriter store(path);
    for (int configuration = 0; configuration < kConfigurations; ++configuration)
      for (int seed = 1; seed <= kSeeds; ++seed) storeRun(store, configuration, seed);
    costs.input("from_records", costOf(program, path, "table_and_figure"));
    const std::vector<std::string> runs = summary::unsummarised(store);
    const double began = secondsNow();
    for (const std::string& run : runs) store.keepSummary(run, summary::summaryToKeep(store::StoreReader(path), run).value());
    costs.inputs.emplace_back("keeping_one_s", (secondsNow() - began) / static_cast<double>(runs.size()));
  }
  for (int turn = 0; turn < 3; ++turn) {
    const Cost cost = costOf(program, path, "table_and_figure");
    const double points = kConfigurations * kSeeds * kEvaluations;
    if (cost.amount < points) throw Error(Errc::kFormat, strCat("the figure has ", cost.amount, " points, not ", points));
    costs.seconds.push_back(cost.seconds), costs.megabytes.push_back(cost.megabytes);
  }
  costs.input("figure_csv", costOf(program, path, "figure_csv")), costs.input("summary_json", costOf(program, path, "json"));
  return costs;
}

}  // namespace

std::vector<Named> bigStore(const std::string& program) {
  const auto costs = std::make_shared<std::optional<Costs>>();  // measured once for both rows
  const auto measured = [program, costs]() -> const Costs& {
    if (!*costs) *costs = measuredCosts(program);
    return **costs;
  };
  const std::string what = "CSV of the summaries and accuracy figure (time, every point) of 250 finished runs with 10 000 rounds and evaluations, in a process of its own; "
                           "inputs: the same from the records, without kept summaries; keeping one; the documents with every point";
  return {{"summary_250_runs_s", [=] { return Result{.id = "summary_250_runs_s", .value = median(measured().seconds), .unit = "s", .target = 0.5, .higherIsBetter = false,
                                                     .note = what + "; median of 3", .inputs = measured().inputs}; }},
          {"summary_250_runs_mb", [=] { return Result{.id = "summary_250_runs_mb", .value = *std::ranges::max_element(measured().megabytes), .unit = "MB", .target = 200,
                                                      .higherIsBetter = false, .note = what + "; the highest peak of 3", .inputs = measured().inputs}; }}};
}

}  // namespace paceline::bench

// What a remedy gains: the simulator with the calibrated document against the calibrated changed one, nobody learns.
#include <algorithm>
#include <utility>

#include "app/why/why.h"

namespace paceline::why {
namespace {

constexpr int kDraws = 4;  // of the measured steps
constexpr std::int64_t kRounds = 24, kMostRounds = 400;

}  // namespace

// An evaluator takes no worker's time; without learning it has nothing to do.
RunSpec shortened(RunSpec spec, std::int64_t recorded) {
  const std::int64_t every = spec.evaluate.everyRounds;
  std::int64_t rounds = every > 0 ? (kRounds + every - 1) / every * every : kRounds;
  if (every > kMostRounds) rounds = every;
  if (recorded < every || every == 0) rounds = std::min(rounds, std::max<std::int64_t>(1, recorded));
  spec.stop = StopRules();
  spec.stop.rounds = rounds;
  spec.learn = false;
  spec.checkpointEveryRounds = 0;
  const std::size_t nodes = spec.nodes.size();
  std::erase_if(spec.nodes, [](const NodeSpec& node) { return node.role == Role::kEvaluator; });
  if (spec.nodes.size() < nodes) spec.evaluate = {.everyRounds = 0, .on = spec.evaluate.on, .source = "auto"};
  return spec;
}

Simulator briefly(const Explained& run, Simulator simulate) {
  std::int64_t recorded = 0;
  for (const store::RoundRow& row : run.data.rounds) recorded = std::max(recorded, row.record.round);
  return [recorded, simulate = std::move(simulate)](const RunSpec& spec) { return simulate(shortened(spec, recorded)); };
}

void predict(Diagnosis& diagnosis, const Explained& run, const Simulator& simulate) {
  const Simulator brief = briefly(run, simulate);
  std::vector<std::vector<double>> factors(diagnosis.causes.size());
  for (int draw = 0; draw <= kDraws; ++draw) {
    std::optional<Calibration> before;
    double rate = 0;
    for (std::size_t i = 0; i < diagnosis.causes.size(); ++i) {
      Cause& cause = diagnosis.causes[i];
      if (!cause.remedy || cause.kind == Kind::kStaleness || !cause.unpredicted.empty()) continue;
      const auto& change = cause.remedy->calibrated ? cause.remedy->calibrated : cause.remedy->change;
      if (!change) continue;
      try {
        if (!before) before = calibrated(run, brief, draw), before->spec.seed += static_cast<std::uint64_t>(draw), rate = samplesPerSecond(brief(before->spec));
        RunSpec after = before->spec;
        change(after);
        factors[i].push_back(samplesPerSecond(brief(after)) / rate);
      } catch (const Error& error) {
        cause.unpredicted = error.what();
      }
    }
  }
  for (std::size_t i = 0; i < factors.size(); ++i) {
    if (factors[i].empty() || !diagnosis.causes[i].unpredicted.empty()) continue;
    const auto [low, high] = std::ranges::minmax(factors[i]);
    diagnosis.causes[i].gain = {.factor = factors[i].front(), .low = low, .high = high};
  }
}

}  // namespace paceline::why

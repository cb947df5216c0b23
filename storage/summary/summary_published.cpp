#include <cmath>

#include "engine/core/json/json_text.h"
#include "storage/summary/summary_curves.h"
#include "storage/summary/table_text.h"

namespace paceline::summary {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kResnet18Mib = 42.6;  // drawer.py's, for every model
constexpr double kMib = 1024.0 * 1024.0;

// One way, one worker, MiB: drawer.py's constant for ResNet-18 and whatever came from ESync, else 4 * parameters / 2^20 where the run's versions say
// "parameters"; NaN when they do not.
double modelMib(const store::RunRow& run) {
  if (run.source.starts_with("esync") || run.model == "resnet18_v1") return kResnet18Mib;
  const Json versions = Json::parse(run.versions, nullptr, false);
  const auto parameters = versions.is_object() ? numberFromJson(versions.value("parameters", Json())) : std::nullopt;
  return parameters ? 4.0 * *parameters / kMib : kNone;
}

double lastElapsed(const WorkerRounds& rounds) { return rounds.empty() ? 0 : publishedElapsed(rounds.back()->t); }

double truncatedRatio(double amount, double seconds) { return seconds > 0 ? std::trunc(amount / seconds) : kNone; }

}  // namespace

double publishedElapsed(double totalTime) { return std::nearbyint(totalTime); }

double publishedAggregate(const RoundRecord& round) { return rounded(round.send + round.wait + round.receive, 4); }

bool publishedAccuracy(const store::RunRow& run, double accuracy) {
  return std::isfinite(accuracy) && (accuracy != 0 || run.source == "esync summary");
}

double publishedComputingRatio(const WorkerRounds& rounds) {
  double aggregate = 0;
  for (const RoundRecord* round : rounds) aggregate += publishedAggregate(*round);
  const double elapsed = lastElapsed(rounds);
  return elapsed > 0 ? 1 - aggregate / elapsed : kNone;
}

double publishedThroughput(const CurveInput& input) {
  if (input.workers.empty()) return kNone;
  double samples = 0;
  for (const WorkerRounds& rounds : input.rounds)
    for (const RoundRecord* round : rounds) samples += static_cast<double>(round->samples);
  return truncatedRatio(samples, lastElapsed(input.rounds[0]));
}

double publishedTraffic(const CurveInput& input, std::int64_t accuracies) {
  if (input.data.run.algorithm == "standalone") return 0;
  if (input.workers.empty()) return kNone;
  const double mib = modelMib(input.data.run);
  if (std::isnan(mib)) return kNone;
  if (input.data.run.algorithm == "esync" || input.data.run.algorithm == "ssgd") {
    const auto messages = static_cast<double>(accuracies) * static_cast<double>(input.workers.size());
    return truncatedRatio(messages * mib, lastElapsed(input.rounds[input.evaluator]));
  }
  std::size_t iterations = 0;
  for (const WorkerRounds& rounds : input.rounds) iterations += rounds.size();
  return truncatedRatio(static_cast<double>(iterations) * mib, lastElapsed(input.rounds[0]));
}

}  // namespace paceline::summary

#include "app/search/trial.h"

#include <algorithm>
#include <cmath>

#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
#include "engine/core/spec/varied_values.h"

namespace paceline::search {
namespace {

std::optional<double> goalAccuracy(SearchGoal goal, const Measure& measure) { return goal == SearchGoal::kAccuracyLast ? measure.accuracyLast : measure.accuracyBest; }

std::string percentText(double fraction) { return boundText(roundedTo(100 * fraction, 3)) + " %"; }

}  // namespace

Score scoreOf(SearchGoal goal, std::span<const Measure> seeds) {
  const auto count = static_cast<double>(std::max<std::size_t>(seeds.size(), 1));
  double seconds = 0, accuracy = 0, rate = 0;
  bool reached = !seeds.empty(), known = !seeds.empty();
  for (const Measure& seed : seeds) {
    reached = reached && seed.secondsToTarget.has_value();
    known = known && goalAccuracy(goal, seed).has_value();
    seconds += seed.secondsToTarget.value_or(0), accuracy += goalAccuracy(goal, seed).value_or(0), rate += seed.samplesPerSecond;
  }
  if (goal == SearchGoal::kSamplesPerSecond) return {.reached = !seeds.empty(), .value = rate / count};
  if (goal == SearchGoal::kTimeToTarget && reached) return {.reached = true, .value = -seconds / count};
  return {.reached = goal != SearchGoal::kTimeToTarget && known, .value = accuracy / count};
}

std::string scoreText(const SearchSpace& space, std::span<const Measure> seeds) {
  if (seeds.empty()) return "";
  const SearchGoal goal = space.spec().goal;
  const Score score = scoreOf(goal, seeds);
  if (goal == SearchGoal::kSamplesPerSecond) return boundText(roundedTo(score.value, 4)) + " samples/s";
  if (goal == SearchGoal::kTimeToTarget && score.reached) return strCat(percentText(space.target()), " after ", boundText(roundedTo(-score.value, 3)), " s");
  if (goal == SearchGoal::kTimeToTarget) return strCat(percentText(score.value), ", ", percentText(space.target()), " not reached");
  return score.reached ? percentText(score.value) : "no accuracy";
}

bool isOpen(const Trial& trial) {
  return trial.state == TrialState::kGoing || std::ranges::any_of(trial.runs, [](const TrialRun& run) { return !run.ended; });
}

std::vector<Measure> endsOf(const Trial& trial) {
  std::vector<Measure> ends;
  for (const TrialRun& run : trial.runs)
    if (run.end) ends.push_back(*run.end);
  return ends;
}

std::vector<Measure> atRung(const Trial& trial, std::size_t rung) {
  std::vector<Measure> measures;
  for (const TrialRun& run : trial.runs)
    if (rung < run.rungs.size()) measures.push_back(run.rungs[rung]);
  return measures;
}

}  // namespace paceline::search

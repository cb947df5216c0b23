// A point that was tried, and what its runs gave. Values; kept in the store as JSON.
#pragma once

#include <compare>
#include <span>

#include "engine/core/json/fields.h"
#include "engine/core/spec/search.h"

namespace paceline::search {

struct Measure {  // of one run, at a rung or at its end
  std::optional<double> accuracyLast{}, accuracyBest{};  // nullopt: nothing was evaluated, or what came was no number
  std::optional<double> secondsToTarget{};             // nullopt: not reached
  double samplesPerSecond = 0;
  bool operator==(const Measure&) const = default;
};

// What is better is larger. A run that has not reached the target is below all that have, and counts by its best accuracy; one without any evaluation by 0.
struct Score {
  bool reached = false;
  double value = 0;
  auto operator<=>(const Score&) const = default;
};
Score scoreOf(SearchGoal goal, std::span<const Measure> seeds);  // by their mean; not reached where one has not
std::string scoreText(const SearchSpace& space, std::span<const Measure> seeds);  // "80 % after 12.3 s", "62.1 %, 80 % not reached", "2760 samples/s"

enum class TrialState { kGoing, kDone, kGivenUp, kFailed, kDropped };  // Written to disk as words; append only. kDropped: a person stopped one of its runs
constexpr std::array<const char*, 5> wordsOf(TrialState) { return {"going", "done", "given up", "failed", "dropped"}; }

struct TrialRun {
  std::string run{};           // id
  double seconds = 0;          // that it took, while it is under way 0
  bool ended = false;
  std::vector<Measure> rungs{};  // in their order, as far as it came
  std::optional<Measure> end{};  // of a run that finished
};

struct Trial {
  SearchPoint at;
  std::string why{};           // it is tried: a sentence
  TrialState state = TrialState::kGoing;
  std::string note{};          // given up, failed, dropped: why
  std::vector<TrialRun> runs{};  // one a seed, in their order
};

void describe(auto& visit, Measure& measure) {
  visit(Field{"accuracy_last"}, measure.accuracyLast);
  visit(Field{"accuracy_best"}, measure.accuracyBest);
  visit(Field{"time_to_target_s"}, measure.secondsToTarget);
  visit(Field{"samples_per_s"}, measure.samplesPerSecond);
}
void describe(auto& visit, TrialRun& run) {
  visit(Field{"run"}, run.run);
  visit(Field{"seconds"}, run.seconds);
  visit(Field{"ended"}, run.ended);
  visit(Field{"rungs"}, run.rungs);
  visit(Field{"end"}, run.end);
}
void describe(auto& visit, Trial& trial) {
  visit(Field{"at"}, trial.at);
  visit(Field{"why"}, trial.why);
  visit(Field{"state"}, trial.state);
  visit(Field{"note"}, trial.note);
  visit(Field{"runs"}, trial.runs);
}

bool isOpen(const Trial& trial);                           // going, or one of its runs is still being stopped
std::vector<Measure> endsOf(const Trial& trial);           // of its runs that finished
std::vector<Measure> atRung(const Trial& trial, std::size_t rung);  // of its runs that came there

}  // namespace paceline::search

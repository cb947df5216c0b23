// The course of a search: what to do next, which run is given up, what came out. Pure: a function of the space, the trials and the minutes that were used, so that whoever
// has these goes on where another left.
//
// A point that begins sees those trials only that are `at_once` or more before it, all of which have ended by then: what is chosen does not depend on who is faster.
//
// Rungs (asynchronous successive halving, Li et al. 2020, in its stopping form; successive halving: Jamieson and Talwalkar 2016): a run that comes to rung
// first * eta^k goes on where it is among the best floor(n / eta) of the n trials that came there and that it sees, itself among them. While n < eta it goes on. Nothing is
// promoted later, so no checkpoint is needed.
#pragma once

#include "app/search/method.h"
#include "app/search/trial.h"

namespace paceline::search {

struct Step {
  enum class Kind { kWait, kPoint, kSeed, kCut, kEnd } kind = Kind::kWait;
  Proposal point{};       // kPoint: a new trial
  std::size_t trial = 0;  // kSeed: its next run begins. kCut: it is given up, for the budget is used up
  std::string sentence{};  // kCut, kEnd: why
};
// Ask again after each change. minutes: that all runs took, those under way among them.
Step nextStep(const SearchSpace& space, const std::vector<Trial>& trials, double minutes);

// By the number of the trial that begins: the trials that it sees as its history.
History historyOf(const SearchSpace& space, const std::vector<Trial>& trials, std::size_t beginning);

double rungAt(const SearchHalving& halving, std::size_t rung);  // rounds or seconds
// A run of trials[trial] came to a rung, and its measure is there. "": it goes on; else why the trial is given up.
std::string judged(const SearchSpace& space, const std::vector<Trial>& trials, std::size_t trial, std::size_t rung);

enum class RunEnd { kFinished, kFailed, kStopped };
// A run of the trial has ended. measure: of one that finished.
void takeEnd(const SearchSpace& space, Trial& trial, const std::string& run, RunEnd end, const std::optional<Measure>& measure, const std::string& text, double seconds);

std::optional<std::size_t> bestOf(const SearchSpace& space, const std::vector<Trial>& trials);  // of those that are done
// "The best of 20 points is learning_rate 0.031: 84.1 %. 12 were stopped early, 1 failed; 20 runs took 14 min."
std::string resultText(const SearchSpace& space, const std::vector<Trial>& trials, const std::string& ending);

}  // namespace paceline::search

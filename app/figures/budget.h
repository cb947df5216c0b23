// Runs of unequal length beside each other: all cut to one time, number of rounds or samples, or traffic, so that none is ahead because it trained for longer. Pure.
#pragma once

#include <optional>
#include <string>

#include "app/figures/figure.h"

namespace paceline {

struct Budget {
  XAxis of = XAxis::kTime;         // not epochs: what one is differs between runs
  std::optional<double> amount{};  // seconds, rounds, samples or bytes; nullopt: as much as all runs have
};

inline constexpr const char* kCutHelp = "no evaluations behind a budget: time, rounds, samples or bytes as far as all runs go, or rounds=200, time=60 (seconds)";
// "time", "rounds=200", "samples=1e6", "bytes=5e8". Throws Error{kUsage} naming what is wrong.
Budget budgetFrom(const std::string& text);

summary::Details detailsFor(const Budget& budget);  // that a summary must have to be cut

struct Cut {
  Summaries runs;
  std::string note;  // "cut to 120 s, as long as all runs are"
};
// Evaluations behind the budget are gone, and what followed from them: best and last accuracy, time to target. Rates stay those of the whole run.
Cut cutTo(Summaries runs, const Budget& budget);

}  // namespace paceline

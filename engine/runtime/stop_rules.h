// The end of a run. Pure; asked by the coordinator at the end of each of its rounds.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/core/spec/run_spec.h"

namespace paceline {

// On the wire (kStop, kBye); append only.
enum class StopReason : std::uint8_t { kRounds, kSeconds, kSamples, kAccuracy, kAsked };
const char* stopReasonName(StopReason reason);  // "rounds", "seconds", ...

struct RunSoFar {
  std::int64_t rounds = 0;         // of the coordinator
  double seconds = 0;              // since its first round began
  std::int64_t samples = 0;        // of all workers, as far as they have told
  std::optional<double> accuracy;  // of this round's evaluation
  bool asked = false;
};

// Where several rules are met, the first of: accuracy, rounds, samples, seconds, asked.
std::optional<StopReason> reasonToStop(const StopRules& rules, const RunSoFar& soFar);

}  // namespace paceline

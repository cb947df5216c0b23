#include "engine/runtime/stop_rules.h"

namespace paceline {

const char* stopReasonName(StopReason reason) {
  switch (reason) {
    case StopReason::kRounds:
      return "rounds";
    case StopReason::kSeconds:
      return "seconds";
    case StopReason::kSamples:
      return "samples";
    case StopReason::kAccuracy:
      return "accuracy";
    case StopReason::kAsked:
      break;
  }
  return "asked";
}

std::optional<StopReason> reasonToStop(const StopRules& rules, const RunSoFar& soFar) {
  if (rules.accuracy && soFar.accuracy && *soFar.accuracy >= *rules.accuracy) return StopReason::kAccuracy;
  if (rules.rounds && soFar.rounds >= *rules.rounds) return StopReason::kRounds;
  if (rules.samples && soFar.samples >= *rules.samples) return StopReason::kSamples;
  if (rules.seconds && soFar.seconds >= *rules.seconds) return StopReason::kSeconds;
  if (soFar.asked) return StopReason::kAsked;
  return std::nullopt;
}

}  // namespace paceline

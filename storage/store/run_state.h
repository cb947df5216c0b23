// The life of a run. Written to disk as words; append only.
#pragma once

#include <optional>
#include <string_view>

namespace paceline::store {

enum class RunState { kDraft, kChecking, kDeploying, kStarting, kRunning, kStopping, kFinished, kStopped, kFailed, kStale, kImported };

const char* stateName(RunState state);  // "draft", "checking", ...
std::optional<RunState> stateFromName(std::string_view name);
inline bool isEnded(RunState s) {
  return s == RunState::kFinished || s == RunState::kStopped || s == RunState::kFailed || s == RunState::kImported;
}

}  // namespace paceline::store

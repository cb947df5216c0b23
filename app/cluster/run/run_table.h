// The life of a run as a pure table: next(state, event), one test per cell. The controller only executes what it says.
#pragma once

#include <optional>

#include "storage/store/run_state.h"

namespace paceline::run {

enum class RunEvent {
  kSubmit,        // draft -> checking
  kChecked,       // checking -> deploying
  kDeployed,      // deploying -> starting
  kAllListening,  // starting -> running
  kStopAsked,
  kAllEnded,      // every node ended in order
  kFailure,       // a node failed, a check failed, a host refused
  kHostLost,      // cannot be reached: stale
  kHostBack,
};

std::optional<store::RunState> next(store::RunState state, RunEvent event);  // nullopt: cannot happen here; the caller reports a bug

}  // namespace paceline::run

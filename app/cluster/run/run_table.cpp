#include "app/cluster/run/run_table.h"

namespace paceline::run {
namespace {

using S = store::RunState;
using E = RunEvent;

std::optional<store::RunState> whileUnderWay(RunEvent event) {
  if (event == E::kStopAsked) return S::kStopping;
  if (event == E::kFailure) return S::kFailed;
  return std::nullopt;
}

std::optional<store::RunState> beforeNodes(RunEvent event, RunEvent done, store::RunState then) {
  if (event == done) return then;
  if (event == E::kHostLost) return S::kFailed;  // nothing runs there yet that could be picked up again
  return whileUnderWay(event);
}

}  // namespace

std::optional<store::RunState> next(store::RunState state, RunEvent event) {
  switch (state) {
    case S::kDraft:
      return event == E::kSubmit ? std::optional(S::kChecking) : std::nullopt;
    case S::kChecking:
      return beforeNodes(event, E::kChecked, S::kDeploying);
    case S::kDeploying:
      return beforeNodes(event, E::kDeployed, S::kStarting);
    case S::kStarting:
      if (event == E::kAllListening) return S::kRunning;
      if (event == E::kHostLost) return S::kStale;
      return whileUnderWay(event);
    case S::kRunning:
      if (event == E::kAllEnded) return S::kFinished;
      if (event == E::kHostLost) return S::kStale;
      return whileUnderWay(event);
    case S::kStopping:
      if (event == E::kAllEnded) return S::kStopped;
      if (event == E::kHostLost) return S::kStale;
      return whileUnderWay(event);
    case S::kStale:
      if (event == E::kHostBack) return S::kRunning;
      if (event == E::kHostLost) return S::kStale;
      return whileUnderWay(event);
    case S::kFinished:
    case S::kStopped:
    case S::kFailed:
    case S::kImported:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace paceline::run

#include "app/cluster/run/run_life.h"

#include <gtest/gtest.h>

#include <map>

namespace paceline::tests {
namespace {

using S = store::RunState;
using E = run::RunEvent;

constexpr S kStates[] = {S::kDraft,    S::kChecking, S::kDeploying, S::kStarting, S::kRunning, S::kStopping,
                         S::kFinished, S::kStopped,  S::kFailed,    S::kStale,    S::kImported};
constexpr E kEvents[] = {E::kChecked,  E::kDeployed, E::kAllListening, E::kStopAsked,
                         E::kAllEnded, E::kAllStopped, E::kFailure, E::kHostLost, E::kHostBack};

// The whole table, written out; a cell that is not here cannot happen.
const std::map<std::pair<S, E>, S> kTable = {
    {{S::kChecking, E::kChecked}, S::kDeploying},
    {{S::kChecking, E::kStopAsked}, S::kStopping},
    {{S::kChecking, E::kFailure}, S::kFailed},
    {{S::kChecking, E::kHostLost}, S::kFailed},
    {{S::kDeploying, E::kDeployed}, S::kStarting},
    {{S::kDeploying, E::kStopAsked}, S::kStopping},
    {{S::kDeploying, E::kFailure}, S::kFailed},
    {{S::kDeploying, E::kHostLost}, S::kFailed},
    {{S::kStarting, E::kAllListening}, S::kRunning},
    {{S::kStarting, E::kStopAsked}, S::kStopping},
    {{S::kStarting, E::kFailure}, S::kFailed},
    {{S::kStarting, E::kHostLost}, S::kStale},
    {{S::kRunning, E::kAllEnded}, S::kFinished},
    {{S::kRunning, E::kStopAsked}, S::kStopping},
    {{S::kRunning, E::kFailure}, S::kFailed},
    {{S::kRunning, E::kHostLost}, S::kStale},
    {{S::kStopping, E::kAllEnded}, S::kFinished},
    {{S::kStale, E::kAllEnded}, S::kFinished},
    {{S::kStopping, E::kAllStopped}, S::kStopped},
    {{S::kStopping, E::kStopAsked}, S::kStopping},
    {{S::kStopping, E::kFailure}, S::kFailed},
    {{S::kStopping, E::kHostLost}, S::kStale},
    {{S::kStale, E::kHostBack}, S::kRunning},
    {{S::kStale, E::kHostLost}, S::kStale},
    {{S::kStale, E::kStopAsked}, S::kStopping},
    {{S::kStale, E::kFailure}, S::kFailed},
};

class Cell : public ::testing::TestWithParam<std::tuple<S, E>> {};

TEST_P(Cell, IsAsWrittenOut) {
  const auto [state, event] = GetParam();
  const auto expected = kTable.find({state, event});
  EXPECT_EQ(run::next(state, event), expected == kTable.end() ? std::nullopt : std::optional(expected->second));
}

std::string cellName(const ::testing::TestParamInfo<std::tuple<S, E>>& cell) {
  static const char* const kNames[] = {"Checked", "Deployed", "AllListening", "StopAsked", "AllEnded", "AllStopped", "Failure", "HostLost", "HostBack"};
  return std::string(store::stateName(std::get<0>(cell.param))) + kNames[static_cast<std::size_t>(std::get<1>(cell.param))];
}

INSTANTIATE_TEST_SUITE_P(RunTable, Cell, ::testing::Combine(::testing::ValuesIn(kStates), ::testing::ValuesIn(kEvents)), cellName);

TEST(RunTable, EndedStatesStay) {
  for (const S state : kStates)
    for (const E event : kEvents)
      if (store::isEnded(state)) {
        EXPECT_EQ(run::next(state, event), std::nullopt);
      }
}

}  // namespace
}  // namespace paceline::tests

// A recorder and its client, and the recorder and its hosts, with every call of their sockets failing in both.
#include <gmock/gmock.h>

#include "engine/core/base/error.h"
#include "tests/recorder/recorder_fixture.h"
#include "tests/support/socket_walk.h"

namespace paceline::tests {
namespace {

using recorder::Client;

class FailingSocketsOfRecorder : public RecorderTest {
 protected:
  void SetUp() override {
    if (!SocketFaults::possible()) GTEST_SKIP() << "a sanitizer stands where the faults would";
  }
};

TEST_F(FailingSocketsOfRecorder, EveryRecordOfARunIsStoredOnceWhicheverCallFails) {
  SocketFaults faults({.allThreads = true});
  const auto serving = serve();
  int made = 0;
  std::size_t submitted = 0;
  std::string run;
  const auto action = [&] {
    run.clear();
    Client desk = client();
    run = desk.submit(submission({FleetTest::spec(20)}))[0].run;
    ++submitted;
    allEnded(desk);
  };
  const auto look = [&](const std::vector<SocketFaultHit>& hits, const std::string& where, const std::string& sentence) {
    made += static_cast<int>(hits.size());
    EXPECT_EQ(store::StoreReader(storePath()).runs().size(), submitted) << where;
    const auto done = run.empty() ? std::nullopt : store::StoreReader(storePath()).find(run);
    if (done && done->state == store::RunState::kFinished) return expectAllRoundsOnce(run, 20);
    EXPECT_FALSE(sentence.empty() && (!done || done->error.empty())) << where;
    action();
    EXPECT_EQ(row(run).state, store::RunState::kFinished) << row(run).error << " after " << where;
    expectAllRoundsOnce(run, 20);
  };
  EXPECT_EQ(failEverySocketCall(faults, action, look), made);
  EXPECT_GE(made, 40);
  expectNothingLeftOn({"a", "b"});
}

}  // namespace
}  // namespace paceline::tests

#include "app/cluster/run/recorder.h"

#include <gmock/gmock.h>

#include <atomic>

#include "engine/core/base/error.h"
#include "tests/cluster/cluster_fixture.h"

namespace paceline::tests {
namespace {

class Recorder_ : public ClusterTest {
 protected:
  static void create(run::Recorder& recorder, const std::string& run) {
    store::RunRow row;
    row.id = run;
    row.state = store::RunState::kRunning;
    recorder.withWriter([&](store::StoreWriter& store) { store.createRun(row, std::vector<store::NodeRow>{{.run = run, .id = "w0", .role = "worker", .host = "local", .device = "cpu"}}); });
  }
  static StampedEvent round(const std::string& run, std::int64_t number) {
    RoundRecord record;
    record.round = number;
    return {.run = run, .node = "w0", .seq = number, .event = record};
  }
};

TEST_F(Recorder_, WhatWasHandedOverIsThereAfterFlush) {
  run::Recorder recorder(storePath());
  create(recorder, "r");
  for (int i = 1; i <= 5000; ++i) recorder.append(round("r", i));
  recorder.flush();
  EXPECT_EQ(roundsOf("r", "w0").size(), 5000U);
}

TEST_F(Recorder_, ClosingWritesWhatIsQueued) {
  {
    run::Recorder recorder(storePath());
    create(recorder, "r");
    for (int i = 1; i <= 100; ++i) recorder.append(round("r", i));
  }
  EXPECT_EQ(roundsOf("r", "w0").size(), 100U);
}

TEST_F(Recorder_, WorkSeesWhatWasQueuedBeforeItAndPassesItsErrorsOn) {
  run::Recorder recorder(storePath());
  create(recorder, "r");
  for (int i = 1; i <= 10; ++i) recorder.append(round("r", i));
  EXPECT_EQ(recorder.withWriter([](store::StoreWriter& store) { return store.lastSeq("r", "w0"); }), 10);
  EXPECT_THROW(recorder.withWriter([](store::StoreWriter& store) { store.setState("none", store::RunState::kFailed); }), Error);
  recorder.flush();
}

TEST_F(Recorder_, OnlyOneWritesAStore) {
  const run::Recorder first(storePath());
  try {
    run::Recorder second(storePath());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kLocked);
  }
}

TEST_F(Recorder_, AnEventThatCannotBeStoredIsToldAndTheOthersAreKept) {
  std::atomic<int> told = 0;
  run::Recorder recorder(storePath(), [&](const std::string&) { ++told; });
  create(recorder, "r");
  recorder.append(round("r", 1));
  recorder.append(round("no such run", 1));
  recorder.append(round("r", 2));
  EXPECT_THROW(recorder.flush(), Error);
  EXPECT_EQ(told, 1);
  recorder.flush();
  EXPECT_EQ(roundsOf("r", "w0"), (std::vector<std::int64_t>{1, 2}));
}

TEST_F(Recorder_, AnErrorIsThatOfItsRunAlone) {
  run::Recorder recorder(storePath());
  create(recorder, "r");
  recorder.append(round("no such run", 1));
  recorder.append(round("r", 1));
  recorder.flush("r");
  EXPECT_THROW(recorder.flush("no such run"), Error);
  recorder.flush("no such run");  // told once
  EXPECT_EQ(roundsOf("r", "w0").size(), 1U);
}

TEST_F(Recorder_, AStateThatFoundNoSpaceIsWrittenWhenThereIsRoom) {
  const std::string disk = smallDisk(folder_ / "store");
  if (disk.empty()) GTEST_SKIP() << "this user cannot mount a small file system";
  run::Recorder recorder(storePath());
  create(recorder, "r");
  fillDisk(disk);
  for (int i = 1; i <= 3000; ++i) recorder.append(round("r", i));  // until the last page is taken
  EXPECT_THROW(recorder.flush("r"), Error);
  recorder.setState("r", store::RunState::kStopping);
  recorder.setState("r", store::RunState::kFailed, "no space left", "failure");
  EXPECT_EQ(row("r").state, store::RunState::kRunning);
  EXPECT_THROW(recorder.flush("r"), Error);
  std::filesystem::remove(disk + "/filler");
  while (row("r").state != store::RunState::kFailed) std::this_thread::yield();
  EXPECT_EQ(row("r").error, "no space left");
  EXPECT_EQ(roundsOf("r", "w0").size(), 3000U);
  recorder.flush("r");  // nothing was lost, so nothing is wrong
}

TEST_F(Recorder_, AFullDiskIsToldAndTheRecordsWait) {
  const std::string disk = smallDisk(folder_ / "store");
  if (disk.empty()) GTEST_SKIP() << "this user cannot mount a small file system";
  std::atomic<int> told = 0;
  run::Recorder recorder(storePath(), [&](const std::string&) { ++told; });
  create(recorder, "r");
  fillDisk(disk);
  for (int i = 1; i <= 3000; ++i) recorder.append(round("r", i));
  try {
    recorder.flush();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kNoSpace);
  }
  EXPECT_GE(told, 1);
  std::filesystem::remove(disk + "/filler");
  while (roundsOf("r", "w0").size() < 3000U) {
    try {
      recorder.flush();
    } catch (const Error&) {  // it may have tried again before there was room
    }
  }
  EXPECT_EQ(roundsOf("r", "w0").size(), 3000U);
}

}  // namespace
}  // namespace paceline::tests

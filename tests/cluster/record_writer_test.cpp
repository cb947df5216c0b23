#include "app/cluster/run/record_writer.h"

#include <gmock/gmock.h>

#include <atomic>

#include "engine/core/base/error.h"
#include "tests/cluster/cluster_fixture.h"

namespace paceline::tests {
namespace {

class RecordWriting : public ClusterTest {
 protected:
  static void create(run::RecordWriter& records, const std::string& run) {
    store::RunRow row;
    row.id = run;
    row.state = store::RunState::kRunning;
    records.withWriter([&](store::StoreWriter& store) { store.createRun(row, std::vector<store::NodeRow>{{.run = run, .id = "w0", .role = "worker", .host = "local", .device = "cpu"}}); });
  }
  static StampedEvent round(const std::string& run, std::int64_t number) {
    RoundRecord record;
    record.round = number;
    return {.run = run, .node = "w0", .seq = number, .event = record};
  }
};

TEST_F(RecordWriting, WhatWasHandedOverIsThereAfterFlush) {
  run::RecordWriter records(storePath());
  create(records, "r");
  for (int i = 1; i <= 5000; ++i) records.append(round("r", i));
  records.flush();
  EXPECT_EQ(roundsOf("r", "w0").size(), 5000U);
}

TEST_F(RecordWriting, ClosingWritesWhatIsQueued) {
  {
    run::RecordWriter records(storePath());
    create(records, "r");
    for (int i = 1; i <= 100; ++i) records.append(round("r", i));
  }
  EXPECT_EQ(roundsOf("r", "w0").size(), 100U);
}

TEST_F(RecordWriting, WorkSeesWhatWasQueuedBeforeItAndPassesItsErrorsOn) {
  run::RecordWriter records(storePath());
  create(records, "r");
  for (int i = 1; i <= 10; ++i) records.append(round("r", i));
  EXPECT_EQ(records.withWriter([](store::StoreWriter& store) { return store.lastSeq("r", "w0"); }), 10);
  EXPECT_THROW(records.withWriter([](store::StoreWriter& store) { store.setState("none", store::RunState::kFailed); }), Error);
  records.flush();
}

TEST_F(RecordWriting, OnlyOneWritesAStore) {
  const run::RecordWriter first(storePath());
  try {
    run::RecordWriter second(storePath());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kLocked);
  }
}

TEST_F(RecordWriting, AnEventThatCannotBeStoredIsToldAndTheOthersAreKept) {
  std::atomic<int> told = 0;
  run::RecordWriter records(storePath(), [&](const std::string&) { ++told; });
  create(records, "r");
  records.append(round("r", 1));
  records.append(round("no such run", 1));
  records.append(round("r", 2));
  EXPECT_THROW(records.flush(), Error);
  EXPECT_EQ(told, 1);
  records.flush();
  EXPECT_EQ(roundsOf("r", "w0"), (std::vector<std::int64_t>{1, 2}));
}

TEST_F(RecordWriting, AnErrorIsThatOfItsRunAlone) {
  run::RecordWriter records(storePath());
  create(records, "r");
  records.append(round("no such run", 1));
  records.append(round("r", 1));
  records.flush("r");
  EXPECT_THROW(records.flush("no such run"), Error);
  records.flush("no such run");  // told once
  EXPECT_EQ(roundsOf("r", "w0").size(), 1U);
}

TEST_F(RecordWriting, AStateThatFoundNoSpaceIsWrittenWhenThereIsRoom) {
  const std::string disk = smallDisk(folder_ / "store");
  if (disk.empty()) GTEST_SKIP() << "this user cannot mount a small file system";
  run::RecordWriter records(storePath());
  create(records, "r");
  fillDisk(disk);
  for (int i = 1; i <= 3000; ++i) records.append(round("r", i));  // until the last page is taken
  EXPECT_THROW(records.flush("r"), Error);
  records.setState("r", store::RunState::kStopping);
  records.setState("r", store::RunState::kFailed, "no space left", "failure");
  EXPECT_EQ(row("r").state, store::RunState::kRunning);
  EXPECT_THROW(records.flush("r"), Error);
  std::filesystem::remove(disk + "/filler");
  while (row("r").state != store::RunState::kFailed) std::this_thread::yield();
  EXPECT_EQ(row("r").error, "no space left");
  EXPECT_EQ(roundsOf("r", "w0").size(), 3000U);
  records.flush("r");  // nothing was lost, so nothing is wrong
}

TEST_F(RecordWriting, AFullDiskIsToldAndTheRecordsWait) {
  const std::string disk = smallDisk(folder_ / "store");
  if (disk.empty()) GTEST_SKIP() << "this user cannot mount a small file system";
  std::atomic<int> told = 0;
  run::RecordWriter records(storePath(), [&](const std::string&) { ++told; });
  create(records, "r");
  fillDisk(disk);
  for (int i = 1; i <= 3000; ++i) records.append(round("r", i));
  try {
    records.flush();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kNoSpace);
  }
  EXPECT_GE(told, 1);
  std::filesystem::remove(disk + "/filler");
  while (roundsOf("r", "w0").size() < 3000U) {
    try {
      records.flush();
    } catch (const Error&) {  // it may have tried again before there was room
    }
  }
  EXPECT_EQ(roundsOf("r", "w0").size(), 3000U);
}

}  // namespace
}  // namespace paceline::tests

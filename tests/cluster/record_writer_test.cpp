#include "app/cluster/run/record_writer.h"

#include <gmock/gmock.h>

#include <atomic>
#include <future>
#include <thread>

#include "engine/core/base/error.h"
#include "storage/summary/summary.h"
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

// Asked on the writer's thread: what waits for it comes first, and a summary whenever nothing does.
TEST_F(RecordWriting, RunsThatHaveEndedAreSummarisedWhileNothingElseIsWritten) {
  {
    run::RecordWriter records(storePath());
    create(records, "before");
    records.append(round("before", 1));
    records.setState("before", store::RunState::kFinished);
  }
  run::RecordWriter records(storePath());
  create(records, "r"), create(records, "goes on");
  for (int i = 1; i <= 10; ++i) records.append(round("r", i));
  records.setState("r", store::RunState::kFinished);
  const auto unsummarised = [&records] { return records.withWriter([](store::StoreWriter& store) { return summary::unsummarised(store); }); };
  while (!unsummarised().empty()) std::this_thread::yield();
  const store::StoreReader store(storePath());
  for (const auto& [run, rounds] : {std::pair("before", 1), std::pair("r", 10)}) {
    const store::RunRow row = store.find(run).value();
    EXPECT_EQ(summary::summariesToJson({summary::summaryOf(store, row, summary::Details::all())}), summary::summariesToJson({summary::summarise(summary::loadRun(store, row))}));
    EXPECT_EQ(summary::summaryOf(store, row, {}).rounds, rounds);
  }
}

TEST_F(RecordWriting, WritesWhileASummaryIsMade) {
  std::promise<void> begun, written;
  {
    run::RecordWriter records(storePath(), {}, {.onSummary = [&](const std::string& run) {
      if (run != "ended") return;
      begun.set_value();
      written.get_future().wait();
    }});
    create(records, "ended"), create(records, "goes on");
    records.append(round("ended", 1));
    records.setState("ended", store::RunState::kFinished);
    begun.get_future().wait();
    records.append(round("goes on", 1));
    records.flush();
    EXPECT_EQ(roundsOf("goes on", "w0").size(), 1U);
    EXPECT_TRUE(records.summarises());
    written.set_value();
  }
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

// What is behind the last that the store got is not taken until somebody hands it over from there again.
TEST_F(RecordWriting, WhatIsMoreThanMayWaitIsMissedAndTakenAgain) {
  const std::string disk = smallDisk(folder_ / "store");
  if (disk.empty()) GTEST_SKIP() << "this user cannot mount a small file system";
  run::RecordWriter records(storePath(), {}, {.mostWaiting = 10});
  create(records, "r");
  fillDisk(disk);
  std::int64_t next = 1;
  for (bool full = false; !full; ) {
    for (int i = 0; i < 500; ++i) records.append(round("r", next++));
    try {
      records.flush("r");
    } catch (const store::Unavailable&) {
      full = true;
    }
  }
  for (int i = 0; i < 500; ++i) records.append(round("r", next++));
  makeRoom(disk);
  for (bool taken = false; !taken;) {
    try {
      records.flush("r");
      taken = true;
    } catch (const store::Unavailable&) {  // it may have tried before there was room
    }
  }
  EXPECT_TRUE(records.missed("r"));
  EXPECT_FALSE(records.missed("r"));
  const auto last = records.withWriter([](store::StoreWriter& store) { return store.lastSeq("r", "w0"); });
  EXPECT_EQ(static_cast<std::int64_t>(roundsOf("r", "w0").size()), last);  // no hole
  EXPECT_LT(last, next - 1);
  for (std::int64_t i = last + 1; i < next; ++i) records.append(round("r", i));
  records.flush("r");
  EXPECT_EQ(static_cast<std::int64_t>(roundsOf("r", "w0").size()), next - 1);
}

TEST_F(RecordWriting, AStoreThatIsDeletedIsToldAndIsBack) {
  std::atomic<int> over = 0;
  std::vector<std::string> told;  // by the writer's thread, which has ended when they are looked at
  {
    run::RecordWriter records(storePath(), [&](const std::string& text) { told.push_back(text); }, {.onRoom = [&] { ++over; }});
    create(records, "r");
    records.append(round("r", 1));
    records.flush("r");
    std::filesystem::remove(storePath());
    records.flush("r");  // nothing is forgotten on a host before this has looked
    EXPECT_EQ(roundsOf("r", "w0").size(), 1U);
    records.append(round("r", 2));
    records.flush("r");
    while (over == 0) std::this_thread::yield();
  }
  EXPECT_EQ(roundsOf("r", "w0"), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(told, std::vector<std::string>{storePath() + ": was deleted or replaced while it was in use; it is back, and nothing of it was lost"});
  EXPECT_EQ(over, 1);
}

TEST_F(RecordWriting, AStoreThatIsDeletedOnAFullDiskIsBackWhenThereIsRoom) {
  const std::string disk = smallDisk(folder_ / "store");
  if (disk.empty()) GTEST_SKIP() << "this user cannot mount a small file system";
  run::RecordWriter records(storePath());
  create(records, "r");
  records.append(round("r", 1));
  records.flush("r");
  fillDisk(disk);
  std::filesystem::remove(storePath());
  try {
    records.flush("r");
    ADD_FAILURE() << "it is back without room";
  } catch (const store::Unavailable& error) {
    EXPECT_EQ(error.code(), Errc::kNoSpace);
    EXPECT_NE(std::string(error.what()).find(storePath() + ": was deleted while it was in use, and cannot be put back yet: "), std::string::npos) << error.what();
  }
  records.setState("r", store::RunState::kFinished, "", "rounds");
  makeRoom(disk);
  while (!std::filesystem::exists(storePath()) || row("r").state != store::RunState::kFinished) std::this_thread::yield();
  EXPECT_EQ(roundsOf("r", "w0"), std::vector<std::int64_t>{1});
}

}  // namespace
}  // namespace paceline::tests

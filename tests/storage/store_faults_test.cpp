// Whichever call of the store to the disk fails, and whenever its program is killed: what was committed is there, once and whole, and what was refused is
// taken by the next try.
#include <gtest/gtest.h>

#include <memory>

#include "storage/store/schema.h"
#include "storage/store/sqlite.h"
#include "tests/storage/samples.h"
#include "tests/support/disk_faults.h"
#include "tests/support/sqlite_faults.h"

namespace paceline::tests {
namespace {

constexpr std::int64_t kKept = 40, kAll = 60;  // rounds that are there before, and after

std::vector<StampedEvent> rounds(std::int64_t first, std::int64_t last) {
  std::vector<StampedEvent> events;
  for (std::int64_t seq = first; seq <= last; ++seq) events.push_back(roundEvent("r1", "w0", seq));
  return events;
}

class StoreFaults : public ::testing::Test {
 protected:
  // A run with records, and one in the trash whose pages a purge gives back.
  void makePrepared() const {
    makeStoreWithRun(prepared_);
    store::StoreWriter writer(prepared_);
    writer.append(rounds(1, kKept));
    writer.createRun(makeRun("r2", "second", store::RunState::kFinished), std::vector{makeWorker("r2", "w0", 0)});
    std::vector<StampedEvent> many;
    for (std::int64_t seq = 1; seq <= 300; ++seq) many.push_back(roundEvent("r2", "w0", seq));
    writer.append(many);
    writer.trash("r2");
  }
  void prepare() const {
    if (!std::filesystem::exists(prepared_)) makePrepared();
    std::filesystem::remove_all(folder_.path());
    std::filesystem::create_directory(folder_.path());
    std::filesystem::copy_file(prepared_, path_);
  }

  // What a recorder does, each of it as often as it takes: a store that refuses is asked again, and opened again when it could not be opened.
  void work() {
    std::unique_ptr<store::StoreWriter> writer;
    insist([&] { writer = std::make_unique<store::StoreWriter>(path_); });
    insist([&] { writer->append(rounds(kKept + 1, kAll)); });
    insist([&] { writer->setText("r1", "new name", "", {}); });
    insist([&] {
      if (store::StoreReader(path_).find("r2")) writer->purge("r2");
    });
    insist([&] { writer->setState("r1", store::RunState::kFinished, "", "rounds"); });
  }
  template <class Act>
  void insist(const Act& act) {
    for (int tries = 0; tries < 3; ++tries) {
      try {
        return act();
      } catch (const Error& error) {
        refusals_.push_back({error.code(), error.what()});
      }
    }
    ADD_FAILURE() << "refused again and again: " << refusals_.back().second;
  }

  std::string integrity() const { return store::Database(path_, store::Database::Mode::kRead).text("PRAGMA integrity_check"); }
  void expectWhole(const std::string& where, std::int64_t atLeast) const {
    EXPECT_EQ(integrity(), "ok") << where;
    const store::StoreReader reader(path_);
    const auto rows = reader.rounds("r1");
    EXPECT_GE(rows.size(), static_cast<std::size_t>(atLeast)) << where;
    EXPECT_TRUE(rows.size() == kKept || rows.size() == kAll) << where << ": a batch was torn, " << rows.size();
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i].record, makeRound(static_cast<std::int64_t>(i + 1))) << where;
    const auto purged = reader.find("r2");
    EXPECT_TRUE(!purged || reader.rounds("r2").size() == 300) << where;
  }
  void expectAll(const std::string& where) const {
    expectWhole(where, kAll);
    const store::StoreReader reader(path_);
    EXPECT_EQ(reader.find("r1")->name, "new name") << where;
    EXPECT_EQ(reader.find("r1")->state, store::RunState::kFinished) << where;
    EXPECT_FALSE(reader.find("r2")) << where;
  }

  const SqliteFaults faults_;
  const TempFolder folder_{};
  const TempFolder other_{};
  const std::string path_ = folder_ / "store.db", prepared_ = other_ / "prepared.db";
  std::vector<std::pair<Errc, std::string>> refusals_;
};

TEST_F(StoreFaults, EachCallThatFailsIsToldAndTheNextTryIsTaken) {
  for (const int reason : {ENOSPC, EIO}) {
    int refused = 0;
    for (int at = 1;; ++at) {
      prepare();
      refusals_.clear();
      std::string hit;
      {
        const DiskFault fault(at, reason);
        work();
        hit = fault.hit();
      }
      const std::string where = strCat(hit, ", call ", at, ": ", std::strerror(reason));
      expectAll(where);
      EXPECT_LE(refusals_.size(), 1U) << where;
      for (const auto& [code, sentence] : refusals_) {
        EXPECT_EQ(code, reason == ENOSPC ? Errc::kNoSpace : Errc::kStore) << sentence << " at " << where;
        EXPECT_NE(sentence.find(path_), std::string::npos) << sentence;
        EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
      }
      refused += static_cast<int>(refusals_.size());
      if (!hit.empty()) continue;
      EXPECT_GT(at, 20) << "writes, synchronisations and truncations of the log and the file";
      EXPECT_GT(refused, 5);
      break;
    }
  }
}

TEST_F(StoreFaults, AKillBeforeEachCallLeavesWhatWasCommitted) {
  prepare();
  const int calls = killBeforeEveryCall([this] { work(); },
                                        [this](const std::string& where) {
                                          expectWhole(where, kKept);
                                          work();
                                          expectAll(where);
                                          prepare();
                                        });
  EXPECT_GT(calls, 20);
}

TEST_F(StoreFaults, ANewStoreIsMadeByTheNextTry) {
  for (const int reason : {ENOSPC, EIO})
    for (int at = 1;; ++at) {
      std::filesystem::remove_all(folder_.path());
      std::string hit;
      {
        const DiskFault fault(at, reason);
        insist([&] { makeStoreWithRun(path_); });
        hit = fault.hit();
      }
      EXPECT_EQ(integrity(), "ok") << hit << ", call " << at;
      EXPECT_EQ(store::StoreReader(path_).nodes("r1").size(), 2U) << hit << ", call " << at;
      if (hit.empty()) break;
    }
}

TEST_F(StoreFaults, AnOlderStoreIsUpgradedByTheNextTryAndItsCopyIsWhole) {
  const std::string rows = readText(PACELINE_SOURCE_DIR "/tests/storage/fixtures/store_v3.sql");
  for (const int reason : {ENOSPC, EIO})
    for (int at = 1;; ++at) {
      std::filesystem::remove_all(folder_.path());
      std::filesystem::create_directory(folder_.path());
      {
        store::Database old(path_, store::Database::Mode::kWrite);
        store::migrate(old, 3);
        old.execute(rows);
      }
      std::string hit;
      {
        const DiskFault fault(at, reason);
        insist([&] { const store::StoreWriter writer(path_); });
        hit = fault.hit();
      }
      EXPECT_EQ(integrity(), "ok") << hit << ", call " << at;
      EXPECT_EQ(store::StoreReader(path_).rounds(store::StoreReader(path_).find("kept")->id).size(), 1U) << hit << ", call " << at;
      store::Database copy(path_ + ".v3", store::Database::Mode::kRead);
      EXPECT_EQ(store::checkedVersion(copy), 3) << hit << ", call " << at;
      EXPECT_EQ(copy.text("PRAGMA integrity_check"), "ok") << hit << ", call " << at;
      EXPECT_EQ(copy.number("SELECT count(*) FROM round"), 1) << hit << ", call " << at;
      if (hit.empty()) break;
    }
}

}  // namespace
}  // namespace paceline::tests

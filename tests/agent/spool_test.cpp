#include "agent/supervisor/spool/spool.h"
#include "tests/support/disk_faults.h"
#include "tests/support/own_folder.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace paceline::tests {
namespace {

namespace fs = std::filesystem;

class SpoolTest : public ::testing::Test {
 protected:
  std::string bytes() const {
    std::ostringstream text;
    text << std::ifstream(path_, std::ios::binary).rdbuf();
    return text.str();
  }
  void write(const std::string& bytes) const { std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes; }
  static std::vector<std::string> payloads(const std::shared_ptr<spool::Spool>& spool, std::int64_t after = 0) {
    std::vector<std::string> found;
    spool::SpoolCursor cursor(spool, after);
    while (const auto record = cursor.next()) found.push_back(record->payload);
    return found;
  }

  const fs::path folder_ = ownFolder(), path_ = folder_ / "0.spool";
  const std::vector<std::string> five_{"{\"a\":1}", "{}", "{\"text\":\"two words\"}", "{\"b\":2}", "{\"c\":[1,2,3]}"};
};

TEST_F(SpoolTest, ReadsBackWhatWasAppended) {
  auto spool = std::make_shared<spool::Spool>(path_);
  for (std::size_t i = 0; i < five_.size(); ++i) EXPECT_EQ(spool->append(five_[i]), static_cast<std::int64_t>(i + 1));
  EXPECT_EQ(payloads(spool), five_);
  EXPECT_EQ(payloads(spool, 3), (std::vector<std::string>{five_[3], five_[4]}));
  const auto again = std::make_shared<spool::Spool>(path_);
  EXPECT_EQ(again->lastSeq(), 5);
  EXPECT_EQ(again->lastPayload(), five_[4]);
  EXPECT_EQ(again->cutBytes(), 0);
  EXPECT_EQ(payloads(again), five_);
}

TEST_F(SpoolTest, OfAnEarlierVersionIsReadToItsEndAndLeftAsItIs) {
  int spools = 0;
  for (const auto& kept : fs::recursive_directory_iterator(PACELINE_SOURCE_DIR "/tests/storage/fixtures/kept/runs")) {
    if (kept.path().extension() != ".spool") continue;
    fs::copy_file(kept.path(), path_, fs::copy_options::overwrite_existing);
    const std::string before = bytes();
    EXPECT_EQ(payloads(std::make_shared<spool::Spool>(path_.string())).size(), static_cast<std::size_t>(std::ranges::count(before, '\n'))) << kept.path();
    EXPECT_EQ(bytes(), before) << kept.path();
    ++spools;
  }
  EXPECT_EQ(spools, 4);
}

TEST_F(SpoolTest, EveryTruncationLeavesTheWholeRecords) {
  {
    spool::Spool spool(path_);
    for (const auto& payload : five_) spool.append(payload);
  }
  const std::string whole = bytes();
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    write(whole.substr(0, length));
    const auto records = static_cast<std::size_t>(std::count(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length), '\n'));
    const auto spool = std::make_shared<spool::Spool>(path_);
    EXPECT_EQ(spool->lastSeq(), static_cast<std::int64_t>(records)) << length;
    EXPECT_EQ(spool->endOffset() + spool->cutBytes(), static_cast<std::int64_t>(length));
    EXPECT_EQ(spool->append("{\"next\":true}"), static_cast<std::int64_t>(records + 1));
    std::vector<std::string> expected(five_.begin(), five_.begin() + static_cast<std::ptrdiff_t>(records));
    expected.push_back("{\"next\":true}");
    EXPECT_EQ(payloads(spool), expected) << length;
    EXPECT_EQ(payloads(std::make_shared<spool::Spool>(path_)), expected) << length;
  }
}

TEST_F(SpoolTest, EveryDamagedByteCutsItsRecordAndWhatFollows) {
  {
    spool::Spool spool(path_);
    for (const auto& payload : five_) spool.append(payload);
  }
  const std::string whole = bytes();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x15);
    write(damaged);
    const auto before = std::count(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    EXPECT_EQ(spool::Spool(path_).lastSeq(), before) << at;
  }
}

TEST_F(SpoolTest, NumbersMustGrow) {
  write(spool::Spool::encode(1, "{}") + spool::Spool::encode(2, "{}") + spool::Spool::encode(2, "{}") + spool::Spool::encode(3, "{}"));
  EXPECT_EQ(spool::Spool(path_).lastSeq(), 2);
}

TEST_F(SpoolTest, DoesNotUseNumbersAgainThatMayBeKnown) {
  spool::Spool spool(path_);
  spool.append("{}");
  spool.skipNumbers();
  EXPECT_GT(spool.append("{}"), 1000);
}

TEST_F(SpoolTest, CursorFollowsAGrowingSpool) {
  auto spool = std::make_shared<spool::Spool>(path_);
  spool::SpoolCursor cursor(spool, 0);
  EXPECT_FALSE(cursor.next());
  for (int i = 1; i <= 3000; ++i) {
    spool->append("{\"i\":" + std::to_string(i) + "}");
    const auto record = cursor.next();
    ASSERT_TRUE(record);
    EXPECT_EQ(record->seq, i);
    EXPECT_FALSE(cursor.next());
  }
  for (const std::int64_t after : {0, 1, 255, 256, 257, 511, 2999, 3000, 9999}) {
    spool::SpoolCursor other(spool, after);
    const auto record = other.next();
    ASSERT_EQ(record.has_value(), after < 3000);
    if (record) {
      EXPECT_EQ(record->seq, after + 1);
    }
  }
}

TEST_F(SpoolTest, LoadsGoBeforeRecordsAndRecordsBeforeTheEnd) {
  const auto budget = std::make_shared<spool::SpoolBudget>(spool::SpoolBudget{.limitBytes = 16'000});
  spool::Spool spool(path_, budget);
  const std::string payload(400, 'x');
  const auto fill = [&](spool::SpoolWeight weight) {
    std::int64_t taken = 0;
    while (spool.append(payload, weight) != 0) ++taken;
    return taken;
  };
  const std::int64_t loads = fill(spool::SpoolWeight::kLoad);
  EXPECT_LE(budget->usedBytes, 15'000 + 500);  // 15/16, and the line that says so
  EXPECT_GT(loads, 30);
  const std::int64_t records = fill(spool::SpoolWeight::kRecord);
  EXPECT_GE(records, 1);
  EXPECT_GT(spool.append("{\"kind\":\"exit\"}", spool::SpoolWeight::kVital), 0);
  EXPECT_NE(bytes().find("host load records are not kept from here on"), std::string::npos);
  EXPECT_NE(bytes().find("node records are not kept from here on"), std::string::npos);
}

TEST_F(SpoolTest, ABudgetIsSharedAndCountsWhatWasThere) {
  { spool::Spool(path_).append(std::string(1000, 'x')); }
  const auto budget = std::make_shared<spool::SpoolBudget>();
  spool::Spool first(path_, budget), second(path_.string() + "2", budget);
  const std::int64_t before = budget->usedBytes;
  EXPECT_GT(before, 1000);
  second.append(std::string(1000, 'x'));
  EXPECT_GT(budget->usedBytes, before + 1000);
}

TEST_F(SpoolTest, RecordsWaitInMemoryWhileTheDiskIsFull) {
  auto spool = std::make_shared<spool::Spool>(path_);
  spool->append(five_[0]);
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  rlimit full = before;
  full.rlim_cur = static_cast<rlim_t>(spool->endOffset() + 3);  // the next record is torn
  ::setrlimit(RLIMIT_FSIZE, &full);
  EXPECT_EQ(spool->append(five_[1]), 2);
  EXPECT_EQ(spool->append(five_[2]), 3);
  EXPECT_EQ(bytes(), spool::Spool::encode(1, five_[0]));
  spool::SpoolCursor early(spool, 1);
  EXPECT_EQ(early.next()->seq, 2);  // who follows does not notice
  EXPECT_TRUE(spool->pending());
  EXPECT_FALSE(spool->closeWriter());
  ::setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(spool->append(five_[3]), 4);
  EXPECT_EQ(early.next()->seq, 3);  // from the disk now
  EXPECT_EQ(early.next()->seq, 4);
  EXPECT_FALSE(early.next());
  EXPECT_EQ(payloads(std::make_shared<spool::Spool>(path_)), (std::vector<std::string>{five_[0], five_[1], five_[2], five_[3]}));
}

TEST_F(SpoolTest, ADiskThatDoesNotKeepRecordsIsToldOnce) {
  spool::Spool spool(path_);
  for (int i = 0; i < 2; ++i) {
    spool.append("{}");
    const DiskFault fault(1, EIO);
    spool.sync(1e9 * (i + 1));
    EXPECT_EQ(fault.hit(), "fdatasync");
  }
  EXPECT_EQ(spool.lastSeq(), 3);
  EXPECT_NE(bytes().find(strCat("records up to here may be lost when the power fails: ", path_.string(), " cannot be brought to the disk: Input/output error")), std::string::npos);
}

TEST_F(SpoolTest, IsNotClosedWhileItHasYetToTellThatItsDiskKeepsNothing) {
  spool::Spool spool(path_);
  spool.append("{}");
  disk::fault = [](const char* call) { return std::string_view(call) == "open" ? 0 : EIO; };
  const bool closed = spool.closeWriter();
  disk::fault = nullptr;
  EXPECT_FALSE(closed);
  EXPECT_TRUE(spool.closeWriter());
  EXPECT_NE(bytes().find("records up to here may be lost when the power fails"), std::string::npos);
}

TEST_F(SpoolTest, ItsOwnNameGoesToTheDisk) {
  const int calls = failEveryCall([this] { spool::Spool(path_.string()); },
                                  [this](const std::string& where, const std::string& sentence) {
                                    EXPECT_EQ(sentence.empty(), where == "no call failed" || where.find("Interrupted") != std::string::npos) << where << ": " << sentence;
                                    fs::remove(path_);
                                  });
  EXPECT_EQ(calls, 3) << "open, open folder, fsync folder";
}

TEST_F(SpoolTest, ARecordWhoseWriteFailsWaitsAndIsWrittenLater) {
  const int calls = failEveryCall([this] {
                                    const auto spool = std::make_shared<spool::Spool>(path_);
                                    for (const auto& payload : five_) EXPECT_GT(spool->append(payload), 0);
                                    EXPECT_EQ(payloads(spool), five_);
                                    EXPECT_TRUE(spool->closeWriter());
                                  },
                                  [this](const std::string& where, const std::string& sentence) {
                                    if (sentence.empty()) {
                                      const auto kept = payloads(std::make_shared<spool::Spool>(path_));
                                      EXPECT_TRUE(kept.size() >= five_.size() && std::equal(five_.begin(), five_.end(), kept.begin())) << where;
                                    }
                                    fs::remove(path_);
                                  },
                                  {ENOSPC, EIO, EINTR});
  EXPECT_GE(calls, 3 + 1 + 5 + 1) << "opening, the writer, five writes, fdatasync";
}

TEST_F(SpoolTest, AKillBeforeEachCallLeavesWholeRecords) {
  killBeforeEveryCall([this] {
                        spool::Spool spool(path_);
                        for (const auto& payload : five_) spool.append(payload);
                        spool.closeWriter();
                      },
                      [this](const std::string& where) {
                        const auto spool = std::make_shared<spool::Spool>(path_);
                        EXPECT_EQ(spool->cutBytes(), 0) << where;
                        const auto kept = payloads(spool);
                        EXPECT_TRUE(kept.size() <= five_.size() && std::equal(kept.begin(), kept.end(), five_.begin())) << where;
                        fs::remove(path_);
                      });
}

TEST_F(SpoolTest, ARunFolderIsMadeWholeOrNotAtAll) {
  const spool::RunFolder run{.run = "r1", .host = "h", .nodes = {"w0"}, .path = folder_ / "r1"};
  failEveryCall([&] { run.create(); },
                [&](const std::string& where, const std::string& sentence) {
                  EXPECT_EQ(fs::exists(run.path), sentence.empty()) << where << ": " << sentence;
                  EXPECT_TRUE(!sentence.empty() || spool::RunFolder::read(run.path).nodes == run.nodes) << where;
                  run.remove();
                });
}

}  // namespace
}  // namespace paceline::tests

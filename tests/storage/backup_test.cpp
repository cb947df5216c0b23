#include "storage/store/backup.h"

#include <filesystem>
#include <fstream>

#include "tests/storage/samples.h"

namespace paceline::tests {
namespace {

std::vector<std::string> namesIn(const TempFolder& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

TEST(Backup, HasAllThatIsCommittedWhileARunIsRecorded) {
  const TempFolder folder{};
  store::StoreWriter writer(folder / "a.db");
  writer.createRun(makeRun("r1", "first"), std::vector{makeWorker("r1", "w0", 0)});
  const store::Backup made = store::backUp(folder / "a.db", folder / "copy.db");
  EXPECT_EQ(made.runs, 1);
  EXPECT_EQ(made.bytes, static_cast<std::int64_t>(std::filesystem::file_size(folder / "copy.db")));
  writer.createRun(makeRun("r2", "second"), std::vector{makeWorker("r2", "w0", 0)});  // it goes on
  EXPECT_EQ(store::backUp(folder / "a.db", folder / "later.db").runs, 2);
  const store::StoreReader copy(folder / "copy.db");
  ASSERT_EQ(copy.runs().size(), 1U);
  EXPECT_EQ(copy.runs()[0].name, "first");
  EXPECT_EQ(copy.nodes("r1").size(), 1U);
}

TEST(Backup, LeavesWhatIsThereAlone) {
  const TempFolder folder{};
  makeStoreWithRun(folder / "a.db");
  writeText(folder / "b.db", "mine");
  EXPECT_EQ(messageOf(Errc::kStore, [&] { store::backUp(folder / "a.db", folder / "b.db"); }), (folder / "b.db") + " exists; nothing was written");
  EXPECT_EQ(readText(folder / "b.db"), "mine");
  EXPECT_EQ(messageOf(Errc::kStore, [&] { store::backUp(folder / "none.db", folder / "c.db"); }), "there is no store " + (folder / "none.db"));
  EXPECT_EQ(namesIn(folder), (std::vector<std::string>{"a.db", "a.db.lock", "b.db"}));
}

TEST(Backup, OfADamagedStoreIsNone) {
  const TempFolder folder{};
  {
    store::StoreWriter writer(folder / "a.db");
    for (int i = 0; i < 200; ++i) writer.createRun(makeRun("run" + std::to_string(i), std::string(500, 'x')), std::vector{makeWorker("run" + std::to_string(i), "w0", 0)});
  }
  const auto size = std::filesystem::file_size(folder / "a.db");
  std::fstream file(folder / "a.db", std::ios::in | std::ios::out | std::ios::binary);
  for (std::uintmax_t at = size / 2; at + 64 < size; at += 1024) file.seekp(static_cast<std::streamoff>(at)), file.write(std::string(64, '\x5a').data(), 64);
  file.close();
  EXPECT_THROW(store::backUp(folder / "a.db", folder / "copy.db"), Error);
  EXPECT_FALSE(std::filesystem::exists(folder / "copy.db"));
  EXPECT_FALSE(std::filesystem::exists(folder / "copy.db.part"));
}

// What is not due is not made; what is there counts by the time in its name.
TEST(BackupPlan, CopiesWhenTheNewestIsOldEnoughAndKeepsTheNewest) {
  const TempFolder folder{};
  makeStoreWithRun(folder / "a.db");
  EXPECT_EQ(store::backUpWhenDue(folder / "a.db"), std::nullopt);  // no plan
  const store::BackupPlan plan{.folder = folder / "copies", .keep = 2, .everyHours = 24};
  store::setBackupPlan(folder / "a.db", plan);
  EXPECT_EQ(store::newestBackupUtc(plan), 0);
  const auto first = store::backUpWhenDue(folder / "a.db");
  ASSERT_TRUE(first);
  EXPECT_EQ(first->runs, 1);
  EXPECT_GT(store::newestBackupUtc(plan), 1.7e9);
  EXPECT_EQ(store::backUpWhenDue(folder / "a.db"), std::nullopt);
  for (const char* old : {"paceline-20200101T000000Z.db", "paceline-20210101T000000Z.db"}) std::filesystem::copy_file(first->path, folder / strCat("copies/", old));
  std::filesystem::remove(first->path);
  writeText(folder / "copies/paceline-mine.db", "not ours");
  ASSERT_TRUE(store::backUpWhenDue(folder / "a.db"));
  EXPECT_FALSE(std::filesystem::exists(folder / "copies/paceline-20200101T000000Z.db"));
  EXPECT_TRUE(std::filesystem::exists(folder / "copies/paceline-20210101T000000Z.db"));
  EXPECT_TRUE(std::filesystem::exists(folder / "copies/paceline-mine.db"));
  store::setBackupPlan(folder / "a.db", std::nullopt);
  EXPECT_EQ(store::backupPlan(folder / "a.db").has_value(), false);
}

TEST(BackupPlan, ADamagedOneIsSaidWithItsPlace) {
  const TempFolder folder{};
  writeText(folder / "a.db.backup.json", R"({"folder": "/x", "keep": -1, "every_hours": 24})");
  EXPECT_EQ(messageOf(Errc::kFormat, [&] { store::backupPlan(folder / "a.db"); }), (folder / "a.db.backup.json") + ": /keep: \"keep\" must be at least 0; it is -1.");
}

}  // namespace
}  // namespace paceline::tests

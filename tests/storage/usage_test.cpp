// How the bytes of a store are spent, and that unused pages are given back.
#include "storage/store/usage.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "storage/store/sqlite.h"
#include "storage/store/store.h"
#include "tests/support/own_folder.h"

namespace paceline::tests {
namespace {

struct Usage : ::testing::Test {
  const std::string path = (ownFolder() / "store.db").string();

  void addRun(store::StoreWriter& writer, const std::string& id, int rounds) const {
    store::RunRow row;
    row.id = id, row.name = id, row.state = store::RunState::kFinished;
    store::NodeRow node;
    node.run = id, node.id = "w0", node.role = "worker", node.host = "local", node.device = "cpu";
    writer.createRun(row, std::vector{node});
    std::vector<StampedEvent> events;
    for (int round = 1; round <= rounds; ++round) events.push_back({id, "w0", round, RoundRecord{.round = round, .t = 1.0 * round, .total = 1, .kept = std::nullopt}});
    writer.append(events);
  }
};

TEST_F(Usage, ARunsShareIsThatOfItsRecords) {
  {
    store::StoreWriter writer(path);
    addRun(writer, "large", 3000);
    addRun(writer, "small", 300);
    writer.compact();
  }
  const store::StoreUsage usage = store::usageOf(path);
  EXPECT_EQ(usage.fileBytes, static_cast<std::int64_t>(std::filesystem::file_size(path)));
  ASSERT_EQ(usage.runs.size(), 2U);
  EXPECT_EQ(usage.runs[0].run, "large");
  EXPECT_GE(usage.runs[0].records, 3000);
  EXPECT_NEAR(static_cast<double>(usage.runs[0].bytes) / static_cast<double>(usage.runs[1].bytes), 10, 1);
  const std::int64_t told = usage.runs[0].bytes + usage.runs[1].bytes + usage.otherBytes + usage.freeBytes;
  EXPECT_NEAR(static_cast<double>(told) / static_cast<double>(usage.fileBytes), 1, 0.05);  // beside it are pages of SQLite's own
}

TEST_F(Usage, AMissingStoreIsAnEmptyOne) {
  EXPECT_EQ(store::usageOf(path).fileBytes, 0);
  EXPECT_TRUE(store::usageOf(path).runs.empty());
}

TEST_F(Usage, PurgeAndCompactMakeTheFileSmaller) {
  store::StoreWriter writer(path);
  addRun(writer, "large", 5000);
  addRun(writer, "small", 10);
  writer.compact();
  const auto before = std::filesystem::file_size(path);
  writer.trash("large");
  writer.together([&] { writer.purge("large"); });  // gives nothing back by itself
  EXPECT_GT(store::usageOf(path).freeBytes, static_cast<std::int64_t>(before / 2));
  writer.compact();
  EXPECT_LT(std::filesystem::file_size(path), before / 2);
  EXPECT_EQ(store::usageOf(path).freeBytes, 0);
  EXPECT_EQ(store::StoreReader(path).rounds("small").size(), 10U);
}

}  // namespace
}  // namespace paceline::tests

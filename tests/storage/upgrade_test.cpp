// Starts from every older version of the schema: adding resources/schema/002_*.sql enrols it here. fixtures/store_vN.sql, where
// there is one, holds rows as version N stored them.
#include "engine/core/base/error.h"
#include "storage/store/schema.h"
#include "tests/storage/samples.h"

namespace paceline::tests {
namespace {

std::string rowsOfVersion(int version) {
  return readText(strCat(PACELINE_SOURCE_DIR, "/tests/storage/fixtures/store_v", version, ".sql"));
}

void makeStoreOfVersion(const std::string& path, int version) {
  store::Database database(path, store::Database::Mode::kWrite);
  store::migrate(database, version);
  database.execute(rowsOfVersion(version));
}

void expectKeptRows(const store::StoreReader& reader) {
  const store::RunRow run = reader.find("kept").value();
  EXPECT_EQ(run.seed, 7U);
  EXPECT_EQ(run.tags, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(reader.nodes(run.id).size(), 1U);
  ASSERT_EQ(reader.rounds(run.id).size(), 1U);
  EXPECT_EQ(reader.rounds(run.id)[0].record.bytesReceived, 200);
  EXPECT_NE(reader.rounds(run.id)[0].record.loss, reader.rounds(run.id)[0].record.loss);  // NaN
  EXPECT_EQ(reader.evaluations(run.id).at(0).record.accuracy, 0.75);
  EXPECT_EQ(reader.notices(run.id).at(0).record.reason, "rounds");
  EXPECT_EQ(reader.records<HostLoad>(run.id).at(0).record.networkReceivedBytes, 4);
  EXPECT_EQ(summary::summariesToJson({summary::summaryOf(reader, run, summary::Details::all())}), summary::summariesToJson({summary::summarise(summary::loadRun(reader, run))}));
  for (const store::MetricRow& row : reader.records<MetricRecord>(run.id)) EXPECT_EQ(row.record.name, "dual_norm");
  for (const store::BusyRow& row : reader.records<BusyRecord>(run.id)) EXPECT_EQ(row.record.longestQueue, 3);
  for (const store::ClockRow& row : reader.records<ClockRecord>(run.id)) EXPECT_EQ(row.record.t, 0.0);
  for (const auto& row : reader.records<OrderRecord>(run.id)) EXPECT_EQ(row.record.nodes, "1 2 =30 -2");
  for (const auto& row : reader.records<AnswerRecord>(run.id)) EXPECT_EQ(row.record.answers, "[[1.0],[0.0]]");
  for (const store::LinkRow& row : reader.records<LinkRecord>(run.id)) EXPECT_EQ(row.record.kernelSent, 290);
  for (const store::SuiteRow& suite : reader.suites()) EXPECT_EQ(suite.cells.at(1).runs, std::vector<std::string>{"01jxw5t3a0bbbbbbbbbb"});
  for (const store::SearchRow& search : reader.searches()) EXPECT_EQ(search.trials, std::vector<std::string>{R"({"at":[3]})"});
}

TEST(Upgrade, EveryOlderVersionOpensWithItsRowsAndTakesNewOnes) {
  const TempFolder folder{};
  for (int version = 0; version <= store::latestVersion(); ++version) {
    const std::string path = folder / (strCat("v", version, ".db"));
    makeStoreOfVersion(path, version);
    store::StoreWriter writer(path);
    writer.createRun(makeRun("new", "new"), std::vector{makeWorker("new", "w0", 0)});
    EXPECT_EQ(writer.append(std::vector{roundEvent("new", "w0", 1)}), 1);
    store::Database database(path, store::Database::Mode::kRead);
    EXPECT_EQ(store::checkedVersion(database), store::latestVersion());
    EXPECT_EQ(database.text("PRAGMA integrity_check"), "ok");
    const store::StoreReader reader(path);
    EXPECT_EQ(reader.rounds("new").size(), 1U);
    if (!rowsOfVersion(version).empty()) expectKeptRows(reader);
  }
}

TEST(Upgrade, AStoreWithRunsIsCopiedBefore) {
  const TempFolder folder{};
  const std::string path = folder / "store.db", copy = path + ".v3";
  makeStoreOfVersion(path, 3);
  { const store::StoreWriter writer(path); }
  store::Database kept(copy, store::Database::Mode::kRead);
  EXPECT_EQ(store::checkedVersion(kept), 3);
  EXPECT_EQ(kept.number("SELECT count(*) FROM round"), 1);
  { const store::StoreWriter writer(path); }
  EXPECT_FALSE(std::filesystem::exists(strCat(path, ".v", store::latestVersion())));
}

// Once: no view of an old run has to read all its rounds at every look.
TEST(Upgrade, MakesTheLevelsOfDetailOfOlderRuns) {
  const TempFolder folder{};
  const std::string path = folder / "store.db";
  makeStoreOfVersion(path, 7);
  {
    store::Database older(path, store::Database::Mode::kWrite);
    older.execute("CREATE TEMP TABLE one AS SELECT * FROM round");
    for (int n = 2; n <= 300; ++n) {
      older.execute("UPDATE one SET key = key + 1, seq = seq + 10, round = round + 1, t_s = t_s + 1.5");
      older.execute("INSERT INTO round SELECT * FROM one");
    }
  }
  { const store::StoreWriter writer(path); }
  store::Database database(path, store::Database::Mode::kRead);
  EXPECT_EQ(database.number("SELECT count(*) FROM round_level WHERE level = 3"), 32);  // of 37, for eight are written at a time
  EXPECT_EQ(database.number("SELECT max(round) FROM round_level WHERE level = 5"), 256);
}

TEST(Upgrade, EveryVersionAfterTheEmptyFileHasRowsToTest) {
  for (int version = 1; version <= store::latestVersion(); ++version)
    EXPECT_FALSE(rowsOfVersion(version).empty()) << "fixtures/store_v" << version << ".sql";
}

TEST(Upgrade, MigrationsAreNumberedFromOne) {
  for (std::size_t i = 0; i < store::migrations().size(); ++i) EXPECT_EQ(std::stoi(store::migrations()[i].name), static_cast<int>(i + 1));
}

}  // namespace
}  // namespace paceline::tests

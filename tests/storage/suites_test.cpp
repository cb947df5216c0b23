// Suites: what stays of runs that were submitted together.
#include "tests/storage/samples.h"

namespace paceline::tests {
namespace {

store::SuiteRow twoCells() {
  return {.id = "s1", .name = "sweep", .createdUtc = 5, .cells = {{.place = 0, .name = "a", .kind = "run", .runs = {"r1"}}, {.place = 3, .name = "b", .kind = "run", .runs = {"r2"}}}};
}

TEST(Suites, KeepTheirCellsDocumentsAndAttemptsInOrder) {
  const TempFolder folder{};
  {
    store::StoreWriter writer(folder / "a.db");
    writer.createSuite(twoCells(), {"{\"a\": 1}", "{\"b\": 2}"});
    writer.createSuite({.id = "s2", .name = "sweep", .createdUtc = 6, .cells = {{.place = 0, .name = "c", .kind = "simulation", .runs = {"r9"}}}}, {"{}"});
    writer.addAttempt("s1", 3, "r3");
  }
  const store::StoreReader reader(folder / "a.db");
  const std::vector<store::SuiteRow> suites = reader.suites();
  ASSERT_EQ(suites.size(), 2U);
  EXPECT_EQ(suites[0].id, "s2");  // newest first
  EXPECT_EQ(suites[0].cells.at(0).kind, "simulation");
  EXPECT_EQ(suites[1].name, "sweep");
  EXPECT_EQ(suites[1].cells.at(0).runs, std::vector<std::string>{"r1"});
  EXPECT_EQ(suites[1].cells.at(1).place, 3);
  EXPECT_EQ(suites[1].cells.at(1).runs, (std::vector<std::string>{"r2", "r3"}));
  EXPECT_EQ(reader.cellDocument("s1", 3), "{\"b\": 2}");
  EXPECT_EQ(reader.cellDocument("s1", 1), std::nullopt);
}

TEST(Searches, KeepTheirTrialsAndHowFarTheyAre) {
  const TempFolder folder{};
  store::StoreWriter writer(folder / "a.db");
  const store::StoreReader reader(folder / "a.db");
  store::SearchRow search{.suite = "s1", .document = "{}", .kind = "run", .context = "{\"folder\": \"/\"}", .now = true, .boot = "b"};
  writer.createSearch({.id = "s1", .name = "sweep", .createdUtc = 5}, search);
  EXPECT_TRUE(reader.suites().at(0).searched);
  writer.putTrial("s1", 0, "{\"state\": \"going\"}");
  writer.putTrial("s1", 1, "{}");
  writer.putTrial("s1", 0, "{\"state\": \"done\"}");
  search.held = search.ended = true, search.boot = "c", search.result = "The best is 3.";
  writer.updateSearch(search);
  const store::SearchRow kept = reader.search("s1").value();
  EXPECT_EQ(kept.trials, (std::vector<std::string>{"{\"state\": \"done\"}", "{}"}));
  EXPECT_EQ(kept.context, search.context);
  EXPECT_TRUE(kept.held && kept.ended && kept.now);
  EXPECT_EQ(kept.boot + kept.result, "cThe best is 3.");
  EXPECT_EQ(reader.searches().size(), 1U);
  EXPECT_FALSE(reader.search("s2"));
  EXPECT_EQ(messageOf(Errc::kStore, [&] { writer.putTrial("s2", 0, "{}"); }), strCat(folder / "a.db", ": there is no suite s2"));
}

TEST(Searches, ThatGoOnKeepTheirSuiteWithoutCells) {
  const TempFolder folder{};
  store::StoreWriter writer(folder / "a.db");
  const store::StoreReader reader(folder / "a.db");
  store::SearchRow search{.suite = "s1", .document = "{}"};
  writer.createSearch({.id = "s1", .name = "sweep", .createdUtc = 5}, search);
  writer.addCell("s1", {.place = 0, .name = "a", .kind = "run", .runs = {"r1"}}, "{\"a\": 1}");
  EXPECT_EQ(reader.cellDocument("s1", 0), "{\"a\": 1}");
  writer.forgetAttempt("r1");
  EXPECT_EQ(reader.suites().size(), 1U);
  writer.addCell("s1", {.place = 1, .name = "b", .kind = "run", .runs = {"r2"}}, "{}");
  search.ended = true;
  writer.updateSearch(search);
  writer.forgetAttempt("r2");
  EXPECT_TRUE(reader.suites().empty());
  EXPECT_TRUE(reader.searches().empty());
}

TEST(Suites, TakeNoAttemptOfACellThatTheyDoNotHave) {
  const TempFolder folder{};
  store::StoreWriter writer(folder / "a.db");
  writer.createSuite(twoCells(), {"{}", "{}"});
  EXPECT_EQ(messageOf(Errc::kStore, [&] { writer.addAttempt("s1", 1, "r3"); }), strCat(folder / "a.db", ": suite s1 has no cell 1"));
}

TEST(Suites, LoseACellWithItsLastAttemptAndGoWithTheirLastCell) {
  const TempFolder folder{};
  store::StoreWriter writer(folder / "a.db");
  const store::StoreReader reader(folder / "a.db");
  writer.createSuite(twoCells(), {"{}", "{}"});
  writer.addAttempt("s1", 0, "r5");
  writer.forgetAttempt("r5");
  ASSERT_EQ(reader.suites().at(0).cells.size(), 2U);
  EXPECT_EQ(reader.suites()[0].cells[0].runs, std::vector<std::string>{"r1"});
  writer.forgetAttempt("nobody");
  writer.forgetAttempt("r2");
  ASSERT_EQ(reader.suites().at(0).cells.size(), 1U);
  writer.createRun(makeRun("r1", "a", store::RunState::kFinished), {});
  writer.trash("r1");
  ASSERT_EQ(reader.suites().size(), 1U);
  writer.purge("r1");
  EXPECT_TRUE(reader.suites().empty());
}

}  // namespace
}  // namespace paceline::tests

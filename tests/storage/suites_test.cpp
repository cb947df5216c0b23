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

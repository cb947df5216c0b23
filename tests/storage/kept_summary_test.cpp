// Summaries that the recorder keeps in the store: read there they are what the records give, to the last digit, and they never outlive a change.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <random>

#include "engine/core/json/json_text.h"
#include "storage/store/sqlite.h"
#include "tests/storage/two_workers.h"

namespace paceline::tests {
namespace {

std::string textOf(const summary::RunSummary& run) { return summary::summariesToJson({run}) + summary::summariesToCsv({run}); }

summary::RunSummary fromRecords(const store::StoreReader& reader, const std::string& run) {
  return summary::summarise(summary::loadRun(reader, reader.find(run).value()));
}

summary::RunSummary asKept(const store::StoreReader& reader, const std::string& run, const summary::Details& details = summary::Details::all()) {
  return summary::summaryOf(reader, reader.find(run).value(), details);
}

// Of one worker that evaluates after every round; every value is of chance, some are none.
void storeEvaluatedRun(store::StoreWriter& writer, const std::string& id, int rounds) {
  writer.createRun(makeRun(id, id, store::RunState::kFinished), std::vector{makeWorker(id, "w0", 0)});
  std::mt19937_64 chance(7);
  const auto any = [&chance] { return std::uniform_real_distribution<double>()(chance); };
  std::vector<StampedEvent> events;
  for (int i = 1; i <= rounds; ++i) {
    RoundRecord round = makeRound(i);
    round.t = i + any(), round.compute = any();
    EvaluationRecord evaluation{.round = i, .t = i + any(), .accuracy = any(), .loss = any()};
    if (i % 97 == 0) evaluation.accuracy = std::numeric_limits<double>::quiet_NaN(), evaluation.loss = std::numeric_limits<double>::infinity();
    events.push_back({id, "w0", 2 * i, round});
    events.push_back({id, "w0", 2 * i + 1, evaluation});
  }
  writer.append(events);
}

void keepSummary(store::StoreWriter& writer, const std::string& run) {
  writer.keepSummary(run, summary::summaryToKeep(store::StoreReader(writer.path()), run).value());
}

struct OneRun {
  TempFolder folder{};
  std::string path = folder / "store.db";
  store::StoreWriter writer{path};
  store::StoreReader reader{path};
  OneRun() {
    storeEvaluatedRun(writer, "r1", 500);
    keepSummary(writer, "r1");
  }
  bool kept() const { return summary::unsummarised(writer).empty(); }
  void change(const std::string& sql) { store::Database(path, store::Database::Mode::kWrite).execute(sql); }
};

TEST(KeptSummary, IsWhatTheRecordsGiveOfRunsOfEveryKind) {
  const TempFolder folder{};
  const std::string path = folder / "store.db";
  std::filesystem::copy_file(strCat(PACELINE_SOURCE_DIR, "/tests/storage/fixtures/kept/store.db"), path);
  store::StoreWriter writer(path);
  const store::StoreReader reader(path);
  const std::vector<std::string> runs = summary::unsummarised(writer);
  ASSERT_GE(runs.size(), 9U);
  for (const std::string& run : runs) {
    const std::string before = textOf(fromRecords(reader, run));
    EXPECT_EQ(textOf(asKept(reader, run)), before);  // from the records, too: none is kept yet
    keepSummary(writer, run);
    EXPECT_EQ(textOf(asKept(reader, run)), before);
    EXPECT_EQ(summary::summariesToCsv({asKept(reader, run, {})}), summary::summariesToCsv({fromRecords(reader, run)}));
  }
  EXPECT_TRUE(summary::unsummarised(writer).empty());
}

TEST(KeptSummary, HasNumbersThatAreNoneAndEveryPointOfALongRun) {
  OneRun run;
  EXPECT_EQ(textOf(asKept(run.reader, "r1")), textOf(fromRecords(run.reader, "r1")));
  const summary::Curve kept = asKept(run.reader, "r1").curve, made = fromRecords(run.reader, "r1").curve;
  for (std::size_t at = 0; at < summary::kColumns; ++at)
    EXPECT_EQ(kept.cells(static_cast<summary::Column>(at)), made.cells(static_cast<summary::Column>(at))) << at;  // NaN and all, bit for bit
}

TEST(KeptSummary, OfWhatIsNotAskedForThePointsAreFresh) {
  OneRun run;
  const summary::Details details{.columns = {summary::Column::kSeconds, summary::Column::kLoss}, .curve = true};
  const summary::RunSummary whole = asKept(run.reader, "r1"), part = asKept(run.reader, "r1", details), numbers = asKept(run.reader, "r1", {});
  ASSERT_EQ(part.curve.size(), 500U);
  EXPECT_EQ(part.curve[7].seconds, whole.curve[7].seconds);
  EXPECT_EQ(part.curve[7].loss, whole.curve[7].loss);
  EXPECT_EQ(part.curve[7].samples, 0);
  EXPECT_EQ(numbers.curve.size(), 500U);
  EXPECT_TRUE(numbers.curve.cells(summary::Column::kLoss).empty());
  EXPECT_TRUE(part.nodes[0].localSteps.empty());
  EXPECT_EQ(whole.nodes[0].localSteps.size(), 500U);
}

TEST(KeptSummary, FindsTheTimeToAnyTargetWithoutTheCurve) {
  OneRun run;
  const store::RunRow row = run.reader.find("r1").value();
  const summary::RunSummary whole = asKept(run.reader, "r1");
  for (const double target : {0.0, 0.3, 0.9, 0.99, 0.999, 1.0}) {
    const auto first = std::ranges::find_if(whole.curve, [target](const summary::CurvePoint& point) { return point.accuracy >= target; });
    const std::optional<double> seconds = first == whole.curve.end() ? std::nullopt : std::optional((*first).seconds);
    EXPECT_EQ(summary::summaryOf(run.reader, row, {}, {.targetAccuracy = target}).timeToTargetSeconds, seconds) << target;
  }
}

TEST(KeptSummary, GoesWithTheNextRecordOfItsRunOnly) {
  OneRun run;
  storeEvaluatedRun(run.writer, "r2", 3);
  keepSummary(run.writer, "r2");
  ASSERT_TRUE(run.kept());
  EXPECT_EQ(run.writer.append(std::vector{roundEvent("r1", "w0", 2)}), 0);  // known already
  EXPECT_TRUE(run.kept());
  EXPECT_EQ(run.writer.append(std::vector{roundEvent("r1", "w0", 5000)}), 1);
  EXPECT_EQ(summary::unsummarised(run.writer), std::vector<std::string>{"r1"});
  EXPECT_EQ(asKept(run.reader, "r1").nodes[0].rounds, 501);
  EXPECT_EQ(textOf(asKept(run.reader, "r1")), textOf(fromRecords(run.reader, "r1")));
}

// Records and versions may change while it is made.
TEST(KeptSummary, ThatIsOutOfDateWhenItIsMadeIsNotKept) {
  OneRun run;
  const std::vector<std::function<void()>> changes = {[&] { run.writer.append(std::vector{roundEvent("r1", "w0", 5000)}); },
                                                      [&] { run.writer.changeVersions("r1", [](const std::string&) { return R"({"parameters": 7})"; }); }};
  for (const auto& change : changes) {
    ASSERT_TRUE(run.kept());
    const store::SummaryToKeep made = summary::summaryToKeep(run.reader, "r1").value();
    change();
    run.writer.keepSummary("r1", made);
    EXPECT_EQ(summary::unsummarised(run.writer), std::vector<std::string>{"r1"});
    EXPECT_EQ(textOf(asKept(run.reader, "r1")), textOf(fromRecords(run.reader, "r1")));
    keepSummary(run.writer, "r1");
  }
  const store::SummaryToKeep made = summary::summaryToKeep(run.reader, "r1").value();
  run.writer.trash("r1"), run.writer.purge("r1");
  run.writer.keepSummary("r1", made);
  EXPECT_FALSE(summary::summaryToKeep(run.reader, "r1").has_value());
}

TEST(KeptSummary, OfARunThatGoesOnIsNotMade) {
  const TempFolder folder{};
  store::StoreWriter writer(folder / "store.db");
  writer.createRun(makeRun("r1", "one", store::RunState::kRunning), std::vector{makeWorker("r1", "w0", 0)});
  EXPECT_TRUE(summary::unsummarised(writer).empty());
  writer.setState("r1", store::RunState::kFinished);
  EXPECT_EQ(summary::unsummarised(writer), std::vector<std::string>{"r1"});
}

TEST(KeptSummary, TakesNamesFromTheRunAsItIsNow) {
  OneRun run;
  run.writer.setText("r1", "another", "", {});
  EXPECT_EQ(asKept(run.reader, "r1").name, "another");
  EXPECT_TRUE(run.kept());
}

TEST(KeptSummary, OfOtherFormulasIsMadeAnew) {
  OneRun run;
  run.change("UPDATE summary SET formulas = formulas + 1, numbers = x'00'");
  EXPECT_EQ(textOf(asKept(run.reader, "r1")), textOf(fromRecords(run.reader, "r1")));
  EXPECT_FALSE(run.kept());
  keepSummary(run.writer, "r1");
  EXPECT_TRUE(run.kept());
  EXPECT_EQ(textOf(asKept(run.reader, "r1")), textOf(fromRecords(run.reader, "r1")));
}

TEST(KeptSummary, ThatIsDamagedIsMadeFromTheRecords) {
  const std::string bytes = "substr(numbers, 1, length(numbers) - ";
  for (const std::string& damage : {strCat("UPDATE summary SET numbers = ", bytes, "1)"), strCat("UPDATE summary SET numbers = ", bytes, "200)"),
                                   std::string("UPDATE summary SET numbers = x''"), std::string("DELETE FROM summary_column WHERE name = 'curve/loss'"),
                                   std::string("DELETE FROM summary_column WHERE name LIKE 'local steps%'"),
                                   std::string("UPDATE summary_column SET cells = x'00' WHERE name = 'curve/accuracy'")}) {
    OneRun run;
    run.change(damage);
    EXPECT_EQ(textOf(asKept(run.reader, "r1")), textOf(fromRecords(run.reader, "r1"))) << damage;
  }
}

TEST(KeptSummary, LeavesNothingWhenItsRunIsPurged) {
  OneRun run;
  run.writer.trash("r1");
  run.writer.purge("r1");
  store::Database database(run.path, store::Database::Mode::kRead);
  EXPECT_EQ(database.number("SELECT count(*) FROM summary") + database.number("SELECT count(*) FROM summary_column"), 0);
}

TEST(KeptSummary, ColumnsComeBackWhateverTheirSteps) {
  OneRun run;
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min(), kMost = std::numeric_limits<std::int64_t>::max();
  const std::vector<summary::Cells> columns = {{}, {5}, {5, 9}, {1, 2, 3, 4}, {7, 7, 7}, {9, 6, 3, 0, -3}, {1, 2, 4}, {kLeast, -1, kMost - 1}, {kMost, kLeast, kMost}};
  store::SummaryToKeep kept{.formulas = 99};
  for (std::size_t i = 0; i < columns.size(); ++i) kept.columns.emplace_back(std::to_string(i), columns[i]);
  run.writer.keepSummary("r1", kept);
  const std::int64_t key = run.reader.keptSummary("r1", 99).value().key;
  for (std::size_t i = 0; i < columns.size(); ++i) EXPECT_EQ(run.reader.keptColumn(key, std::to_string(i), columns[i].size()), columns[i]) << i;
  EXPECT_EQ(run.reader.keptColumn(key, "6", 4), std::nullopt);
  EXPECT_EQ(run.reader.keptColumn(key, "none", 1), std::nullopt);
}

}  // namespace
}  // namespace paceline::tests

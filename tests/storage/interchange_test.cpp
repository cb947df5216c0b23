// What others read of ours: TensorBoard's event files, ESync's own folders, the store's views; and whether a bundle is what its run left.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "engine/core/spec/run_spec.h"
#include "storage/interchange/foreign/event_file.h"
#include "storage/interchange/foreign/tensorboard_export.h"
#include "storage/interchange/interop.h"
#include "storage/interchange/verify.h"
#include "storage/store/sqlite.h"
#include "tests/storage/two_workers.h"

namespace paceline::tests {
namespace {

using testing::HasSubstr;

std::map<std::string, std::vector<std::pair<std::int64_t, double>>> scalarsOf(const std::string& bytes, const std::string& path) {
  writeText(path, bytes);
  std::map<std::string, std::vector<std::pair<std::int64_t, double>>> scalars;
  interchange::EventFileReader reader(path);
  while (const auto event = reader.next())
    for (const interchange::EventScalar& scalar : event->scalars) scalars[scalar.tag].emplace_back(event->step, scalar.value);
  EXPECT_EQ(reader.broken(), "");
  return scalars;
}

TEST(EventFiles, HaveEachWorkersRoundsAndTheRunsEvaluations) {
  const TempFolder folder{};
  summary::RunData data = twoWorkers();
  data.run.startedUtc = 1000;
  data.metrics = {{.node = "w1", .seq = 40, .record = {.round = 2, .t = 3, .name = "drift", .value = 0.5}}};
  const std::vector<interchange::EventFile> files = interchange::eventFilesOf(data);
  ASSERT_EQ(files.size(), 3U);
  const auto whole = scalarsOf(files[0].bytes, folder / "whole");
  EXPECT_EQ(whole.at("evaluation/accuracy"), (std::vector<std::pair<std::int64_t, double>>{{1, 0.5}, {2, static_cast<double>(0.85F)}}));
  for (std::size_t i = 1; i < files.size(); ++i) {
    const auto worker = scalarsOf(files[i].bytes, folder / files[i].folder);
    const std::size_t rounds = files[i].folder == "w0" ? 2 : 3;
    for (const char* tag : {"train/loss", "time/wait_s", "traffic/bytes_sent", "round/samples"}) EXPECT_EQ(worker.at(tag).size(), rounds) << tag;
    EXPECT_EQ(worker.contains("metric/drift"), files[i].folder == "w1");
  }
}

TEST(EventFiles, KeepTheSettingsAndTheGroupOfTheirSeeds) {
  const TempFolder folder{};
  summary::RunData data = twoWorkers();
  data.run.specText = R"({"paceline": 1, "algorithm": {"id": "ssgd", "params": {"momentum": 0.5}}, "seed": 3, "batch_size": 32})", data.run.startedUtc = 1000;
  const std::string made = interchange::exportEventFiles(data, folder.path());
  std::string path;
  for (const auto& entry : std::filesystem::directory_iterator(made))
    if (entry.is_regular_file()) path = entry.path().string();
  EXPECT_THAT(path, HasSubstr("tfevents"));
  interchange::EventFileReader reader(path);
  OrderedJson settings = OrderedJson::object();
  std::string group;
  while (const auto event = reader.next()) {
    if (!event->hparams) continue;
    settings.update(event->hparams->settings);
    if (!event->hparams->group.empty()) group = event->hparams->group;
  }
  EXPECT_EQ(settings.value("algorithm/params/momentum", 0.0), 0.5);
  EXPECT_EQ(settings.value("algorithm/id", ""), "ssgd");
  EXPECT_EQ(settings.value("batch_size", 0.0), 32);
  EXPECT_EQ(group, "g");
  EXPECT_EQ(interchange::exportEventFiles(data, folder.path()), made);  // replaced
}

TEST(EsyncFolders, AreThoseThatTheOriginalScriptsName) {
  const TempFolder folder{};
  summary::RunData data = twoWorkers("asgd");
  std::string told;
  interchange::exportEsyncTree(data, folder.path(), interchange::EsyncFolders::kOriginal, &told);
  EXPECT_EQ(told, "w0 is cloud3/gpu0\nw1 is cloud3/gpu1\n");  // w0 evaluates, where drawer.py looks for it
  EXPECT_TRUE(std::filesystem::exists(folder / "lenet/async/cloud3/gpu0/iter-1.txt"));
  for (int i = 2; i < 7; ++i) data.nodes.push_back(makeWorker("r1", strCat("w", i), i));
  try {
    interchange::exportEsyncTree(data, folder / "seven", interchange::EsyncFolders::kOriginal);
    ADD_FAILURE() << "seven workers have no place there";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("has 7 workers; ESync's summary.py reads six"));
  }
}

class StoreViews : public testing::Test {
 protected:
  void put(const summary::RunData& data) {
    store::StoreWriter writer(path);
    writer.createRun(data.run, data.nodes);
    std::vector<StampedEvent> events;
    summary::eachList(data, [&](const auto& rows) {
      for (const auto& row : rows) events.push_back({.run = data.run.id, .node = row.node, .seq = row.seq, .event = row.record});
    });
    writer.append(events);
  }
  const TempFolder folder{};
  std::string path = folder / "store.db";
};

// What the program's own summary says is what a person's query gets.
TEST_F(StoreViews, SayWhatTheSummarySays) {
  summary::RunData data = twoWorkers();
  data.evaluations.push_back({.node = "w1", .seq = 30, .record = {.round = 3, .t = 24, .accuracy = 0.9, .loss = 1, .samples = 1, .seconds = 1}});
  put(data);
  const store::StoreReader reader(path);
  const summary::RunSummary numbers = summary::summarise(summary::loadRun(reader, reader.find("r1").value()));
  store::Database database(path, store::Database::Mode::kRead);
  store::Statement row = database.statement("SELECT workers, samples, window_s, best_accuracy, last_accuracy, evaluations, bytes_sent FROM runs_flat WHERE run = 'r1'");
  ASSERT_TRUE(row.step());
  EXPECT_EQ(row.next<std::int64_t>(), 2);
  EXPECT_EQ(row.next<std::int64_t>(), numbers.samples);
  EXPECT_EQ(row.next<double>(), numbers.wallSeconds);
  EXPECT_EQ(row.next<double>(), numbers.accuracyBest.value_or(-1));
  EXPECT_EQ(row.next<double>(), numbers.accuracyLast.value_or(-1));
  EXPECT_EQ(row.next<std::int64_t>(), 2);  // the longest series is the run's own: that of w0
  EXPECT_EQ(row.next<std::int64_t>(), numbers.bytesSent);
  EXPECT_EQ(database.number("SELECT count(*) FROM rounds_named WHERE run_name = 'two' AND node = 'w1' AND role = 'worker'"), 3);
  EXPECT_EQ(database.number("SELECT sum(samples) FROM rounds_named"), numbers.samples);
  EXPECT_EQ(database.number("SELECT count(*) FROM evaluations_named WHERE algorithm = 'ssgd' AND accuracy > 0.8"), 2);
}

TEST_F(StoreViews, LetDecideWhatIsHeldOut) {
  summary::RunData data = twoWorkers();
  data.evaluations[0].record.validationAccuracy = 0.7, data.evaluations[1].record.validationAccuracy = 0.6, data.evaluations[1].record.validationLoss = 0.25;
  put(data);
  const store::StoreReader reader(path);
  const summary::RunSummary numbers = summary::summarise(summary::loadRun(reader, reader.find("r1").value()));
  store::Database database(path, store::Database::Mode::kRead);
  store::Statement row = database.statement("SELECT best_accuracy, best_validation_accuracy, last_accuracy FROM runs_flat WHERE run = 'r1'");
  ASSERT_TRUE(row.step());
  EXPECT_EQ(row.next<double>(), numbers.accuracyBest.value_or(-1));
  EXPECT_EQ(row.next<double>(), numbers.validationBest.value_or(-1));
  EXPECT_EQ(row.next<double>(), 0.85);
  EXPECT_EQ(database.number("SELECT count(*) FROM evaluations_named WHERE validation_accuracy = 0.6 AND validation_loss = 0.25"), 1);
}

TEST_F(StoreViews, TakeTheMeanBeforeAnEvaluatorBeforeAWorker) {
  summary::RunData data = twoWorkers();
  store::NodeRow evaluator;
  evaluator.run = "r1", evaluator.id = "e", evaluator.role = "evaluator", evaluator.rank = -1;
  data.nodes.push_back(evaluator);
  data.evaluations.push_back({.node = "e", .seq = 30, .record = {.round = 3, .t = 24, .accuracy = 0.25, .loss = 1, .samples = 1, .seconds = 1}});
  put(data);
  const auto best = [this] { return store::Database(path, store::Database::Mode::kRead).text("SELECT best_accuracy FROM runs_flat"); };
  EXPECT_EQ(best(), "0.25");
  {
    store::StoreWriter writer(path);
    writer.append(std::vector{StampedEvent{.run = "r1", .node = "w0", .seq = 31, .event = EvaluationRecord{.round = 3, .t = 24, .accuracy = 0.125, .loss = 1, .samples = 1, .seconds = 1, .of = "mean"}}});
  }
  EXPECT_EQ(best(), "0.125");
}

TEST_F(StoreViews, HoldEveryColumnOfTheirTables) {
  { const store::StoreWriter writer(path); }
  store::Database database(path, store::Database::Mode::kRead);
  EXPECT_EQ(database.number("SELECT count(*) FROM pragma_table_info('round') WHERE name NOT IN ('key', 'node') AND name NOT IN (SELECT name FROM pragma_table_info('rounds_named'))"), 0);
  EXPECT_EQ(database.number("SELECT count(*) FROM pragma_table_info('evaluation') WHERE name NOT IN ('key', 'node') AND name NOT IN (SELECT name FROM pragma_table_info('evaluations_named'))"), 0);
}

class Verify : public testing::Test {
 protected:
  Verify() {
    const RunSpec spec = parseRunSpec(R"({"paceline": 1, "algorithm": {"id": "ssgd"}, "model": {"id": "lenet"}, "dataset": {"id": "synthetic"}, "seed": 3, "stop": {"rounds": 3}, "nodes": [{"id": "w0", "role": "worker"}, {"id": "w1", "role": "worker"}, {"id": "s0", "role": "server"}]})").spec;
    data.run.specText = toJsonText(spec), data.run.configHash = configHash(spec), data.run.groupHash = groupHash(spec);
    data.run.algorithm = "ssgd", data.run.model = "lenet", data.run.dataset = "synthetic";
  }
  std::map<std::string, interchange::Check> checks() const {
    std::map<std::string, interchange::Check> all;
    for (const interchange::Check& check : interchange::checksOf(data, {{"paceline", "9.9"}})) all[check.id] = check;
    return all;
  }
  summary::RunData data = twoWorkers();
};

TEST_F(Verify, ARunThatIsWhole) {
  for (const auto& [id, check] : checks()) EXPECT_TRUE(check.holds) << id << ": " << check.words;
  EXPECT_THAT(checks()["records"].words, HasSubstr("5 rounds without a gap, 2 evaluations"));
}

TEST_F(Verify, ADocumentThatWasChangedIsSaid) {
  data.run.specText.replace(data.run.specText.find("\"seed\":3"), 8, "\"seed\":4");
  EXPECT_FALSE(checks()["document"].holds);
}

TEST_F(Verify, RoundsThatNobodyMadeWhileAWorkerWasAwayAreNotMissing) {
  std::erase_if(data.rounds, [](const store::RoundRow& row) { return row.node == "w1" && row.record.round == 2; });
  store::NoticeRow again;
  again.node = "w1", again.record.reason = "restarted";
  data.notices.push_back(again);
  EXPECT_TRUE(checks()["records"].holds) << checks()["records"].words;
  EXPECT_THAT(checks()["records"].words, HasSubstr("4 rounds without a gap but those of w1, started again"));
  EXPECT_THAT(checks()["traffic"].words, AnyOf(HasSubstr("the other workers"), HasSubstr("no link is recorded")));
}

TEST_F(Verify, ARoundThatIsMissingOrTwiceIsSaid) {
  auto lost = data;
  std::erase_if(data.rounds, [](const store::RoundRow& row) { return row.node == "w1" && row.record.round == 2; });
  EXPECT_THAT(checks()["records"].words, HasSubstr("w1 has 2 rounds from 1 to 3: some are missing"));
  data = lost;
  data.rounds.push_back(data.rounds.front());
  EXPECT_THAT(checks()["records"].words, HasSubstr("round 1 of w0 is there twice"));
  data = lost;
  data.rounds[0].node = "w7";
  EXPECT_THAT(checks()["records"].words, HasSubstr("a round is of \"w7\", which is no node of the run"));
}

TEST_F(Verify, AnAccuracyThatIsNoFractionIsSaid) {
  data.evaluations[1].record.accuracy = 1.5;
  EXPECT_FALSE(checks()["records"].holds);
  EXPECT_THAT(checks()["records"].words, HasSubstr("is 1.5, which is no fraction"));
}

TEST_F(Verify, ItTellsWhatElseTheRunWasMadeWith) {
  data.run.versions = R"({"paceline": "0.1", "torch": "1.13"})";
  EXPECT_EQ(checks()["environment"].words, "Paceline 0.1, LibTorch 1.13; here it is Paceline 9.9");
}

TEST_F(Verify, AChangedBundleIsRefusedAndOneWithoutAChecksumIsTaken) {
  const TempFolder folder{};
  const std::string text = interchange::runToJson(data);
  const auto taken = [&](const std::string& name, const std::string& bundle) {
    writeText(folder / name, bundle);
    store::StoreWriter writer(folder / name + ".db");
    return interchange::importPath(writer, folder / name).size();
  };
  EXPECT_EQ(taken("whole.json", text), 1U);
  EXPECT_EQ(interchange::checksumHolds(folder / "whole.json"), true);
  std::string changed = text;
  changed.replace(changed.find("\"accuracy\":0.85"), 15, "\"accuracy\":0.86");
  EXPECT_THROW(taken("changed.json", changed), Error);
  EXPECT_EQ(interchange::checksumHolds(folder / "changed.json"), false);
  const std::string without = text.substr(0, text.rfind(",\n\"sha256\"")) + "\n}\n";
  EXPECT_EQ(taken("without.json", without), 1U);
  EXPECT_EQ(interchange::checksumHolds(folder / "without.json"), std::nullopt);
}

}  // namespace
}  // namespace paceline::tests

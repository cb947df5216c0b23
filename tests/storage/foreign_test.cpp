// Runs of TensorBoard, MLflow and Weights & Biases as those tools wrote them (fixtures/foreign/make_foreign.py), and tables of numbers.
#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "storage/interchange/foreign/event_file.h"
#include "storage/interchange/interop.h"
#include "storage/store/sqlite.h"
#include "storage/summary/summary.h"
#include "tests/storage/samples.h"

namespace paceline::tests {
namespace {

using interchange::ImportProfile;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string kForeign = strCat(PACELINE_SOURCE_DIR, "/tests/storage/fixtures/foreign");

class Foreign : public testing::Test {
 protected:
  std::vector<summary::RunData> imported(const std::string& path, const ImportProfile& profile = {}) {
    {
      store::StoreWriter writer(store);
      ids = interchange::importPath(writer, path, profile);
    }
    const store::StoreReader reader(store);
    std::vector<summary::RunData> runs;
    for (const std::string& id : ids) runs.push_back(summary::loadRun(reader, reader.find(id).value()));
    return runs;
  }
  std::string refused(const std::string& path, const ImportProfile& profile = {}) {
    try {
      imported(path, profile);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  std::string write(const std::string& name, const std::string& text) {
    writeText(folder / name, text);
    return folder / name;
  }
  static std::vector<double> seriesOf(const summary::RunData& run, const std::string& name) {
    std::vector<double> values;
    for (const store::MetricRow& row : run.metrics)
      if (row.record.name == name) values.push_back(row.record.value);
    return values;
  }
  static std::vector<double> accuraciesOf(const summary::RunData& run) {
    std::vector<double> values;
    for (const store::EvaluationRow& row : run.evaluations) values.push_back(row.record.accuracy);
    return values;
  }

  const TempFolder folder{};
  std::string store = folder / "store.db";
  std::vector<std::string> ids;
};

ImportProfile profileOf(const std::string& assignments) {
  ImportProfile profile;
  profile.take(assignments);
  return profile;
}

TEST_F(Foreign, EventFilesOfTensorBoardWithBothKindsOfScalars) {
  const std::vector<summary::RunData> runs = imported(kForeign + "/tensorboard");
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].run.name, "tensorboard/seed1");
  EXPECT_EQ(runs[0].run.source, "TensorBoard");
  EXPECT_EQ(runs[0].run.seed, 7U);
  EXPECT_EQ(runs[0].run.model, "lenet");
  EXPECT_THAT(accuraciesOf(runs[0]), ElementsAre(0.5625, 0.625, 0.6875, 0.75));
  ASSERT_EQ(runs[0].rounds.size(), 8U);
  EXPECT_EQ(runs[0].rounds[3].record.loss, 0.5);
  EXPECT_EQ(runs[0].rounds[3].record.round, 4);
  EXPECT_EQ(runs[0].rounds[3].record.t, 4);
  EXPECT_EQ(seriesOf(runs[0], "train/loss").size(), 8U);
  EXPECT_THAT(runs[0].run.versions, HasSubstr(R"("lr":0.25)"));
  EXPECT_THAT(runs[0].run.notes, HasSubstr("\"val_acc\" is taken as the accuracy."));
  const summary::RunSummary numbers = summary::summarise(runs[0], {.targetAccuracy = 0.7});
  EXPECT_EQ(numbers.timeToTargetSeconds.value_or(-1), 8);
  EXPECT_TRUE(std::isnan(numbers.throughputSamplesPerSecond));  // nobody told of samples, which is not 0
}

TEST_F(Foreign, ATableWithoutTimesTellsOfNoThroughput) {
  const std::vector<summary::RunData> runs = imported(write("m.csv", "step,loss,accuracy\n1,2,0.25\n2,1,0.5\n"), profileOf("step=step,loss=loss"));
  ASSERT_EQ(runs.size(), 1U);
  const summary::RunSummary numbers = summary::summarise(runs[0], {});
  EXPECT_EQ(numbers.rounds, 2);
  EXPECT_TRUE(std::isnan(numbers.throughputSamplesPerSecond));
  EXPECT_TRUE(std::isnan(numbers.trafficBytesPerSecond));
}

TEST_F(Foreign, AColumnOfNumbersWithAWordInItIsRefused) {
  try {
    imported(write("m.csv", "step,host,loss\n1,a,2\n2,b,\n3,c,N/A\n4,d,oops\n"));
    FAIL() << "it was taken";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("m.csv: line 5, column \"loss\": must be a number as in its other lines, it is \"oops\""));
  }
  EXPECT_TRUE(store::StoreReader(store).runs().empty());
  const std::vector<summary::RunData> runs = imported(write("m.csv", "step,host,loss\n1,a,2\n2,b,\n3,c,N/A\n4,d, inf\n"));
  ASSERT_EQ(runs.at(0).rounds.size(), 2U);
  EXPECT_EQ(runs[0].rounds[1].record.loss, std::numeric_limits<double>::infinity());
  EXPECT_THAT(runs[0].run.notes, HasSubstr("Column \"host\" has no number in it and is left out."));
}

TEST_F(Foreign, AFileThatGrewGivesWhatIsNew) {
  const std::string source = readText(kForeign + "/tensorboard/seed1/events.out.tfevents.1700000000.host");
  std::size_t before = 0;
  for (const std::size_t length : {source.size() / 3, source.size() * 2 / 3, source.size() - 1, source.size()}) {
    write("events.out.tfevents.1", source.substr(0, length));
    const std::vector<summary::RunData> runs = imported(folder / "events.out.tfevents.1");
    ASSERT_EQ(runs.size(), 1U);
    EXPECT_GE(runs[0].metrics.size(), before);
    before = runs[0].metrics.size();
  }
  EXPECT_EQ(before, 12U);
  EXPECT_EQ(store::StoreReader(store).runs().size(), 1U);
}

TEST_F(Foreign, ADamagedEventFileGivesWhatIsBeforeTheDamage) {
  std::string bytes = readText(kForeign + "/tensorboard/seed1/events.out.tfevents.1700000000.host");
  bytes[bytes.size() - 10] = static_cast<char>(bytes[bytes.size() - 10] ^ 1);
  const std::vector<summary::RunData> runs = imported(write("events", bytes));
  EXPECT_EQ(runs.at(0).metrics.size(), 11U);
  EXPECT_THAT(runs[0].run.notes, HasSubstr("events: it is damaged at byte"));
}

// Every beginning and every changed byte: no crash, no more numbers than there are.
TEST_F(Foreign, WhateverBecameOfTheFilesNothingIsMadeUp) {
  for (const char* file : {"/tensorboard/seed1/events.out.tfevents.1700000000.host", "/run.wandb"}) {
    const std::string whole = readText(kForeign + file).substr(0, 4000);
    for (std::size_t i = 8; i < whole.size(); i += 37) {
      for (const bool cut : {true, false}) {
        std::string bytes = cut ? whole.substr(0, i) : whole;
        if (!cut) bytes[i] = static_cast<char>(~bytes[i]);
        const std::string path = write("foreign", bytes);
        const interchange::ForeignFormat* format = interchange::foreignFormatOf(path, interchange::Told::kImport);
        if (format == nullptr) continue;
        for (const interchange::ForeignRun& run : format->read(path, {}))
          for (const interchange::ForeignSeries& series : run.series) EXPECT_LE(series.points.size(), 100U);
      }
    }
  }
}

TEST_F(Foreign, ASessionThatBeganAnewSupersedesWhatFollowsIt) {
  const std::vector<summary::RunData> runs = imported(kForeign + "/restarted");
  EXPECT_THAT(accuraciesOf(runs.at(0)), ElementsAre(0.125, 0.25, 0.875, 1));  // the first session's 3 and 4 are gone
}

TEST_F(Foreign, RunsOfMlflowsFolder) {
  const std::vector<summary::RunData> runs = imported(kForeign + "/mlruns");
  ASSERT_EQ(runs.size(), 2U);
  for (const summary::RunData& run : runs) {
    EXPECT_EQ(run.run.source, "MLflow");
    EXPECT_EQ(run.run.name, strCat("seed ", run.run.seed));
    EXPECT_THAT(run.run.tags, ElementsAre("colour:red"));
    const double shift = static_cast<double>(run.run.seed) / 64;
    EXPECT_THAT(accuraciesOf(run), ElementsAre(0.125 + shift, 0.25 + shift, 0.375 + shift, 0.5 + shift));
    EXPECT_THAT(seriesOf(run, "train/loss"), ElementsAre(2.0, 1.0, 2.0 / 3, 0.5));
    const std::vector<double> odd = seriesOf(run, "odd");
    ASSERT_EQ(odd.size(), 2U);
    EXPECT_TRUE(std::isinf(odd[0]) && std::isnan(odd[1]));
  }
}

TEST_F(Foreign, RunsOfMlflowsDatabase) {
  {
    store::Database database(folder / "any.name", store::Database::Mode::kWrite);
    database.execute("CREATE TABLE experiments(experiment_id INTEGER, name TEXT); CREATE TABLE runs(run_uuid TEXT, name TEXT, status TEXT, start_time INTEGER, end_time INTEGER, lifecycle_stage TEXT);"
                     "CREATE TABLE metrics(key TEXT, value REAL, timestamp INTEGER, run_uuid TEXT, step INTEGER, is_nan INTEGER); CREATE TABLE params(key TEXT, value TEXT, run_uuid TEXT);"
                     "CREATE TABLE tags(key TEXT, value TEXT, run_uuid TEXT);"
                     "INSERT INTO runs VALUES('r1', 'kept', 'FINISHED', 1700000000000, 1700000005000, 'active'), ('r2', 'gone', 'FAILED', 1700000000000, NULL, 'deleted'), ('r3', NULL, 'FAILED', 1700000001000, NULL, 'active');"
                     "INSERT INTO params VALUES('seed', '9', 'r1'); INSERT INTO tags VALUES('mlflow.note.content', 'a note', 'r1');"
                     "INSERT INTO metrics VALUES('acc', 0.25, 1700000001000, 'r1', 1, 0), ('acc', 0.5, 1700000002500, 'r1', 2, 0), ('odd', 1.7976931348623157e308, 1700000002500, 'r1', 2, 0), ('odd', 0, 1700000002500, 'r1', 3, 1);");
  }
  const std::vector<summary::RunData> runs = imported(folder / "any.name");
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].run.seed, 9U);
  EXPECT_EQ(runs[0].run.endedUtc, 1700000005);
  EXPECT_THAT(runs[0].run.notes, HasSubstr("a note"));
  EXPECT_THAT(accuraciesOf(runs[0]), ElementsAre(0.25, 0.5));
  EXPECT_EQ(runs[0].evaluations[1].record.t, 2.5);
  EXPECT_TRUE(std::isinf(seriesOf(runs[0], "odd").at(0)) && std::isnan(seriesOf(runs[0], "odd").at(1)));
  EXPECT_EQ(runs[1].run.name, "r3");
  EXPECT_EQ(runs[1].run.error, "it failed");
}

TEST_F(Foreign, ALocalRunOfWeightsAndBiases) {
  const std::vector<summary::RunData> runs = imported(kForeign + "/run.wandb");
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].run.name, "a run");
  EXPECT_EQ(runs[0].run.seed, 5U);
  EXPECT_THAT(runs[0].run.tags, ElementsAre("x"));
  EXPECT_THAT(runs[0].run.notes, HasSubstr("a note\nImported from"));
  EXPECT_THAT(runs[0].run.versions, HasSubstr(R"("opt.momentum":0.9)"));
  ASSERT_EQ(runs[0].evaluations.size(), 100U);
  EXPECT_EQ(runs[0].evaluations[99].record.accuracy, 100 / 128.0);
  ASSERT_EQ(runs[0].rounds.size(), 100U);
  EXPECT_EQ(runs[0].rounds[3].record.loss, 0.5);
  const std::vector<double> odd = seriesOf(runs[0], "odd");
  EXPECT_TRUE(std::isinf(odd.at(1)) && std::isnan(odd.at(2)));
  EXPECT_GT(runs[0].run.endedUtc, runs[0].run.startedUtc - 1);
}

TEST_F(Foreign, AnotherVersionOfItsFormatIsRefusedByName) {
  std::string bytes = readText(kForeign + "/run.wandb");
  bytes[6] = 3;
  EXPECT_THAT(refused(write("run.wandb", bytes)), HasSubstr("is of version 3 of Weights & Biases' format; version 0 is read"));
}

TEST_F(Foreign, ATableWithAColumnASeries) {
  const std::string path = write("any", "\xEF\xBB\xBFiteration;accuracy;\"loss; of training\"\n1;0.25;\n2;0.5;nan\n\n3;0.75;\"1.5\"\n");
  const std::vector<summary::RunData> runs = imported(path, profileOf("loss=loss; of training"));
  EXPECT_THAT(accuraciesOf(runs.at(0)), ElementsAre(0.25, 0.5, 0.75));
  ASSERT_EQ(runs[0].rounds.size(), 2U);
  EXPECT_TRUE(std::isnan(runs[0].rounds[0].record.loss));
  EXPECT_EQ(runs[0].rounds[1].record.loss, 1.5);
  EXPECT_TRUE(std::isnan(runs[0].evaluations[0].record.t));  // the table tells no times
}

TEST_F(Foreign, ATableWithARowANumber) {
  const std::string path = write("long.csv", "run,tag,step,value\na,acc,1,0.1\nb,acc,1,0.2\na,acc,2,0.3\n");
  const std::vector<summary::RunData> runs = imported(path, profileOf("name=tag,value=value"));
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].run.name, "a");
  EXPECT_THAT(accuraciesOf(runs[0]), ElementsAre(0.1, 0.3));
  EXPECT_THAT(accuraciesOf(runs[1]), ElementsAre(0.2));
}

TEST_F(Foreign, AnAccuracyInPercentIsDividedAndSaid) {
  const summary::RunData run = imported(write("t.csv", "step,acc\n1,12.5\n2,75\n")).at(0);
  EXPECT_THAT(accuraciesOf(run), ElementsAre(0.125, 0.75));
  EXPECT_THAT(run.run.notes, HasSubstr("\"acc\" is taken as the accuracy, in percent: divided by 100."));
  EXPECT_THAT(seriesOf(run, "acc"), ElementsAre(12.5, 75));
}

TEST_F(Foreign, WhatCannotBeIsRefusedWithPlaceAndValue) {
  EXPECT_THAT(refused(write("a.csv", "step,acc\n1,0.5\nx,0.5\n")), HasSubstr("a.csv: line 3, column \"step\": must be a whole number, it is \"x\""));
  EXPECT_THAT(refused(write("b.csv", "step,acc\n1,0.5\n2\n")), HasSubstr("b.csv: line 3 has 1 fields, the first row 2"));
  EXPECT_THAT(refused(write("c.csv", "when,acc\n1,0.5\n")), HasSubstr("c.csv: no column is known to be the step; --map step=COLUMN says which: when, acc"));
  EXPECT_THAT(refused(folder / "c.csv", profileOf("step=what")), HasSubstr("c.csv: has no column \"what\" for step; have when, acc"));
  EXPECT_THAT(refused(folder / "c.csv", profileOf("step=when,accuracy=no")), HasSubstr("c.csv: has no series \"no\" for accuracy"));
  EXPECT_THAT(refused(write("d.txt", "Some words.\n")), HasSubstr("d.txt: nothing that Paceline can import: a bundle of Paceline"));
  EXPECT_THROW(profileOf("color=x"), Error);
  EXPECT_THROW(profileOf("accuracy"), Error);
  EXPECT_TRUE(store::StoreReader(store).runs().empty());
}

TEST_F(Foreign, AProfileIsAJsonObjectOfNames) {
  EXPECT_EQ(*ImportProfile::fromJson(R"({"accuracy": "a"})", "p").find("accuracy"), "a");
  const auto why = [](const std::string& text) {
    try {
      ImportProfile::fromJson(text, "p.json");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(why("[]"), HasSubstr("p.json: must be an object such as"));
  EXPECT_THAT(why(R"({"accuracy": 3})"), HasSubstr("p.json: accuracy must be a name, it is"));
  EXPECT_THAT(why(R"({"acc": "x"})"), HasSubstr("p.json: \"acc\" is nothing that an import looks for"));
}

}  // namespace
}  // namespace paceline::tests

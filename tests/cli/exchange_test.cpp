// import and export round trips.
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/cli/program.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

using Json = nlohmann::json;
namespace fs = std::filesystem;

class Exchange : public Desk {
 protected:
  static std::string textOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  // Path below the folder -> content of every file.
  static std::map<std::string, std::string> treeOf(const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.is_regular_file()) files[fs::relative(entry.path(), folder).string()] = textOf(entry.path());
    return files;
  }
};

TEST_F(Exchange, AnExportedEsyncTreeComesBackTheSame) {
  ASSERT_EQ(paceline({"simulate", writeSpec("tiny.json")}).code, 0);
  ASSERT_EQ(paceline({"export", "tiny", "--format", "esync", "-o", path("tree")}).code, 0);
  const auto tree = treeOf(path("tree"));
  EXPECT_EQ(tree.size(), 12u);  // six rounds of two workers
  const Json imported = json({"import", path("tree"), "--json"});
  ASSERT_EQ(imported["runs"].size(), 1u);
  EXPECT_EQ(imported["runs"][0]["state"], "imported");
  ASSERT_EQ(paceline({"export", imported["runs"][0]["id"], "--format", "esync", "-o", path("again")}).code, 0);
  EXPECT_EQ(treeOf(path("again")), tree);
  EXPECT_EQ(paceline({"summary", imported["runs"][0]["id"], "--format", "esync"}).out,
            paceline({"summary", "tiny", "--format", "esync"}).out);
}

TEST_F(Exchange, SeedsOfOneModeAreRefusedBeforeAnythingIsWritten) {
  const std::string spec = writeSpec("tiny.json");
  const std::string one = json({"simulate", spec, "--json", "--name", "one"})["runs"][0]["id"], two = json({"simulate", spec, "--json", "--name", "two", "--set", "/seed=2"})["runs"][0]["id"];
  for (const char* format : {"esync", "esync-original"}) {
    const Outcome refused = paceline({"export", one, two, "--format", format, "-o", path("tree")});
    EXPECT_EQ(refused.code, 1);
    EXPECT_THAT(refused.err, HasSubstr("\"one\" (" + one + ") and \"two\" (" + two + ") would go to the same folder of an ESync log tree, that of logistic with ssgd; nothing was written"));
    EXPECT_FALSE(fs::exists(path("tree")));
  }
}

TEST_F(Exchange, AMethodWithoutAPlaceIsRefusedBeforeAnythingIsWritten) {
  ASSERT_EQ(paceline({"simulate", writeSpec("one.json"), "--name", "one"}).code, 0);
  ASSERT_EQ(paceline({"simulate", writeSpec("two.json"), "--name", "two", "--set", "/algorithm={\"id\": \"local_sgd\"}"}).code, 0);
  const Outcome refused = paceline({"export", "one", "two", "--format", "esync", "-o", path("tree")});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, HasSubstr("\"local_sgd\" has no place in an ESync log tree"));
  EXPECT_FALSE(fs::exists(path("tree")));
}

TEST_F(Exchange, JsonGoesToAnotherStoreWithoutLoss) {
  ASSERT_EQ(paceline({"simulate", writeSpec("tiny.json")}).code, 0);
  ASSERT_EQ(paceline({"export", "tiny", "--format", "json", "-o", path("tiny.run.json")}).code, 0);
  const std::string summary = paceline({"summary", "tiny"}).out;
  const std::string other = path("other.db");
  const Outcome import = paceline({"import", path("tiny.run.json"), "--store", other});
  EXPECT_EQ(import.code, 0) << import.err;
  EXPECT_THAT(import.out, StartsWith("imported "));
  EXPECT_EQ(paceline({"summary", "tiny", "--store", other}).out, summary);
}

TEST_F(Exchange, CsvHasARowPerRound) {
  ASSERT_EQ(paceline({"simulate", writeSpec("tiny.json")}).code, 0);
  ASSERT_EQ(paceline({"export", "tiny", "--format", "csv", "-o", path("tiny.csv")}).code, 0);
  const std::string text = textOf(path("tiny.csv"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 12);
}

TEST_F(Exchange, SeveralRunsBecomeFilesOfAFolder) {
  ASSERT_EQ(paceline({"simulate", writeSpec("one.json"), "--name", "one"}).code, 0);
  ASSERT_EQ(paceline({"simulate", writeSpec("two.json"), "--name", "two"}).code, 0);
  ASSERT_EQ(paceline({"export", "one", "two", "--format", "json", "-o", path("all")}).code, 0);
  EXPECT_EQ(treeOf(path("all")).size(), 2u);
}

TEST_F(Exchange, SummariesHaveFourFormats) {
  ASSERT_EQ(paceline({"simulate", writeSpec("tiny.json")}).code, 0);
  EXPECT_THAT(paceline({"summary", "tiny", "--format", "csv"}).out, HasSubstr("tiny"));
  EXPECT_THAT(paceline({"summary", "tiny", "--format", "latex"}).out, HasSubstr("\\toprule"));
  EXPECT_TRUE(Json::parse(paceline({"summary", "tiny", "--format", "esync"}).out).is_object());
  ASSERT_EQ(paceline({"summary", "tiny", "-o", path("s.json")}).code, 0);
  EXPECT_EQ(textOf(path("s.json")), paceline({"summary", "tiny"}).out);
}

TEST_F(Exchange, TablesSayWhichRunsDivergedAndWhen) {
  const std::string spec = writeSpec("tiny.json");
  const Outcome ran = paceline({"simulate", spec, "--name", "far", "--set", "/algorithm/params/learning_rate=1e38"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  const std::string said = "far: in round 2 the loss is NaN: training has diverged (w0, after 0.2 s)";
  EXPECT_THAT(ran.out, HasSubstr(said));
  ASSERT_EQ(paceline({"simulate", spec, "--name", "near"}).code, 0);
  for (const std::vector<std::string>& format : {std::vector<std::string>{"markdown"}, {"markdown", "--grouped"}, {"latex"}}) {
    std::vector<std::string> command = {"summary", "far", "near", "--format"};
    command.insert(command.end(), format.begin(), format.end());
    const std::string table = paceline(command).out;
    EXPECT_THAT(table, HasSubstr(said)) << format.back();
    EXPECT_THAT(table, ::testing::Not(HasSubstr("near: in round"))) << format.back();
  }
}

// Names of runs come from other people: what they hold never moves the cursor or changes colours.
TEST_F(Exchange, ControlCharactersOfImportedNamesAreNotPrinted) {
  ASSERT_EQ(paceline({"simulate", writeSpec("tiny.json")}).code, 0);
  ASSERT_EQ(paceline({"export", "tiny", "--format", "json", "-o", path("tiny.run.json")}).code, 0);
  Json bundle = Json::parse(textOf(path("tiny.run.json")));
  bundle["run"]["name"] = "\x1b[31mred\x07\nline\xc2\x9b";
  bundle["run"]["id"] = "01evil";
  write("evil.json", bundle.dump());
  const Outcome import = paceline({"import", path("evil.json")});
  EXPECT_EQ(import.code, 0) << import.err;
  const Outcome list = paceline({"runs"}), unknown = paceline({"summary", "\x1b[2Jnone"});
  EXPECT_THAT(list.out, HasSubstr("?[31mred??line"));
  EXPECT_NE(unknown.code, 0);
  for (const std::string& text : {import.err, list.out, list.err, unknown.err}) EXPECT_EQ(text.find_first_of("\x1b\x07\x9b"), std::string::npos) << text;
  EXPECT_EQ(json({"runs", "--json"})["runs"].size(), 2u);
}

TEST_F(Exchange, ABundleOfManyLevelsIsRefused) {
  write("deep.json", std::string(100000, '[') + std::string(100000, ']'));
  expectRefusal({"import", path("deep.json")}, path("deep.json") + ": is not a Paceline bundle: it is nested deeper than 64 levels");
}

TEST_F(Exchange, RefusesABrokenTreeWhole) {
  fs::create_directories(path("logs/resnet18-v1/esync/cloud1/cpu"));
  write("logs/resnet18-v1/esync/cloud1/cpu/iter-1.txt", "{\"num_iters\": 1,");
  const Outcome outcome = paceline({"import", path("logs")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("iter-1.txt"));
  EXPECT_THAT(outcome.err, HasSubstr("is not JSON"));
  EXPECT_EQ(json({"runs", "--json"})["runs"].size(), 0u);
}

}  // namespace
}  // namespace paceline::tests

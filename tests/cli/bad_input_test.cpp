// Documents that cannot be run: each mistake is told once, with its place, and nothing is stored.
#include <algorithm>
#include <filesystem>

#include "engine/core/base/error.h"
#include "tests/cli/program.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

class BadInput : public Desk {
 protected:
  // run and validate say the same line; run stores nothing.
  void expectFinding(const std::string& spec, const std::string& line) {
    expectRefusal({"run", spec}, spec + ": " + line);
    EXPECT_FALSE(std::filesystem::exists(store()));
    const Outcome outcome = paceline({"validate", spec});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.out, spec + ": " + line + "\n");
    EXPECT_EQ(outcome.err, "paceline: " + spec + " has 1 error\n");
  }
};

TEST_F(BadInput, UnknownAlgorithm) {
  const std::string spec = writeSpec("a.json", {{"algorithm", {{"id", "sgdd"}, {"params", nullptr}}}});
  const Outcome outcome = paceline({"validate", spec});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, MatchesRegex(".*/algorithm/id: algorithm \"sgdd\" is not known; have ([a-z_]+, )*asgd, ([a-z_]+, )*ssgd, ([a-z_]+, )*standalone(, [a-z_]+)*\n"));
}

TEST_F(BadInput, UnknownKey) {
  const std::string spec = writeSpec("a.json", {{"batchsize", 3}});
  const Outcome outcome = paceline({"run", spec});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, StartsWith("paceline: " + spec + ": /batchsize: unknown key; have "));
  EXPECT_THAT(outcome.err, HasSubstr("batch_size"));
}

TEST_F(BadInput, UnknownDevice) {
  nlohmann::json spec = tinySpec();
  spec["nodes"][1]["device"] = "cuda:17";
  const std::string file = write("a.json", spec.dump());
  const Outcome outcome = paceline({"validate", file});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, StartsWith(file + ": /nodes/1/device: device \"cuda:17\" is not on this host; have cpu"));
}

TEST_F(BadInput, UnknownHost) {
  nlohmann::json spec = tinySpec();
  spec["nodes"][2]["host"] = "cloud9";
  expectFinding(write("a.json", spec.dump()), "/nodes/2/host: host \"cloud9\" is not known; have local");
}

TEST_F(BadInput, GroupsThatMissAWorker) {
  expectFinding(writeSpec("a.json", {{"algorithm", {{"id", "grouping_sgd"}}}, {"groups", {{"w0"}}}}), "/groups: worker \"w1\" is in no group");
}

TEST_F(BadInput, OutOfBounds) {
  nlohmann::json spec = tinySpec();
  spec["nodes"][2]["emulate"]["slowdown"] = 0.2;
  expectFinding(write("a.json", spec.dump()), "/nodes/2/emulate/slowdown: Slowdown must be at least 1; it is 0.2.");
}

TEST_F(BadInput, ManyLevels) {
  expectFinding(write("a.json", std::string(100000, '[') + std::string(100000, ']')), "is nested deeper than 64 levels");
}

TEST_F(BadInput, AFileWithoutEnd) {
  expectRefusal({"validate", "/dev/zero"}, "cannot read /dev/zero: it has more than 67 MB, too much for a document");
  expectRefusal({"import", "/dev/zero"}, "/dev/zero: is no regular file");
}

// 20 000 workers, each joined with all: 2e8 edges, which nobody may make to say that they are too many.
TEST_F(BadInput, ACompleteGraphOfManyWorkers) {
  nlohmann::json spec = tinySpec();
  spec.erase("aggregation"), spec.erase("evaluate");
  spec["algorithm"] = {{"id", "d_sgd"}};
  spec["topology"] = {{"id", "complete"}};
  spec["dataset"]["params"]["train_count"] = 1000000;
  spec["nodes"] = nlohmann::json::array();
  for (int i = 0; i < 20000; ++i) spec["nodes"].push_back({{"id", strCat("w", i)}});
  const std::string file = write("a.json", spec.dump());
  const Outcome outcome = paceline({"validate", file});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr(file + ": /topology/params: Topology \"complete\" joins 199990000 pairs of 20000 workers; at most 1000000 are allowed.\n"));
}

TEST_F(BadInput, OfTooManyMistakesTheFirstAreTold) {
  nlohmann::json spec = tinySpec();
  for (int i = 0; i < 20000; ++i) spec["edges"].push_back({strCat("x", i), "y"});
  const std::string file = write("a.json", spec.dump());
  const Outcome outcome = paceline({"validate", file});
  EXPECT_EQ(std::ranges::count(outcome.out, '\n'), 101);
  EXPECT_THAT(outcome.out, HasSubstr(file + ": There are more findings; these are the first.\n"));
  EXPECT_EQ(outcome.err, "paceline: " + file + " has 101 errors\n");
}

TEST_F(BadInput, NotJson) {
  const std::string spec = write("a.json", "{\"paceline\": 1,\n  name}\n");
  const Outcome outcome = paceline({"run", spec});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, MatchesRegex("paceline: .*a.json: [^\n]*line 2, column [0-9]+[^\n]*\n"));
}

TEST_F(BadInput, NoSuchFile) {
  expectRefusal({"run", path("none.json")}, "cannot read " + path("none.json") + ": No such file or directory");
}

TEST_F(BadInput, AFolder) { expectRefusal({"run", path("")}, "cannot read " + path("") + ": Is a directory"); }

TEST_F(BadInput, AssignmentWithoutAPlace) {
  const Outcome outcome = paceline({"run", writeSpec("a.json"), "--set", "/nodes/9/device=cpu"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err, "paceline: /nodes/9/device: there is no \"9\" in an array of 3\n");
}

TEST_F(BadInput, SeveralMistakesAreCounted) {
  const std::string spec = writeSpec("a.json", {{"batch_size", 0}, {"model", {{"id", "lenett"}}}});
  const Outcome run = paceline({"run", spec});
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.err, HasSubstr("(and 1 more: paceline validate " + spec + ")"));
  const Outcome outcome = paceline({"validate", spec});
  EXPECT_THAT(outcome.out, HasSubstr(spec + ": /batch_size: Batch size must be at least 1; it is 0.\n"));
  EXPECT_THAT(outcome.out, HasSubstr(spec + ": /model/id: model \"lenett\" is not known; have "));
  EXPECT_EQ(outcome.err, "paceline: " + spec + " has 2 errors\n");
}

TEST_F(BadInput, FindingsAsJson) {
  const auto document = json({"validate", writeSpec("a.json", {{"batch_size", 0}}), "--json"}, 1);
  ASSERT_EQ(document["findings"].size(), 1u);
  EXPECT_EQ(document["findings"][0],
            (nlohmann::json{{"pointer", "/batch_size"}, {"message", "Batch size must be at least 1; it is 0."}, {"error", true}}));
}

TEST_F(BadInput, ASuiteNamesTheMistakeOfItsPointsOnce) {
  nlohmann::json suite = {{"base", tinySpec()}, {"vary", {{"/seed", {1, 2, 3}}}}};
  suite["base"]["batch_size"] = 0;
  expectFinding(write("a.json", suite.dump()), "/batch_size: Batch size must be at least 1; it is 0.");
}

class Usage : public Desk {
 protected:
  void expectUsage(const std::vector<std::string>& arguments, const std::string& part) {
    const Outcome outcome = paceline(arguments);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, StartsWith("paceline: "));
    EXPECT_THAT(outcome.err, HasSubstr(part));
  }
};

TEST_F(Usage, WithoutACommand) { expectUsage({}, "subcommand"); }
TEST_F(Usage, UnknownOption) { expectUsage({"runs", "--jsn"}, "--jsn"); }
TEST_F(Usage, UnknownCommand) { expectUsage({"fly"}, "\"fly\" is no command of paceline"); }
TEST_F(Usage, MissingArgument) { expectUsage({"run"}, "spec"); }
TEST_F(Usage, UnknownFormat) { expectUsage({"summary", "x", "--format", "xml"}, "xml"); }
TEST_F(Usage, HelpIsNoError) {
  const Outcome outcome = paceline({"run", "--help"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("--set"));
}

TEST_F(Usage, OnlyExportsThatExistAreOffered) {
  for (const char* format : {"pickle", "bundle"}) expectUsage({"export", "x", "-o", path("x"), "--format", format}, "--format: " + std::string(format) + " not in");
}

}  // namespace
}  // namespace paceline::tests

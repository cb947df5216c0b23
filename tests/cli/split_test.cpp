// Who trains on which classes: asked before a run, recorded by it, drawn after it.
#include <fstream>

#include "tests/cli/program.h"

namespace paceline::tests {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;

class Split : public Desk {
 protected:
  Outcome split(const std::string& spec) { return shell("\"$(dirname \"$PACELINE\")/paceline-worker\" split " + spec); }
  std::string spec(const Json& partition) { return writeSpec("spec.json", {{"partition", partition}}); }
};

std::int64_t sum(const Json& counts) {
  std::int64_t all = 0;
  for (const Json& count : counts) all += count.get<std::int64_t>();
  return all;
}

TEST_F(Split, IsToldBeforeARunAndRecordedByIt) {
  const std::string file = spec({{"id", "dirichlet"}, {"params", {{"alpha", 0.3}, {"min_samples", 5}}}});
  const Outcome asked = split(file);
  ASSERT_EQ(asked.code, 0) << asked.err;
  const Json expected = Json::parse(asked.out);
  ASSERT_EQ(expected["workers"], (Json{"w0", "w1"}));
  ASSERT_EQ(paceline({"simulate", file, "--name", "skewed"}).code, 0);
  const Json run = json({"summary", "skewed", "--json"})["runs"][0];
  std::int64_t all = 0;
  for (std::size_t worker = 0; worker < 2; ++worker) {
    EXPECT_EQ(run["nodes"][worker]["label_counts"], expected["counts"][worker]);
    EXPECT_EQ(run["nodes"][worker]["train_samples"], sum(expected["counts"][worker]));
    all += sum(expected["counts"][worker]);
  }
  EXPECT_EQ(run["epoch_samples"], all);
  ASSERT_EQ(paceline({"figure", "label_distribution", "skewed", "-o", path("figures"), "--format", "csv"}).code, 0);
  std::ifstream csv(path("figures") + "/label_distribution.csv");
  const std::string text((std::istreambuf_iterator<char>(csv)), {});
  EXPECT_THAT(text, HasSubstr("class 3,w1," + expected["counts"][1][3].dump() + "\r\n"));
}

TEST_F(Split, OfADocumentThatIsStillBeingWritten) {
  const std::string file = write("half.json", R"({"paceline": 1, "dataset": {"id": "synthetic", "params": {"train_count": 90, "classes": 3}},
                                                  "partition": {"id": "by_class"}, "nodes": [{"id": "a"}, {"id": "b"}, {"id": "c"}]})");
  EXPECT_EQ(split(file).out, "{\"counts\":[[30,0,0],[0,30,0],[0,0,30]],\"workers\":[\"a\",\"b\",\"c\"]}\n");
  EXPECT_EQ(split("- < " + file).out, split(file).out);
}

TEST_F(Split, SaysInOneSentenceWhyThereIsNone) {
  const Outcome none = split(spec({{"id", "ratio"}, {"params", {{"path", "/no/such/file"}}}}));
  EXPECT_EQ(none.code, 1);
  EXPECT_EQ(none.err, "paceline-worker: partition \"ratio\": cannot read /no/such/file: No such file or directory\n");
  EXPECT_EQ(none.out, "");
  EXPECT_THAT(split(spec({{"id", "by_klass"}})).err, HasSubstr("partition \"by_klass\" is not known; have iid, contiguous"));
}

TEST_F(Split, SurvivesABundle) {
  ASSERT_EQ(paceline({"simulate", spec({{"id", "shared"}}), "--name", "shared"}).code, 0);
  const Json before = json({"summary", "shared", "--json"})["runs"][0];
  EXPECT_EQ(before["epoch_samples"], sum(before["nodes"][0]["label_counts"]));  // one worker's: all have the same
  ASSERT_EQ(paceline({"export", "shared", "--format", "json", "-o", path("bundle.json")}).code, 0);
  environment_["PACELINE_STORE"] = path("other.db");
  ASSERT_EQ(paceline({"import", path("bundle.json")}).code, 0);
  EXPECT_EQ(json({"summary", "shared", "--json"})["runs"][0]["nodes"], before["nodes"]);
}

}  // namespace
}  // namespace paceline::tests

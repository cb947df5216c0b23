// paceline cluster import: MXNet-G's files into a document that then runs.
#include "tests/cli/program.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;

class Cluster : public Desk {
 protected:
  Cluster() { environment_["PACELINE_HOSTS"] = path("hosts.json"); }

  std::string groupingSpec() {
    nlohmann::json spec = tinySpec();
    spec["algorithm"] = {{"id", "grouping_sgd"}};
    spec["nodes"].push_back({{"id", "w2"}});
    return write("spec.json", spec.dump());
  }
};

// Shares that differ within a group: nobody waits for a member that has come to an end of its data.
TEST_F(Cluster, ImportedGroupsAndUnequalSharesRunToTheEnd) {
  const std::string spec = groupingSpec(), out = path("out.json");
  const Outcome imported = paceline({"cluster", "import", spec, "--groups", write("groups", "10.0.0.2 10.0.0.9\n10.0.0.1\n"), "--data-sharding",
                                     write("data_sharding", "0 0.85\n0.85 0.9\n0.9 1.0\n"), "-o", out});
  ASSERT_EQ(imported.code, 0) << imported.err;
  EXPECT_THAT(imported.err, HasSubstr("addresses are MXNet-G's ranks, the highest is worker \"w0\""));
  const auto document = json({"validate", out, "--json"});
  EXPECT_EQ(document["findings"], nlohmann::json::array());
  const Outcome shown = shell("cat " + out);
  const nlohmann::json written = nlohmann::json::parse(shown.out);
  EXPECT_EQ(written["groups"], (nlohmann::json{{"w0", "w1"}, {"w2"}}));
  EXPECT_EQ(written["nodes"][1]["share"], 0.85);
  EXPECT_EQ(written["nodes"][2]["share"], 0.05);
  // 340 and 20 samples by 20: one member goes through its data 17 times as fast as the other, 40 rounds long.
  const Outcome run = paceline({"run", out, "--set", "/stop/rounds=40"});
  EXPECT_EQ(run.code, 0) << run.err;
}

TEST_F(Cluster, ADocumentWithCommentsIsImportedAndExported) {
  const std::string plain = shell("cat " + groupingSpec()).out, spec = write("commented.json", "// Mine\n" + plain);
  const Outcome imported = paceline({"cluster", "import", spec, "--groups", write("groups", "w0 w1\nw2\n")});
  ASSERT_EQ(imported.code, 0) << imported.err;
  EXPECT_EQ(nlohmann::json::parse(imported.out)["groups"], (nlohmann::json{{"w0", "w1"}, {"w2"}}));
  EXPECT_THAT(imported.err, HasSubstr(spec + ": its comments are not in what is written\n"));
  const Outcome exported = paceline({"cluster", "export", write("tiny.json", "// Mine\n" + tinySpec().dump()), "--ecl-hosts", "-"});
  EXPECT_EQ(exported.code, 0) << exported.err;
}

TEST_F(Cluster, BadFilesAreNamedAndNothingIsWritten) {
  const std::string spec = groupingSpec(), groups = write("groups", "w0 w1\nw1 w2\n");
  expectRefusal({"cluster", "import", spec, "--groups", groups, "-o", path("out.json")}, groups + ":2: \"w1\": worker \"w1\" is in a group already");
  EXPECT_EQ(shell("ls " + path("out.json") + " 2>/dev/null").out, "");
  const std::string sharding = write("data_sharding", "0 2\n0 x\n1 1\n");
  const Outcome several = paceline({"cluster", "import", spec, "--data-sharding", sharding});
  EXPECT_EQ(several.code, 1);
  EXPECT_THAT(several.err, HasSubstr(sharding + ":2: "));
  EXPECT_THAT(several.err, HasSubstr("paceline: 3 bad places; nothing was imported\n"));
  EXPECT_EQ(paceline({"cluster", "import", spec}).code, 2);
}

TEST_F(Cluster, AResultThatCannotRunIsRefused) {
  nlohmann::json broken = tinySpec();
  broken["batch_size"] = 0;
  const std::string spec = write("spec.json", broken.dump());
  expectRefusal({"cluster", "import", spec, "--groups", write("groups", "w0\nw1\n"), "-o", path("out.json")}, spec + ": /batch_size: Batch size must be at least 1; it is 0.");
}

// Real processes: a worker twenty times as fast as the other is held to its bound. When the fast one has closed 20 rounds, the slow one has
// pushed at least 18 and closed at least 17 of its own; unbounded it would be at its first or second.
TEST_F(Cluster, SspHoldsItsBoundBetweenProcesses) {
  nlohmann::json spec = tinySpec();
  spec["algorithm"] = {{"id", "ssp"}, {"params", {{"staleness_bound", 2}}}};
  spec["nodes"][1]["emulate"]["step_s"] = 0.002;
  spec["nodes"][2]["emulate"]["step_s"] = 0.04;
  spec["stop"]["rounds"] = 20;
  ASSERT_EQ(paceline({"run", write("ssp.json", spec.dump())}).code, 0);
  ASSERT_EQ(paceline({"export", "tiny", "--format", "json", "-o", path("run.json")}).code, 0);
  const auto run = nlohmann::json::parse(shell("cat " + path("run.json")).out);
  std::map<std::string, int> closed;
  for (const auto& round : run["rounds"]) ++closed[round["node"]];
  EXPECT_EQ(closed["w0"], 20);
  EXPECT_GE(closed["w1"], 17);
}

}  // namespace
}  // namespace paceline::tests

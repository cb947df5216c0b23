// The walk-through of experiments/own, where python3-torch is installed: models written in Python train here, and their weights go home.
#include <filesystem>

#include "tests/cli/program.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

const std::string kOwn = std::string(PACELINE_SOURCE_DIR) + "/experiments/own";

class OwnWalk : public Desk {
 protected:
  OwnWalk() { environment_["XDG_CONFIG_HOME"] = path("config"); }
  void SetUp() override {
    if (shell("/usr/bin/python3 -c 'import numpy, torch'").code != 0) GTEST_SKIP() << "python3-torch is not installed";
    ASSERT_EQ(python("export_models.py", path("")).code, 0);
    ASSERT_EQ(python("pack_data.py", path("")).code, 0);
    for (const char* name : {"cnn.pt", "resnet.pt", "transformer.pt"}) ASSERT_EQ(paceline({"model", "trust", path(name)}).code, 0) << name;
  }
  Outcome python(const std::string& script, const std::string& arguments) { return shell("/usr/bin/python3 " + kOwn + "/" + script + " " + arguments); }

  // Two workers on rings.npz; the run's id.
  std::string trained(const std::string& model, int rounds) {
    const std::string document = write(model + ".json", Json{{"paceline", 1}, {"name", model}, {"algorithm", {{"id", "ssgd"}, {"params", {{"learning_rate", 0.05}}}}},
                                                             {"model", {{"id", "script"}, {"params", {{"path", model + ".pt"}}}}}, {"dataset", {{"id", "tensors"}, {"params", {{"path", "rings.npz"}}}}},
                                                             {"batch_size", 32}, {"nodes", {{{"id", "w0"}}, {{"id", "w1"}}, {{"id", "s0"}, {"role", "server"}}}},
                                                             {"evaluate", {{"every_rounds", rounds / 2}}}, {"stop", {{"rounds", rounds}}}}.dump());
    return json({"run", document, "--json"})["runs"][0]["id"];
  }
};

TEST_F(OwnWalk, BestWeightsGiveTheSameAccuracyInPython) {
  for (const char* model : {"cnn", "resnet"}) {
    const std::string run = trained(model, 20);
    const double best = json({"show", run, "--json"})["summary"]["accuracy_best"];
    EXPECT_GT(best, 0.4) << model << ": three kinds, so a third is chance";
    ASSERT_EQ(paceline({"export", run, "--format", "npz", "-o", path("best.npz")}).code, 0);
    char wanted[64];
    std::snprintf(wanted, sizeof wanted, "%d of 1000 right: accuracy %.4f", static_cast<int>(std::lround(best * 1000)), best);
    const Outcome said = python("evaluate.py", std::string(model) + " " + path("best.npz") + " " + path("rings.npz"));
    EXPECT_THAT(said.out, HasSubstr(wanted)) << said.err;
  }
}

// Metrics of the file are recorded by their names, and the first is the accuracy.
TEST_F(OwnWalk, MetricsOfTheModelAreRecorded) {
  const std::string run = trained("resnet", 4);
  ASSERT_EQ(paceline({"export", run, "--format", "metrics", "-o", path("metrics.csv")}).code, 0);
  const std::string metrics = shell("cat " + path("metrics.csv")).out;
  EXPECT_THAT(metrics, HasSubstr("top1"));
  EXPECT_THAT(metrics, HasSubstr("top3"));
}

TEST_F(OwnWalk, ATransformerTrainsOnWholeNumbers) {
  ASSERT_EQ(shell("/usr/bin/python3 -c \"import numpy as np; t = np.arange(64 * 300).reshape(300, 64) % 7; np.savez('" + path("tokens.npz") + "', x=t, y=(t + 1) % 7)\"").code, 0);
  const Outcome checked = paceline({"model", "check", path("transformer.pt"), "--data", path("tokens.npz")});
  EXPECT_THAT(checked.out, HasSubstr("samples of tensors (64 int64, 7 classes): loss ")) << checked.err;
}

}  // namespace
}  // namespace paceline::tests

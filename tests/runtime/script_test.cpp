// Models in TorchScript files: they train as built-in ones do, and what cannot be trained is one sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/types.h>

#include <fstream>
#include <map>

#include "engine/core/base/error.h"
#include "tests/runtime/own_model.h"
#include "tests/support/own_folder.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;

torch::jit::Module layer(const std::vector<std::int64_t>& weight, bool bias = true) {
  torch::jit::Module module("Layer");
  module.register_parameter("weight", torch::full(weight, 0.01), false);
  if (bias) module.register_parameter("bias", torch::zeros({weight[0]}), false);
  return module;
}

// Saved below the test's folder; its path.
std::string saved(const torch::jit::Module& module) {
  static int count = 0;
  std::string path = (ownFolder() / strCat("net", ++count, ".pt")).string();
  module.save(path);
  return path;
}

std::string lenetFile() {
  torch::jit::Module net("LeNet");
  net.register_module("conv1", layer({20, 1, 5, 5}));
  net.register_module("conv2", layer({50, 20, 5, 5}));
  net.register_module("dense1", layer({500, 800}));
  net.register_module("dense2", layer({10, 500}));
  net.define(R"(
def forward(self, x):
    x = torch.relu(torch.max_pool2d(torch.conv2d(x, self.conv1.weight, self.conv1.bias), [2, 2]))
    x = torch.relu(torch.max_pool2d(torch.conv2d(x, self.conv2.weight, self.conv2.bias), [2, 2]))
    x = torch.linear(torch.flatten(x, 1), self.dense1.weight, self.dense1.bias)
    return torch.linear(x, self.dense2.weight, self.dense2.bias)
)");
  return saved(net);
}

// One dense layer with what `source` defines.
std::string denseFile(const std::string& source, std::int64_t inputs = 784, std::int64_t outputs = 10) {
  torch::jit::Module net("Net");
  net.register_module("dense", layer({outputs, inputs}));
  net.define(source);
  return saved(net);
}

const char* const kDense = R"(
def forward(self, x):
    return torch.linear(torch.flatten(x, 1), self.dense.weight, self.dense.bias)
)";

Choice with(const std::string& id, const std::map<std::string, ParamValue>& params) { return {.id = id, .params = Params(params)}; }
Choice scripted(const std::string& path, const std::string& init = "file") { return with("script", {{"path", path}, {"init", init}}); }

std::vector<Real> trained(const RunSpec& spec) {
  useThreads(1);
  useDeterministicKernels(true);
  const std::shared_ptr<const datasets::Dataset> data = loadDataset(spec);
  return runInSim(spec, [&](const RunSpec& run, int rank) { return makeTorchObjective(run, rank, data); }).parameters[0];
}

std::unique_ptr<Objective> objectiveOf(const std::string& path, const RunSpec& spec) {
  RunSpec run = spec;
  run.model = scripted(path);
  return makeTorchObjective(run, 0, loadDataset(run));
}

std::string refused(const std::string& path) {
  try {
    objectiveOf(path, runOf("standalone", 1, {}, 1));
  } catch (const Error& error) {
    std::string text = error.what();
    const std::size_t at = path.empty() ? std::string::npos : text.find(path);
    return at == std::string::npos ? text : text.replace(at, path.size(), "FILE");
  }
  return "nothing thrown";
}

// The same weights in the same order, so all of it must be the same bits.
TEST(Script, LeNetIsTheBuiltInOneAfter200StepsOfSsgdWithTwoWorkers) {
  const std::vector<Real> own = trained(runOf("ssgd", 2, scripted(lenetFile(), "xavier"), 200));
  const std::vector<Real> builtIn = trained(runOf("ssgd", 2, with("lenet", {{"init", "xavier"}}), 200));
  ASSERT_EQ(own.size(), 431080U);
  EXPECT_EQ(own, builtIn);
}

TEST(Script, BeginsWithTheWeightsOfItsFile) {
  const auto objective = objectiveOf(denseFile(kDense), runOf("standalone", 1, {}, 1));
  ASSERT_EQ(objective->blocks().size(), 2U);
  EXPECT_EQ(objective->blocks()[0].name, "dense.weight");
  EXPECT_THAT(objective->blocks()[0].shape, ::testing::ElementsAre(10, 784));
  EXPECT_EQ(objective->parameters()[0], 0.01F);
  EXPECT_EQ(objective->parameters()[7840], 0);
}

// d/dw of 3 (output - target)^2 of one output: the loss of the file, not ours.
TEST(Script, LossAndMetricsOfItsOwnAreTaken) {
  const std::string path = denseFile(std::string(kDense) + R"(
def loss(self, output, target):
    return 3.0 * torch.mean(torch.square(output[:, 0] - torch.mul(target, 1.0)))
def metrics(self, output, target):
    return {"mean_output": torch.mean(output), "constant": torch.full([], 4.0)}
)");
  const auto objective = objectiveOf(path, runOf("standalone", 1, {}, 1));
  std::ranges::fill(objective->parameters(), Real{0});
  std::vector<Real> gradient(objective->parameters().size());
  objective->gradient(gradient);
  const Evaluation evaluation = objective->evaluate();
  ASSERT_EQ(evaluation.metrics.size(), 2U);
  EXPECT_EQ(evaluation.metrics[0], (NamedNumber{"mean_output", 0}));
  EXPECT_DOUBLE_EQ(evaluation.metrics[1].value, 4);
  EXPECT_EQ(evaluation.accuracy(), 0);  // the first one
  const std::shared_ptr<const datasets::Dataset> data = loadDataset(runOf("standalone", 1, {}, 1));
  double squares = 0;
  for (const std::uint16_t label : data->test.labels) squares += label * label;
  EXPECT_NEAR(evaluation.loss, 3 * squares / static_cast<double>(data->test.labels.size()), 1e-4);
  EXPECT_NE(gradient[7840], 0);  // the first output's bias
  EXPECT_EQ(gradient[7841], 0);  // the others do not matter
}

TEST(Script, MaySayThatLowerIsBetter) {
  const auto netOf = [](const torch::jit::IValue& higher) {
    torch::jit::Module net("Net");
    net.register_module("dense", layer({10, 784}));
    net.register_attribute("higher_is_better", higher.type(), higher);
    net.define(std::string(kDense) + "def metrics(self, output, target):\n    return {\"z\": torch.full([], 4.0), \"a\": torch.full([], 1.0)}\n");
    return saved(net);
  };
  const auto accuracyOf = [](const std::string& path) { return objectiveOf(path, runOf("standalone", 1, {}, 1))->evaluate().accuracy(); };
  EXPECT_EQ(accuracyOf(netOf(false)), -4);
  EXPECT_EQ(accuracyOf(netOf(true)), 4);
  EXPECT_EQ(refused(netOf(0)), "model file FILE: higher_is_better must be a bool; it is Int");
}

// Many write view(), which refuses what lies with the channels last.
TEST(Script, ThatNeedsRowsGetsThem) {
  torch::jit::Module net("Net");
  net.register_module("conv", layer({4, 1, 5, 5}));
  net.register_module("dense", layer({10, 4 * 24 * 24}));
  net.define(R"(
def forward(self, x):
    y = torch.conv2d(x, self.conv.weight, self.conv.bias)
    return torch.linear(y.view([y.size(0), -1]), self.dense.weight, self.dense.bias)
)");
  const std::string path = saved(net);
  const auto objective = objectiveOf(path, runOf("standalone", 1, {}, 1));
  EXPECT_FALSE(objective->blocks()[0].channelsLast);
  std::vector<Real> gradient(objective->parameters().size());
  EXPECT_GT(objective->gradient(gradient).loss, 0);
}

// What it draws in a step follows from the step: the same bytes on any number of threads.
TEST(Script, ThatDrawsIsSimulatedToTheSameBytes) {
  const std::string path = denseFile(R"(
def forward(self, x):
    return torch.linear(torch.dropout(torch.flatten(x, 1), 0.5, True), self.dense.weight, self.dense.bias)
)");
  EXPECT_TRUE(scriptReport({.path = path}).draws);
  EXPECT_FALSE(scriptReport({.path = denseFile(kDense)}).draws);
  const RunSpec spec = runOf("asgd", 3, scripted(path), 6);
  useThreads(1);
  const std::shared_ptr<const datasets::Dataset> data = loadDataset(spec);
  const auto lines = [&](int threads) {
    std::string all;
    simulate(spec, [&](const RunSpec& run, int rank) { return makeTorchObjective(run, rank, data); }, [&](int node, const Event& event) { all += strCat(node, ' ', toLine(event), '\n'); },
             {.threads = threads, .onThread = [] { useThreads(1); }});
    return all;
  };
  const std::string alone = lines(1);
  EXPECT_THAT(alone, HasSubstr("\"finished\""));
  EXPECT_EQ(lines(3), alone);
}

TEST(Script, ThatCannotBeTrainedIsOneSentence) {
  const std::string text = (ownFolder() / "text.pt").string();
  std::ofstream(text) << "hello";
  EXPECT_EQ(refused(text), "model file FILE is no TorchScript file; torch.jit.script(model).save(...) makes one");
  EXPECT_EQ(refused(""), "/model/params/path: must name a TorchScript file");
  torch::jit::Module empty("Net");
  empty.define("def forward(self, x):\n    return torch.flatten(x, 1)\n");
  EXPECT_EQ(refused(saved(empty)), "model file FILE has no parameters");
  torch::jit::Module none("Net");
  none.register_module("dense", layer({10, 784}));
  EXPECT_EQ(refused(saved(none)), "model file FILE has no method forward()");
  EXPECT_EQ(refused(denseFile("def forward(self, x, y):\n    return x\n")), "model file FILE: forward() takes 2 or more values, Paceline gives it 1");
  EXPECT_EQ(refused(denseFile(kDense, 784, 5)), "model \"script\" gives outputs of 5 numbers a sample; the data set has 10 classes, and the model has no loss(output, target) of its own");
  EXPECT_EQ(refused(denseFile(kDense, 100)), "model file FILE: forward(): mat1 and mat2 shapes cannot be multiplied (2x784 and 100x10)");
  EXPECT_EQ(refused(denseFile("def forward(self, x):\n    self.dense.weight = torch.ones([10, 784])\n    return torch.linear(torch.flatten(x, 1), self.dense.weight, self.dense.bias)\n")),
            "model file FILE replaces its parameter dense.weight while it computes; what is trained would not be what it uses");
  torch::jit::Module doubles("Net");
  doubles.register_parameter("w", torch::zeros({784, 10}, torch::kDouble), false);
  doubles.define("def forward(self, x):\n    return torch.matmul(torch.flatten(x, 1), self.w)\n");
  EXPECT_EQ(refused(saved(doubles)), "model file FILE: parameter w is Double; only Float is trained");
}

}  // namespace
}  // namespace paceline::tests

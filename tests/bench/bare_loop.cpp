#include "tests/bench/bare_loop.h"

#include <stdlib.h>
#include <torch/csrc/jit/api/module.h>

#include <filesystem>

#include "engine/core/base/clock.h"
#include "engine/core/base/error.h"
#include "engine/core/base/freed_memory.h"
#include "engine/data/loader.h"
#include "engine/nn/batch_tensors.h"
#include "engine/nn/model.h"
#include "engine/nn/torch_errors.h"
#include "engine/nn/torch_objective.h"

namespace paceline::bench {
namespace {

struct BareLoop {
  std::shared_ptr<Net> net;
  std::vector<torch::Tensor> parameters;
  BatchLoader batches;  // no thread: the loop makes its batches itself
  std::shared_ptr<const datasets::Dataset> data;
  bool channelsLast;

  std::size_t step() {
    constexpr double kRate = 0.01;
    const Batch& batch = batches.front();
    const std::size_t samples = batch.count;
    const BatchTensors tensors = tensorsOf(batch, *data, channelsLast);
    const torch::Tensor loss = torch::cross_entropy_loss(net->forward(tensors.inputs), tensors.targets);
    loss.backward();
    batches.pop();
    const torch::NoGradGuard noGrad;
    for (torch::Tensor& parameter : parameters) {
      parameter.add_(parameter.grad(), -kRate);
      parameter.mutable_grad().reset();
    }
    return samples;
  }
};

double measured(const RunSpec& spec, const std::shared_ptr<const datasets::Dataset>& set, double seconds) {
  const datasets::Dataset& data = *set;
  const ModelDef& def = modelFor(spec.model, data.shape);
  std::shared_ptr<Net> net = builtModel(def, spec.model, data.shape, data.classes, spec.seed);
  net->train();
  std::vector<torch::Tensor> parameters = net->parameters();
  if (def.convolutional)
    for (torch::Tensor& parameter : parameters)
      if (parameter.dim() == 4) parameter.set_data(parameter.detach().contiguous(torch::MemoryFormat::ChannelsLast));

  const auto batchSize = static_cast<std::size_t>(spec.batchSize);
  std::vector<std::uint32_t> all(data.train.count());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint32_t>(i);
  const BatchPlan plan{.batchSize = batchSize,
                       .minimum = static_cast<std::size_t>(def.minimumBatch),
                       .shuffled = true,
                       .seed = spec.seed,
                       .rank = 0};
  BareLoop loop{.net = net,
                .parameters = std::move(parameters),
                .batches = BatchLoader(set, BatchStream(std::move(all), plan), {.threads = 0, .channelsLast = def.convolutional}),
                .data = set,
                .channelsLast = def.convolutional};
  for (int i = 0; i < 5; ++i) loop.step();
  const std::unique_ptr<Clock> clock = steadyClock();
  const double start = clock->now();
  std::size_t samples = 0;
  double now = start;
  while (samples == 0 || now - start < seconds) {
    samples += loop.step();
    now = clock->now();
  }
  return static_cast<double>(samples) / (now - start);
}

}  // namespace

double bareLoopSamplesPerSecond(const RunSpec& spec, std::shared_ptr<const datasets::Dataset> data, double seconds) {
  const std::vector<int> workers = spec.workers();
  if (spec.batchSize < 1) throw Error(Errc::kSpec, strCat("batch_size: must be >= 1, got ", spec.batchSize));
  keepFreedMemory();
  useThreads(workers.empty() ? 1 : spec.nodes[static_cast<std::size_t>(workers.front())].threads);
  return translated(Errc::kUnsupported, "bare loop", [&] { return measured(spec, data, seconds); });
}

std::string scriptedLenet() {
  torch::jit::Module net("LeNet");
  const auto layer = [&](const char* name, std::vector<std::int64_t> weight) {
    torch::jit::Module module("Layer");
    module.register_parameter("weight", torch::zeros(weight), false);
    module.register_parameter("bias", torch::zeros({weight[0]}), false);
    net.register_module(name, module);
  };
  layer("conv1", {20, 1, 5, 5}), layer("conv2", {50, 20, 5, 5}), layer("dense1", {500, 800}), layer("dense2", {10, 500});
  net.define(R"(
def forward(self, x):
    x = torch.relu(torch.max_pool2d(torch.conv2d(x, self.conv1.weight, self.conv1.bias), [2, 2]))
    x = torch.relu(torch.max_pool2d(torch.conv2d(x, self.conv2.weight, self.conv2.bias), [2, 2]))
    x = torch.linear(torch.flatten(x, 1), self.dense1.weight, self.dense1.bias)
    return torch.linear(x, self.dense2.weight, self.dense2.bias)
)");
  std::string folder = (std::filesystem::temp_directory_path() / "paceline-bench-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) throw Error(Errc::kFile, strCat("cannot make a folder ", folder));
  net.save(folder + "/lenet.pt");
  return folder + "/lenet.pt";
}

}  // namespace paceline::bench

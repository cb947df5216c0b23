#include "engine/nn/model.h"

#include <ATen/CPUGeneratorImpl.h>

#include <algorithm>
#include <cmath>

#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"
#include "engine/core/spec/distinct_ids.h"
#include "engine/nn/precision.h"
#include "engine/nn/torch_objective.h"
#include "registry/model_families.h"
#include "registry/models.h"

namespace paceline {
namespace {

std::string shown(const Shape& shape) { return strCat(shape.channels, "x", shape.height, "x", shape.width); }

template <class Draw>
void fill(torch::Tensor& tensor, Draw draw) {
  torch::Tensor values = torch::empty(tensor.sizes(), torch::kFloat);  // row major, so that the layout of `tensor` changes nothing
  float* value = values.data_ptr<float>();
  for (std::int64_t i = 0; i < values.numel(); ++i) value[i] = static_cast<float>(draw());
  tensor.copy_(values);
}

// Symbols: N(0, 0.02^2), GPT-2's.
void startEmbedding(torch::Tensor weight, Rng rng) {
  constexpr double kDeviation = 0.02;
  fill(weight, [&] { return kDeviation * rng.normal(); });
}

// U(-a, a), a = 1 / sqrt(size of the state), LibTorch's own.
void startRecurrent(const torch::nn::LSTMImpl& lstm, Rng rng) {
  const double reach = 1 / std::sqrt(static_cast<double>(lstm.options.hidden_size()));
  for (torch::Tensor& weight : lstm.parameters()) fill(weight, [&] { return rng.uniform(-reach, reach); });
}

}  // namespace

void initialiseLayer(torch::Tensor weight, torch::Tensor bias, const std::string& scheme, std::uint64_t seed, std::uint64_t layer) {
  Rng weights = Rng::stream(seed, "init weight", layer), biases = Rng::stream(seed, "init bias", layer);
  const double area = static_cast<double>(weight.numel()) / static_cast<double>(weight.size(0) * weight.size(1));
  const double fanIn = static_cast<double>(weight.size(1)) * area, fanOut = static_cast<double>(weight.size(0)) * area;
  if (scheme == "he") {
    const double deviation = std::sqrt(2 / fanIn);
    fill(weight, [&] { return deviation * weights.normal(); });
  } else {
    const double reach = scheme == "torch" ? 1 / std::sqrt(fanIn) : std::sqrt(3 / ((fanIn + fanOut) / 2));
    fill(weight, [&] { return weights.uniform(-reach, reach); });
  }
  if (!bias.defined()) return;
  const double reach = scheme == "torch" ? 1 / std::sqrt(fanIn) : 0;
  fill(bias, [&] { return reach == 0 ? 0.0 : biases.uniform(-reach, reach); });
}

torch::Tensor Net::loss(const torch::Tensor& output, const torch::Tensor& target) {
  if (target.is_floating_point()) return torch::mse_loss(output.reshape(target.sizes()), target);
  if (target.dim() == 1) return torch::cross_entropy_loss(output, target);
  return torch::cross_entropy_loss(output.flatten(0, -2), target.flatten());
}

NamedTensors Net::tensors() {
  NamedTensors all;
  for (auto& item : named_parameters()) all.parameters.emplace_back(item.key(), item.value());
  for (auto& item : named_buffers()) all.buffers.emplace_back(item.key(), item.value());
  return all;
}

void Net::start(const std::string& scheme, std::uint64_t seed) { initialise(*this, scheme, seed); }

at::Generator& stepGenerator() {
  thread_local at::Generator generator = at::detail::createCPUGenerator();
  return generator;
}

const std::vector<ModelDef>& models() {
  static const std::vector<ModelDef> defs = [] {
    std::vector<ModelDef> made;
    for (auto* function : k_models) made.push_back(function());
    for (auto* function : k_model_families)
      for (ModelDef& def : function()) made.push_back(std::move(def));
    requireDistinctIds("models", made);
    for (ModelDef& def : made) {
      def.params.push_back(younger(worded(choiceParam("precision", "fp32", {std::begin(kPrecisions), std::end(kPrecisions)},
                                              "In what a step computes. Parameters, gradients, the exchange and evaluations stay 32-bit floats. bf16: faster where the processor has instructions for it; "
                                              "fp16: on GPUs, with loss scaling."),
                                          {"32-bit floats", "bfloat16", "float16"})));
      def.params.push_back(advanced(booleanParam(
          "deterministic", false,
          "Only kernels that give the same bits in every run, where LibTorch has them: slower on GPUs. Runs in virtual time always do.")));
      std::vector<std::string> schemes{"xavier", "he", "torch"}, words{"Xavier", "He", "LibTorch's own"};
      if (def.isFile()) schemes.insert(schemes.begin(), "file"), words.insert(words.begin(), "As in the file");
      def.params.push_back(advanced(worded(choiceParam({"init", "Starting weights"}, def.init, schemes,
                                              "Starting weights: MXNet's Xavier (uniform, average, 3), He's normal, or LibTorch's own."),
                                  words)));
    }
    return made;
  }();
  return defs;
}

const ModelDef* findModel(const std::string& id) { return findEntry(models(), id); }

const ModelDef& modelFor(const Choice& choice, const Shape& shape) {
  const ModelDef* def = findModel(choice.id);
  if (def == nullptr) throw Error(Errc::kSpec, unknownId("model", choice.id, models()));
  if (shape.channels == 0) return *def;
  if (!def->inputs.empty() && std::find(def->inputs.begin(), def->inputs.end(), shape) == def->inputs.end()) {
    std::string takes;
    for (const Shape& input : def->inputs) takes += (takes.empty() ? "" : ", ") + shown(input);
    throw Error(Errc::kSpec, strCat("model \"", choice.id, "\" takes ", takes, " images, the data set has ", shown(shape)));
  }
  if (std::min(shape.height, shape.width) < def->minimumSide)
    throw Error(Errc::kSpec, strCat("model \"", choice.id, "\" takes images of at least ", def->minimumSide,
                                    " pixels a side, the data set has ", shown(shape)));
  return *def;
}

std::shared_ptr<Net> builtModel(const ModelDef& def, const Choice& choice, const Shape& shape, int classes, std::uint64_t seed) {
  const Params params = completed(def.params, choice.params, "/model/params");
  if (params.boolean("deterministic")) useDeterministicKernels(true);
  std::shared_ptr<Net> net = def.make(params, shape, classes);
  net->start(params.text("init"), seed);
  return net;
}

void initialise(Net& net, const std::string& scheme, std::uint64_t seed) {
  PACELINE_CHECK(scheme == "xavier" || scheme == "he" || scheme == "torch", strCat("init \"", scheme, "\""));
  const torch::NoGradGuard noGrad;
  std::uint64_t layer = 0;
  for (const auto& module : net.modules(/*include_self=*/false)) {
    const auto start = [&](const auto& part) {
      initialiseLayer(part->weight, part->bias, scheme, seed, layer++);
    };
    if (const auto* symbols = module->as<torch::nn::Embedding>()) startEmbedding(symbols->weight, Rng::stream(seed, "init weight", layer++));
    if (const auto* lstm = module->as<torch::nn::LSTM>()) startRecurrent(*lstm, Rng::stream(seed, "init weight", layer++));
    if (const auto* dense = module->as<torch::nn::Linear>()) start(dense);
    if (const auto* convolution = module->as<torch::nn::Conv2d>()) start(convolution);
    // batch normalisation starts right; the rest has no parameters
  }
}

}  // namespace paceline

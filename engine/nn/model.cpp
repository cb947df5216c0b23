#include "engine/nn/model.h"

#include <ATen/CPUGeneratorImpl.h>

#include <algorithm>
#include <cmath>

#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"
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

void initialiseLayer(torch::Tensor weight, torch::Tensor bias, const std::string& scheme, Rng weights, Rng biases) {
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

}  // namespace

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
    for (ModelDef& def : made) {
      def.params.push_back(advanced(booleanParam(
          "deterministic", false,
          "Only kernels that give the same bits in every run, where LibTorch has them: slower on GPUs. Runs in virtual time always do.")));
      def.params.push_back(advanced(worded(choiceParam({"init", "Starting weights"}, def.init, {"xavier", "he", "torch"},
                                              "Starting weights: MXNet's Xavier (uniform, average, 3), He's normal, or LibTorch's own."),
                                  {"Xavier", "He", "LibTorch's own"})));
    }
    return made;
  }();
  return defs;
}

const ModelDef* findModel(const std::string& id) { return findEntry(models(), id); }

const ModelDef& modelFor(const Choice& choice, const Shape& shape) {
  const ModelDef* def = findModel(choice.id);
  if (def == nullptr) throw Error(Errc::kSpec, unknownId("model", choice.id, models()));
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
  initialise(*net, params.text("init"), seed);
  return net;
}

void initialise(Net& net, const std::string& scheme, std::uint64_t seed) {
  PACELINE_CHECK(scheme == "xavier" || scheme == "he" || scheme == "torch", strCat("init \"", scheme, "\""));
  const torch::NoGradGuard noGrad;
  std::uint64_t layer = 0;
  for (const auto& module : net.modules(/*include_self=*/false)) {
    const auto start = [&](const auto& part) {
      initialiseLayer(part->weight, part->bias, scheme, Rng::stream(seed, "init weight", layer), Rng::stream(seed, "init bias", layer));
      ++layer;
    };
    if (const auto* dense = module->as<torch::nn::Linear>()) start(dense);
    if (const auto* convolution = module->as<torch::nn::Conv2d>()) start(convolution);
    // batch normalisation starts right; the rest has no parameters
  }
}

}  // namespace paceline

#include "engine/nn/model_choice.h"

#include <algorithm>

#include "engine/core/base/error.h"
#include "engine/data/completed.h"
#include "engine/nn/initialise.h"
#include "engine/nn/torch_objective.h"

namespace paceline {
namespace {

std::string shown(const Shape& shape) { return strCat(shape.channels, "x", shape.height, "x", shape.width); }

}  // namespace

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

ParamSpec deterministicParam() {
  return booleanParam("deterministic", false,
                      "Only kernels that give the same bits in every run, where LibTorch has them: slower on GPUs. Runs in virtual time always do.");
}

std::shared_ptr<Net> builtModel(const ModelDef& def, const Choice& choice, const Shape& shape, int classes, std::uint64_t seed) {
  const Params params = completed(def.params, choice.params, "/model/params");
  if (params.boolean("deterministic")) useDeterministicKernels(true);
  std::shared_ptr<Net> net = def.make(params, shape, classes);
  initialise(*net, params.text("init"), seed);
  return net;
}

}  // namespace paceline

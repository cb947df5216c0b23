// From a spec's {"model": {"id", "params"}} to a network with its starting values. Torch inside; engine/nn only.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/core/spec/run_spec.h"
#include "engine/nn/model.h"

namespace paceline {

const ModelDef& modelFor(const Choice& choice, const Shape& shape);  // throws Error{kSpec}: unknown, or takes other shapes

ParamSpec deterministicParam();  // "deterministic", of every model

// Missing parameters take their defaults; a wrong one throws Error{kSpec}.
std::shared_ptr<Net> builtModel(const ModelDef& def, const Choice& choice, const Shape& shape, int classes, std::uint64_t seed);

}  // namespace paceline

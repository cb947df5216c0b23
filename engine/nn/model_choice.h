// From a spec's {"model": {"id", "params"}} to a network with its starting values. Torch inside; engine/nn only.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/core/spec/params.h"
#include "engine/core/spec/run_spec.h"
#include "engine/nn/model.h"

namespace paceline {

const ModelDef& modelFor(const Choice& choice, const Shape& shape);  // throws Error{kSpec}: unknown, or takes other shapes

ParamSpec deterministicParam();  // "deterministic", of every model

// Missing parameters take their defaults; a wrong one throws Error{kSpec}.
std::shared_ptr<Net> builtModel(const ModelDef& def, const Choice& choice, const Shape& shape, int classes, std::uint64_t seed);

// Starting values of a network: a function of (network, scheme, seed) and of nothing else, the same on every machine.
struct Net;

ParamSpec initParam(const std::string& fallback);  // "init": xavier, he or torch

// xavier: U(-a, a), a = sqrt(3 / ((fan_in + fan_out) / 2)), MXNet's Xavier(uniform, avg, 3), biases 0.
// he:     N(0, 2 / fan_in) (He et al. 2015), biases 0.
// torch:  U(-a, a), a = 1 / sqrt(fan_in), weights and biases alike, LibTorch's own default.
// A convolution's fans count the kernel's area. Batch normalisation keeps gamma 1, beta 0, mean 0, variance 1.
void initialise(Net& net, const std::string& scheme, std::uint64_t seed);

}  // namespace paceline

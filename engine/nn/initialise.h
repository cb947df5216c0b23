// Starting values of a network: a function of (network, scheme, seed) and of nothing else, the same on every machine.
#pragma once

#include <cstdint>
#include <string>

#include "engine/core/spec/params.h"

namespace paceline {

struct Net;

ParamSpec initParam(const std::string& fallback);  // "init": xavier, he or torch

// xavier: U(-a, a), a = sqrt(3 / ((fan_in + fan_out) / 2)), MXNet's Xavier(uniform, avg, 3), biases 0.
// he:     N(0, 2 / fan_in) (He et al. 2015), biases 0.
// torch:  U(-a, a), a = 1 / sqrt(fan_in), weights and biases alike, LibTorch's own default.
// A convolution's fans count the kernel's area. Batch normalisation keeps gamma 1, beta 0, mean 0, variance 1.
void initialise(Net& net, const std::string& scheme, std::uint64_t seed);

}  // namespace paceline

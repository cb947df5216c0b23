// A model's tensors as files that other programs read: safetensors and NumPy's .npz. Values; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/base/objective.h"

namespace paceline {

struct Weights {
  struct Tensor {
    std::string name;
    std::vector<std::int64_t> dims;
    std::vector<float> values;  // row major, whatever layout the run had
    bool operator==(const Tensor&) const = default;
  };
  std::vector<Tensor> tensors;              // in the order of the model
  std::map<std::string, std::string> notes;  // of the file: what run, which round
};

// What runs call the files that they leave.
inline constexpr const char* kBestWeights = "best.safetensors";
inline constexpr const char* kLastWeights = "last.safetensors";
std::string checkpointWeights(std::int64_t round);  // "round-000000000040.safetensors"

template <class Number>  // float, double
Weights weightsOf(std::span<const Block> blocks, std::span<const Number> parameters);

std::string safetensorsBytes(const Weights& weights);
Weights parseSafetensors(std::string_view bytes);  // of safetensorsBytes(); throws Error{kFormat} for others' that hold more than floats of 32 bits
std::string npzBytes(const Weights& weights);      // not compressed; notes are left out

}  // namespace paceline

// What a file in models/ defines: how to build one network, and what is known about it. Torch inside; engine/nn only.
#pragma once

#include <torch/nn.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/spec/catalog.h"
#include "engine/core/spec/params.h"

namespace paceline {

struct Net : torch::nn::Module {
  virtual torch::Tensor forward(
      torch::Tensor images) = 0;  // [batch, channels, height, width] in [0, 1] -> [batch, classes] scores
};

struct ModelDef {
  std::string id, title, summary, reference;
  std::vector<ParamSpec> params;  // every one has "init" as well, see initialise.h
  std::vector<Shape> inputs;      // empty: any shape
  int minimumSide = 1;        // pixels, of height and width
  std::string init = "xavier";  // default of the parameter "init"
  std::int64_t parameterCount = 0;
  bool random = false;        // draws random numbers in training (dropout), all from LibTorch's default generator
  bool convolutional = false;  // images and 4-d weights are kept channels_last
  int minimumBatch = 1;        // batch normalisation needs two samples to have a variance
  std::function<std::shared_ptr<Net>(const Params&, const Shape&, int classes)> make;
};

// A file in models/ defines one model, `ModelDef foo();`, or a family that shares blocks, `std::vector<ModelDef> foos();`.
const std::vector<ModelDef>& models();
const ModelDef* findModel(const std::string& id);  // nullptr: none

}  // namespace paceline

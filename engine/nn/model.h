// What a file in models/ defines: how to build one network, and what is known about it. Torch inside; engine/nn only.
#pragma once

#include <ATen/core/Generator.h>
#include <torch/nn.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/base/objective.h"
#include "engine/core/spec/catalog.h"
#include "engine/core/spec/params.h"
#include "engine/core/spec/run_spec.h"

namespace paceline {

using NamedTensor = std::pair<std::string, torch::Tensor>;
struct NamedTensors {
  std::vector<NamedTensor> parameters, buffers;  // in model order
};

struct Net : torch::nn::Module {
  virtual torch::Tensor forward(torch::Tensor inputs) = 0;  // of images [batch, channels, height, width] in [0, 1] -> [batch, classes] scores
  // Mean over the batch. Cross-entropy of classes (of [batch, places, classes] scores at every place), squared error of numbers.
  virtual torch::Tensor loss(const torch::Tensor& output, const torch::Tensor& target);
  virtual bool hasLoss() const { return false; }  // of its own
  virtual std::vector<NamedNumber> metrics(const torch::Tensor&, const torch::Tensor&) { return {}; }  // of its own; means over the batch
  virtual bool lowerIsBetter() const { return false; }  // of the first of them
  virtual NamedTensors tensors();
  virtual void start(const std::string& scheme, std::uint64_t seed);  // its starting values: initialise(), below
  virtual void checkUnchanged() const {}                              // throws Error{kSpec} where it has replaced one of its parameters
};

struct ModelDef {
  std::string id, title, summary, reference = {};
  std::vector<ParamSpec> params = {};  // every one has "precision", "deterministic" and "init" as well, see model.cpp
  std::vector<Shape> inputs = {};      // empty: any shape
  int minimumSide = 1;                 // pixels, of height and width
  std::string init = "xavier";         // default of the parameter "init"; "file": the values that its file has
  std::int64_t parameterCount = 0;
  bool random = false;         // draws random numbers in training, all by dropped() and droppedMaps() (models/layers.h)
  bool tokens = false;         // takes whole numbers [batch, places], as texts have; else pictures
  bool convolutional = false;  // images and 4-d weights are kept channels_last
  int minimumBatch = 1;        // batch normalisation needs two samples to have a variance
  std::function<std::shared_ptr<Net>(const Params&, const Shape&, int classes)> make;
  bool isFile() const { return init == "file"; }  // the user's: what it takes, draws and normalises is known when it is loaded
};

// `make` of a network without parameters of its own.
template <class Network>
std::shared_ptr<Net> madeOf(const Params&, const Shape& shape, int classes) { return std::make_shared<Network>(shape, classes); }

// What the step that this thread computes draws from, on the CPU.
at::Generator& stepGenerator();

// A file in models/ defines one model, `ModelDef foo();`, or a family that shares blocks, `std::vector<ModelDef> foos();`.
const std::vector<ModelDef>& models();
const ModelDef* findModel(const std::string& id);  // nullptr: none

// From a spec's {"model": {"id", "params"}} to a network with its starting values.
const ModelDef& modelFor(const Choice& choice, const Shape& shape);  // throws Error{kSpec}: unknown, or takes other shapes

// Missing parameters take their defaults; a wrong one throws Error{kSpec}.
std::shared_ptr<Net> builtModel(const ModelDef& def, const Choice& choice, const Shape& shape, int classes, std::uint64_t seed);

// Of a dense layer or a convolution, the `layer`-th of its network.
void initialiseLayer(torch::Tensor weight, torch::Tensor bias, const std::string& scheme, std::uint64_t seed, std::uint64_t layer);

// Starting values of a network: a function of (network, scheme, seed) and of nothing else, the same on every machine.
// xavier: U(-a, a), a = sqrt(3 / ((fan_in + fan_out) / 2)), MXNet's Xavier(uniform, avg, 3), biases 0.
// he:     N(0, 2 / fan_in) (He et al. 2015), biases 0.
// torch:  U(-a, a), a = 1 / sqrt(fan_in), weights and biases alike, LibTorch's own default.
// A convolution's fans count the kernel's area. Batch normalisation keeps gamma 1, beta 0, mean 0, variance 1.
void initialise(Net& net, const std::string& scheme, std::uint64_t seed);

}  // namespace paceline

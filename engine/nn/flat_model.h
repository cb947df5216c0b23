// A network whose tensors are views of one flat, 64-byte aligned vector: first all parameters in model order, then the running
// statistics of batch normalisation. Owns network and vector. Torch inside; engine/nn only. One thread.
#pragma once

#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "engine/core/objective.h"
#include "engine/nn/model.h"

namespace paceline {

class FlatModel {
 public:
  // Copies the network's values into the vector and turns its tensors into views. channelsLast: 4-d weights lie in that order.
  FlatModel(std::shared_ptr<Net> net, bool channelsLast);

  Net& net() { return *net_; }
  std::span<Real> values() { return {values_.get(), size_}; }
  const std::vector<Block>& blocks() const { return blocks_; }
  std::size_t trainableSize() const { return trainableSize_; }      // trainable blocks come first
  std::vector<torch::Tensor>& parameters() { return parameters_; }  // parameters()[i] is blocks()[i]

  torch::Tensor viewOf(std::size_t block, Real* flat) const;  // block's shape and layout over another vector of the same size

 private:
  struct Free {
    void operator()(Real* memory) const { std::free(memory); }
  };
  void adopt(const std::string& name, torch::Tensor& tensor, bool trainable);

  std::shared_ptr<Net> net_;
  bool channelsLast_;
  std::unique_ptr<Real[], Free> values_;
  std::size_t size_ = 0, trainableSize_ = 0;
  std::vector<Block> blocks_;
  std::vector<std::vector<std::int64_t>> shapes_;  // per block
  std::vector<torch::Tensor> parameters_;
};

}  // namespace paceline

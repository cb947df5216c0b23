// A network whose tensors are views of one flat, 64-byte aligned vector: first all parameters in model order, then the running
// statistics of batch normalisation. The vector lies in host memory; where the network computes elsewhere, its tensors are views of a second
// one there. Owns network and vectors. Torch inside; engine/nn only. One thread.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/core/base/objective.h"
#include "engine/nn/model.h"
#include "engine/nn/placement.h"

namespace paceline {

class FlatModel {
 public:
  // Copies the network's values into the vector and turns its tensors into views. channelsLast: 4-d weights lie in that order.
  FlatModel(std::shared_ptr<Net> net, bool channelsLast, const Placement& placement = {});

  Net& net() { return *net_; }
  const Placement& placement() const { return placement_; }
  std::span<Real> values() { return {host_.data_ptr<Real>(), size_}; }
  // Where the network has a vector of its own: values() to it, which may still be under way on return; its statistics to values(), which are
  // there after placement().finish().
  void valuesToNet();
  void statisticsFromNet();
  const std::vector<Block>& blocks() const { return blocks_; }
  std::size_t trainableSize() const { return trainableSize_; }      // trainable blocks come first
  std::vector<torch::Tensor>& parameters() { return parameters_; }  // parameters()[i] is blocks()[i]

  torch::Tensor viewOf(std::size_t block, const torch::Tensor& flat) const;  // block's shape and layout over a vector as long as the model

 private:
  void adopt(const std::string& name, torch::Tensor& tensor, bool trainable);

  std::shared_ptr<Net> net_;
  bool channelsLast_;
  Placement placement_;
  torch::Tensor host_, own_;  // own_: the network's; the same where it computes in the host's memory
  std::size_t size_ = 0, trainableSize_ = 0;
  std::vector<Block> blocks_;
  std::vector<std::vector<std::int64_t>> shapes_;  // per block
  std::vector<torch::Tensor> parameters_;
};

}  // namespace paceline

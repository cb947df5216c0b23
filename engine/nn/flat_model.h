// A network over one flat vector: its values, where it computes, its gradients. Torch inside; engine/nn only. One thread.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/base/clock.h"
#include "engine/core/base/objective.h"
#include "engine/nn/model.h"

namespace paceline {

// Where a learner computes: in the host's memory, where the flat vector is the network, or on a device that has a copy of it.
struct Placement {
  torch::Device device = torch::kCPU;
  // The network has memory of its own on `device`: values are copied there before a step, gradients and statistics back after it. Always so
  // on CUDA; on the CPU only tests want it.
  bool staged = false;

  torch::Tensor hostVector(std::int64_t size) const;                  // floats, not set; pinned for CUDA, so that copies need not wait
  std::function<std::shared_ptr<void>(std::size_t)> hostMemory() const;  // the same for a loader's buffers; empty: nothing special
  torch::Tensor there(const torch::Tensor& host) const;               // host, or its copy on the device, which may still be under way
  void finish() const;                                                // until the device has done what was asked of it
};

// "cpu" or "cuda:N". Throws Error{kUnsupported} for anything else; that the device is there is computeDevices()' matter.
Placement placementOn(const std::string& device);

// A network whose tensors are views of one flat, 64-byte aligned vector: first all parameters in model order, then the running
// statistics of batch normalisation. The vector lies in host memory; where the network computes elsewhere, its tensors are views of a second
// one there. Owns network and vectors.
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
  void setWork(std::span<const double> work);                       // by block
  std::vector<torch::Tensor>& parameters() { return parameters_; }  // parameters()[i] is blocks()[i]

  std::optional<std::size_t> blockOf(const torch::Tensor& view) const;  // the block that it begins in; none: it is no view of the network's vector
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

// Receives each parameter's gradient from a hook of the backward pass, puts it where the caller wants it and says so, last block
// first. Where the network computes on a device, gradients gather there, come back in one copy and are announced then. One per FlatModel,
// which must outlive it; stays at its address. One thread, and LibTorch's own for a device within open..close.
class GradientSink {
 public:
  explicit GradientSink(FlatModel& model);
  GradientSink(const GradientSink&) = delete;
  GradientSink& operator=(const GradientSink&) = delete;

  // Before the backward pass. `out` (as long as the model) and `ready` live until close().
  void open(std::span<Real> out, const std::function<void(std::size_t block)>& ready);
  // Of a staged one, before close(): forgets what has come, for another backward pass; multiplies what came last. false: not all of it is finite.
  void again();
  bool scaleBy(double factor);
  // After it: every block is final and announced, LibTorch holds no gradient. Throws what `ready` threw; blocks after that are
  // not announced.
  void close();
  // Instead of close() after a failed backward pass.
  void abandon();

  double readySeconds() const { return readySeconds_; }  // spent in `ready` since open()

 private:
  void receive(std::size_t block, const torch::Tensor& gradient);
  void clearMissing();
  void announce();
  void fetch();  // from the device, into out_
  void dropGradients();

  FlatModel& model_;
  std::unique_ptr<Clock> clock_ = steadyClock();
  std::span<Real> out_;
  torch::Tensor gathered_, pinned_;   // staged: on the device, and in the host's memory
  std::vector<torch::Tensor> views_, other_;  // of out_ or gathered_, by parameter; of the vector before out_, which comes again where two take turns
  std::span<Real> otherOut_;
  const std::function<void(std::size_t)>* ready_ = nullptr;
  std::vector<bool> final_;  // by block
  std::size_t next_ = 0;     // blocks from here on are announced
  std::exception_ptr failure_;
  double readySeconds_ = 0;
};

}  // namespace paceline

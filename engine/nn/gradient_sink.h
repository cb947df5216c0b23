// Receives each parameter's gradient from a hook of the backward pass, puts it where the caller wants it and says so, last block
// first. Where the network computes on a device, gradients gather there, come back in one copy and are announced then. One per FlatModel,
// which must outlive it; stays at its address. Torch inside; engine/nn only. One thread, and LibTorch's own for a device within open..close.
#pragma once

#include <exception>
#include <memory>
#include <span>
#include <vector>

#include "engine/core/base/clock.h"
#include "engine/core/base/objective.h"
#include "engine/nn/flat_model.h"

namespace paceline {

class GradientSink {
 public:
  explicit GradientSink(FlatModel& model);
  GradientSink(const GradientSink&) = delete;
  GradientSink& operator=(const GradientSink&) = delete;

  // Before the backward pass. `out` (as long as the model) and `ready` live until close().
  void open(std::span<Real> out, const BlockReady& ready);
  // After it: every block is final and announced, LibTorch holds no gradient. Throws what `ready` threw; blocks after that are
  // not announced.
  void close();
  // Instead of close() after a failed backward pass.
  void abandon();

  double readySeconds() const { return readySeconds_; }  // spent in `ready` since open()

 private:
  void receive(std::size_t block, const torch::Tensor& gradient);
  void announce();
  void fetch();  // from the device, into out_
  void dropGradients();

  FlatModel& model_;
  std::unique_ptr<Clock> clock_ = steadyClock();
  std::span<Real> out_;
  torch::Tensor gathered_, pinned_;   // staged: on the device, and in the host's memory
  std::vector<torch::Tensor> views_;  // of out_ or gathered_, by parameter
  const BlockReady* ready_ = nullptr;
  std::vector<bool> final_;  // by block
  std::size_t next_ = 0;     // blocks from here on are announced
  std::exception_ptr failure_;
  double readySeconds_ = 0;
};

}  // namespace paceline

// Tells which parameters the network is about to read, whatever its layers are: LibTorch announces every operation with its inputs. Torch inside; engine/nn
// only. One thread.
#pragma once

#include <ATen/record_function.h>

#include <cstddef>
#include <exception>
#include <functional>
#include <span>
#include <vector>

#include "engine/nn/flat_model.h"

namespace paceline {

class ParameterWatch {
 public:
  // While it lives, needed(block) is called once for each block, before the first operation of this thread that has a view of it as an input.
  ParameterWatch(FlatModel& model, const std::function<void(std::size_t block)>& needed);
  ~ParameterWatch();
  ParameterWatch(const ParameterWatch&) = delete;
  ParameterWatch& operator=(const ParameterWatch&) = delete;

  // No operation comes any more: calls needed() for those that none had, and throws what it threw, which LibTorch would have kept to itself.
  void finish();

 private:
  static std::unique_ptr<at::ObserverContext> before(const at::RecordFunction& operation);
  void see(const c10::IValue& input);
  void see(const torch::Tensor& input);
  void tell(std::size_t block);

  FlatModel& model_;
  const std::function<void(std::size_t)>& needed_;
  std::vector<bool> told_;  // by block
  std::exception_ptr failure_;
  at::CallbackHandle handle_;
};

// Multiplications of a forward pass over one of these pictures, by the block of the weight that a convolution or a dense layer multiplies with. The network
// is in evaluation mode.
std::vector<double> multiplicationsOf(FlatModel& model, const torch::Tensor& pictures);

}  // namespace paceline

// Where a learner computes: in the host's memory, where the flat vector is the network, or on a device that has a copy of it. Torch inside;
// engine/nn only. One thread.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace paceline {

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

}  // namespace paceline

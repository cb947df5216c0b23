#include "engine/nn/placement.h"

#include <torch/cuda.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "engine/core/base/error.h"

namespace paceline {

torch::Tensor Placement::hostVector(std::int64_t size) const {
  return torch::empty({size}, torch::TensorOptions(torch::kFloat).pinned_memory(device.is_cuda()));
}

std::function<std::shared_ptr<void>(std::size_t)> Placement::hostMemory() const {
  if (!device.is_cuda()) return {};
  return [](std::size_t bytes) {
    const auto memory = torch::empty({static_cast<std::int64_t>(bytes)}, torch::TensorOptions(torch::kByte).pinned_memory(true));
    return std::shared_ptr<void>(memory.data_ptr(), [memory](void*) {});
  };
}

torch::Tensor Placement::there(const torch::Tensor& host) const {
  return staged ? host.to(device, host.scalar_type(), /*non_blocking=*/true) : host;
}

void Placement::finish() const {
  if (device.is_cuda()) torch::cuda::synchronize(device.index());
}

Placement placementOn(const std::string& device) {
  constexpr std::string_view kCuda = "cuda:";
  if (device == "cpu") return {};
  const std::string number = device.starts_with(kCuda) ? device.substr(kCuda.size()) : "";
  if (number.empty() || number.size() > 2 || !std::all_of(number.begin(), number.end(), [](unsigned char c) { return std::isdigit(c) != 0; }))
    throw Error(Errc::kUnsupported, strCat("device \"", device, "\" is not known; have cpu and cuda:N"));
  return {.device = torch::Device(torch::kCUDA, static_cast<torch::DeviceIndex>(std::stoi(number))), .staged = true};
}

}  // namespace paceline

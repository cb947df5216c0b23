#include <cstdlib>

#include "engine/cuda/select.h"
#include "engine/cuda/select_kernels.h"

namespace paceline {

DeviceSelect deviceSelect(const std::string& device) {
  if (!device.starts_with("cuda:")) return {};
  return [select = cudaSelect(std::atoi(device.c_str() + 5))](std::span<const float> values, std::size_t k, std::vector<std::uint32_t>& places) {
    select(values.data(), values.size(), k, places);
  };
}

}  // namespace paceline

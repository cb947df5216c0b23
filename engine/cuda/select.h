// Selection of the largest entries on a CUDA device: the same places as engine/comm/codecs/select.h finds on the CPU. In builds without
// PACELINE_CUDA there is none. No CUDA, no torch and no algorithm in this header; C++17, the most that CMake 3.25 asks of nvcc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace paceline {

// Into places, ascending: the k of largest absolute value, of equal ones those in front, never a zero. Infinity and NaN count as largest: the
// caller looks for them. At most 2^31 values. Throws Error{kHost} for what CUDA refuses. Keeps its buffers; used by one thread.
using DeviceSelect = std::function<void(const float* values, std::size_t size, std::size_t k, std::vector<std::uint32_t>& places)>;

// On "cuda:N"; empty: another device, or this program has no CUDA.
DeviceSelect deviceSelect(const std::string& device);

}  // namespace paceline

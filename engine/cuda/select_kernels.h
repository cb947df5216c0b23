// select.h's function as CUDA code gives it: C++17, the most that CMake 3.25 asks of nvcc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace paceline {

using CudaSelect = std::function<void(const float* values, std::size_t size, std::size_t k, std::vector<std::uint32_t>& places)>;

CudaSelect cudaSelect(int device);

}  // namespace paceline

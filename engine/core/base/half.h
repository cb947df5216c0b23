// IEEE 754 binary16 ("fp16") as bits, to and from float and double. Rounds to nearest, ties to even; what is too large becomes an
// infinity, infinities and signs stay, a NaN stays one (quiet, the payload's upper bits kept). The bits are those of the F16C
// instructions, which the bulk functions use where the CPU has them. Pure functions; sizes must agree (PACELINE_CHECK).
#pragma once

#include <cstdint>
#include <span>

#include "engine/core/base/cpu_path.h"

namespace paceline {

using HalfBits = std::uint16_t;
inline constexpr float kLargestHalf = 65504;

HalfBits toHalf(float value);
HalfBits toHalf(double value);  // rounded once, not by way of float
float fromHalf(HalfBits bits);  // exact

template <class T>  // float or double
void toHalf(std::span<const T> values, std::span<HalfBits> bits, CpuPath path = CpuPath::kBest);
template <class T>
void fromHalf(std::span<const HalfBits> bits, std::span<T> values, CpuPath path = CpuPath::kBest);

}  // namespace paceline

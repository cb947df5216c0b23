// With which kernels a worker computes: the choices that its last bits depend on, as variables that make another process choose the same.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace paceline {

inline constexpr const char* kOpenBlasVariable = "OPENBLAS_CORETYPE";
inline constexpr const char* kAtenVariable = "ATEN_CPU_CAPABILITY";
inline constexpr const char* kOneDnnVariable = "ONEDNN_MAX_CPU_ISA";
inline constexpr const char* kOneDnnPrecisionVariable = "ONEDNN_DEFAULT_FPMATH_MODE";  // BF16: it may compute f32 in bfloat16; never ours to set

using Variables = std::map<std::string, std::string>;

// "ATEN_CPU_CAPABILITY=avx512 OPENBLAS_CORETYPE=SkylakeX (LibTorch 1.13.1, 2 threads)": noted by every worker, kept in its checkpoints.
std::string kernelsText(const Variables& chosen, const std::string& torch, int threads);
Variables kernelVariables(std::string_view text);  // of such a text; none of any other

std::vector<std::string> cpuFlags();  // of this computer, as /proc/cpuinfo says; none where it says none

// What the nodes on a CPU with these flags need in addition to `given`, and "" for what of that would end them by SIGILL there.
// OpenBLAS 0.3.21 takes AVX2 kernels on CPUs with AVX-512 that are younger than it; its SkylakeX kernels run on all of them.
Variables kernelsFor(const std::vector<std::string>& cpuFlags, const Variables& given);
Variables kernelsHere();  // what this process needs in addition to its environment; libraries choose as they are loaded, so it must start anew with that

}  // namespace paceline

// How fast this host multiplies matrices in fp32, the work that training consists of: blocks that stay in the second-level cache, with the widest
// vectors the CPU has. A number to compare hosts by, not the peak of a tuned BLAS.
#pragma once

#include <string>
#include <vector>

namespace paceline::probe {

// What `paceline-agent compute SECONDS` prints: {"gflops_all": n, "gflops_one": n, "threads": n, "seconds": s, "kernel": "avx2"}.
// One thread for half the time, then one per usable CPU. 0.1 to 60 s; throws Error{kUsage} otherwise.
std::string computeJson(const std::string& seconds);

// For tests: the kernels that this CPU can run, and their product of the benchmark's matrices, row by row; "plain" is the textbook's loop.
std::vector<std::string> computeKernels();
std::vector<float> computeProduct(const std::string& kernel);

}  // namespace paceline::probe

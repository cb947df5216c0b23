// The parameter-server round that several rows measure: 2 workers push 44.7 MB each to 1 server and pull the mean, in processes of their own.
#pragma once

#include <cstddef>
#include <string>

namespace paceline::bench {

inline constexpr std::size_t kRoundElements = 11'175'370;  // resnet18_v1: 44.7 MB
inline constexpr int kRounds = 24, kWarmUpRounds = 4;      // a figure is the median of the rounds after warm-up

inline constexpr char kSharedMemory[] = "shared";  // a mode: plain, and vectors lie in memory that the processes share

// Seconds of a round over our wire. The nodes listen on `address`, protected as `mode` says (DataKeys).
double psRoundSeconds(const std::string& program, const std::string& address, const std::string& mode);

}  // namespace paceline::bench

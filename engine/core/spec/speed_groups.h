// Workers of like speed in one group: exact one-dimensional k-means on measured speeds, k given or chosen. Pure functions.
#pragma once

#include <span>
#include <vector>

namespace paceline {

// A step without emulate.step_s costs this long in virtual time, times its slowdown.
inline constexpr double kNominalStepSeconds = 0.1;

// Speeds within this factor of each other are no reason for more than one group.
inline constexpr double kAlikeSpeeds = 1.1;
// What a measured speed may be off by, as a fraction of it.
inline constexpr double kSpeedNoise = 0.05;
constexpr int kMaxSpeedGroups = 64;  // that are tried

// The group of every worker, numbered from the fastest, none empty. `stepSeconds`: of one step, all > 0. groups = 0: as many as
// give the largest Calinski-Harabasz index, of 2 .. n - 1 (at most kMaxSpeedGroups); one when all are alike. Calinski & Harabasz,
// "A dendrite method for cluster analysis", 1974: (B / (k - 1)) / (W / (n - k)), B and W the sums of squares between and within groups.
// W has the measurements' noise added: without it the index of few workers is always largest at n - 1.
std::vector<int> groupsBySpeed(std::span<const double> stepSeconds, int groups = 0);

}  // namespace paceline

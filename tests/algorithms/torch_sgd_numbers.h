// Printed by tests/algorithms/torch_sgd_numbers.py with torch 1.13.0a0.
#pragma once

namespace paceline::tests {

struct TorchSgdCase {
  double rate, momentum, weightDecay;
  bool nesterov;
  double w[3];
};

inline constexpr int kTorchSgdSteps = 40;
inline constexpr TorchSgdCase kTorchSgdCases[] = {
    {0.1, 0, 0, false, {0.5319180693635943, 0.2491655355706055, 0.20041068201011514}},
    {0.1, 0.9, 0, false, {0.5796232829143128, -0.008269006656927798, 0.14517552539163822}},
    {0.05, 0.9, 0, true, {0.5072292073437792, 0.21961490922890634, 0.18249234721470312}},
    {0.1, 0.5, 0.01, false, {0.5236916972535294, 0.2571837965957385, 0.18034962205234556}},
    {0.02, 0.9, 0.1, true, {0.491480369443421, 0.24747175459472803, 0.15731835673169192}},
};

}  // namespace paceline::tests

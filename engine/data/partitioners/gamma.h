// Random proportions whose bits are the same on every machine: workers of different hosts must find the same split. The logarithm and the
// exponential here consist of additions, multiplications, divisions and square roots, which IEEE 754 rounds in one way only; those of the C
// library differ in the last place between versions and processors. Pure but for the stream.
#pragma once

#include <vector>

#include "engine/core/base/rng.h"

namespace paceline::partitioners {

double portableLog(double x);  // x > 0, finite; within 2 units in the last place, absolute 2e-16 near 1
double portableExp(double x);  // x <= 0

// The logarithm of a draw from Gamma(shape, 1): small shapes give numbers far below the smallest double. shape > 0.
// Marsaglia & Tsang, A Simple Method for Generating Gamma Variables, ACM TOMS 26(3), 2000; below 1 as there: Gamma(a + 1) U^(1/a).
double gammaLog(Rng& rng, double shape);

// A draw from Dirichlet(concentrations), times a number > 0: the largest is 1.
std::vector<double> dirichletWeights(Rng& rng, const std::vector<double>& concentrations);

}  // namespace paceline::partitioners

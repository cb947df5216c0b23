#include "engine/data/partitioners/gamma.h"

#include <algorithm>
#include <cmath>

namespace paceline::partitioners {
namespace {

constexpr double kLog2 = 0x1.62e42fefa39efp-1;

double aboveZero(Rng& rng) { return 1 - rng.uniform(); }  // (0, 1]

double portableNormal(Rng& rng) {  // Marsaglia's polar method; its second number is not kept
  for (;;) {
    const double u = rng.uniform(-1, 1), v = rng.uniform(-1, 1), s = u * u + v * v;
    if (s < 1 && s > 0) return u * std::sqrt(-2 * portableLog(s) / s);
  }
}

}  // namespace

double portableLog(double x) {  // 2 atanh((m - 1) / (m + 1)) of the mantissa m in [sqrt(1/2), sqrt(2)); the 13th term is below 1e-19
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0x1.6a09e667f3bcdp-1) m *= 2, --exponent;
  const double z = (m - 1) / (m + 1), square = z * z;
  double sum = 0;
  for (int odd = 25; odd >= 1; odd -= 2) sum = sum * square + 1.0 / odd;
  return exponent * kLog2 + 2 * z * sum;
}

double portableExp(double x) {  // Taylor's series on [-log(2) / 2, log(2) / 2]; the 15th term is below 1e-18
  if (x < -745) return 0;
  const double twos = std::floor(x / kLog2 + 0.5), rest = x - twos * kLog2;
  double sum = 1;
  for (int term = 15; term >= 1; --term) sum = 1 + sum * rest / term;
  return std::ldexp(sum, static_cast<int>(twos));
}

double gammaLog(Rng& rng, double shape) {
  if (shape < 1) {
    const double boosted = gammaLog(rng, shape + 1);
    return boosted + portableLog(aboveZero(rng)) / shape;
  }
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = portableNormal(rng), root = 1 + c * x, v = root * root * root;
    if (v <= 0) continue;
    const double logV = portableLog(v);
    if (portableLog(aboveZero(rng)) < x * x / 2 + d - d * v + d * logV) return portableLog(d) + logV;
  }
}

std::vector<double> dirichletWeights(Rng& rng, const std::vector<double>& concentrations) {
  std::vector<double> weights;
  for (const double concentration : concentrations) weights.push_back(gammaLog(rng, concentration));
  const double most = *std::max_element(weights.begin(), weights.end());
  for (double& weight : weights) weight = portableExp(weight - most);
  return weights;
}

}  // namespace paceline::partitioners

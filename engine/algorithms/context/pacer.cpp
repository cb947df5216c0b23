#include "engine/algorithms/context/pacer.h"

#include <algorithm>

namespace paceline {

Pacer::Pacer(Clock& clock, const Emulate& emulate, Rng rng, double nominalSeconds)
    : clock_(clock), emulate_(emulate), rng_(rng), nominal_(nominalSeconds) {}

double Pacer::expected(double measured) const {
  if (virtualTime()) return emulate_.stepSeconds ? *emulate_.stepSeconds : nominal_ * emulate_.slowdown;
  return emulate_.stepSeconds ? std::max(measured, *emulate_.stepSeconds) : measured * emulate_.slowdown;
}

double Pacer::stretch(double measured) {
  double target = expected(measured);
  if (emulate_.jitter > 0) target *= rng_.uniform(1 - emulate_.jitter, 1 + emulate_.jitter);
  if (virtualTime()) {
    clock_.sleepFor(target);
    return target;
  }
  if (target <= measured) return measured;
  const double began = clock_.now();
  clock_.sleepFor(target - measured);
  return measured + (clock_.now() - began);  // what it really took: a sleep may be longer than asked for
}

}  // namespace paceline

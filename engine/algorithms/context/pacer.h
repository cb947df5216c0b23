// Makes a worker behave like a slower device: stretches each step by the spec's slowdown, fixed step time and jitter.
// In virtual time it alone sets the cost of a step. Used by the worker's thread.
#pragma once

#include "engine/core/base/clock.h"
#include "engine/core/base/rng.h"
#include "engine/core/spec/run_spec.h"

namespace paceline {

class Pacer {
 public:
  // nominalSeconds > 0: virtual time; a step without step_s costs that many seconds times slowdown.
  Pacer(Clock& clock, const Emulate& emulate, Rng rng, double nominalSeconds = 0);
  // A step's compute took `measured` seconds: sleeps for the rest and returns the step's duration in the emulated world.
  double stretch(double measured);
  // The same without sleeping and without jitter.
  double expected(double measured) const;
  void state(Archive& archive) { rng_.state(archive, "jitter"); }
  bool virtualTime() const { return nominal_ > 0; }  // measured times then mean nothing

 private:
  Clock& clock_;
  Emulate emulate_;
  Rng rng_;
  double nominal_;
};

}  // namespace paceline

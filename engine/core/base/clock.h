// The only door to time. Real: steady clock. Simulated: virtual seconds (engine/comm/sim/sim_world.h). Used by the node's own thread.
#pragma once

#include <memory>

namespace paceline {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual double now() const = 0;            // seconds; monotonic; the zero means nothing
  virtual void sleepFor(double seconds) = 0;  // <= 0 returns at once
};

std::unique_ptr<Clock> steadyClock();

}  // namespace paceline

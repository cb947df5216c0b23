// The only door to time. Real: steady clock. Simulated: virtual seconds (engine/comm/sim/sim_world.h). Used by the node's own thread.
#pragma once

#include <chrono>
#include <memory>
#include <thread>

namespace paceline {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual double now() const = 0;            // seconds; monotonic; the zero means nothing
  virtual void sleepFor(double seconds) = 0;  // <= 0 returns at once
};

// Seconds on this host's monotonic clock: for deadlines and differences, never for dates. Any thread.
inline double steadySeconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

class SteadyClock final : public Clock {
 public:
  double now() const override { return steadySeconds(); }
  void sleepFor(double seconds) override {
    if (seconds > 0) std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  }
};
inline std::unique_ptr<Clock> steadyClock() { return std::make_unique<SteadyClock>(); }

}  // namespace paceline

#include "engine/core/base/clock.h"

#include <thread>

namespace paceline {
namespace {

class SteadyClock final : public Clock {
 public:
  double now() const override { return steadySeconds(); }
  void sleepFor(double seconds) override {
    if (seconds > 0) std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  }
};

}  // namespace

std::unique_ptr<Clock> steadyClock() { return std::make_unique<SteadyClock>(); }

}  // namespace paceline

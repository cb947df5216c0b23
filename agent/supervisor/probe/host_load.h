// Load of this machine from /proc/stat, /proc/meminfo and /proc/net/dev. One thread; what cannot be read stays 0.
#pragma once

#include "engine/core/record/event.h"

namespace paceline::probe {

class HostLoadMeter {
 public:
  HostLoadMeter();     // the first measure() counts from here
  HostLoad measure();  // cpu: since the last call

 private:
  std::int64_t busy_ = 0, all_ = 0;  // clock ticks of all cores
};

}  // namespace paceline::probe

// A file descriptor in the supervisor's poll loop, with its handler.
#pragma once

#include <functional>
#include <vector>

#include "engine/core/base/steady_seconds.h"

namespace paceline::supervise {

struct Watch {
  int fd = -1;
  short events = 0;                   // POLLIN, POLLOUT
  std::function<void(short)> ready;   // gets revents; must not destroy what is watched
};

using Watches = std::vector<Watch>;

}  // namespace paceline::supervise

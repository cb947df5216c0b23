#pragma once

#include <functional>
#include <vector>

namespace paceline::supervise {

// A file descriptor in the supervisor's poll loop, with its handler.
struct Watch {
  int fd = -1;
  short events = 0;                   // POLLIN, POLLOUT
  std::function<void(short)> ready;   // gets revents; must not destroy what is watched
};

using Watches = std::vector<Watch>;

}  // namespace paceline::supervise

// How many files this process, and the programs that it starts, may have open. Header-only; any thread.
#pragma once

#include <sys/resource.h>

namespace paceline {

// As many as the host lets it, where the usual limit is made for programs that use select(): a supervisor has up to six for a node, strangers cost a node one each.
inline void allowManyFiles() {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  (void)::setrlimit(RLIMIT_NOFILE, &files);
}

}  // namespace paceline

// A process that outlives the supervisor, however that ends, and then kills every process that it or its nodes have left.
#pragma once

#include <functional>

namespace paceline::contain {

// Forks: `program` runs in the child, whose exit code is returned here when nothing below this process is left. Signals that ask this
// process to end (SIGTERM, SIGINT, SIGHUP) are passed on. The caller has one thread and no other children. Throws Error{kHost}.
int guarded(const std::function<int()>& program);

}  // namespace paceline::contain

// Reaching a store's recorder, which is started when none runs; and being one.
#pragma once

#include <functional>
#include <string>

#include "app/cluster/recorder/channel.h"

namespace paceline::recorder {

inline constexpr int kLockedExit = 75;  // of `paceline recorder`: another process has the store

// A connection to the recorder of this store. `program`: of `paceline`; "": beside this one. Another process that has the store without
// being its recorder is waited for `lockedSeconds`. Throws Error{kLocked, kStore, kHost}.
Fd reach(const std::string& storePath, const std::string& program, double lockedSeconds);

// Becomes the recorder of this store; in the background unless `foreground`: then this returns as soon as clients are served. Exit code of
// the program. Only a process without threads may call it. Throws Error{kLocked, kStore, kNoSpace, kHost}.
int serve(const std::string& storePath, bool foreground);

}  // namespace paceline::recorder

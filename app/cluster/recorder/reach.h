// Reaching a store's recorder, which is started when none runs; and being one. It is reached at a socket in a private folder, named by a hash of the
// store's canonical path. Throws Error{kHost}.
#pragma once

#include <optional>
#include <string>

#include "engine/core/base/fd.h"

namespace paceline::recorder {

// $XDG_RUNTIME_DIR/paceline (without the variable /run/user/UID/paceline), else paceline/run below $XDG_CACHE_HOME or ~/.cache. Made, with
// mode 0700, when it is missing.
std::string runtimeFolder();
std::string socketName(const std::string& storePath);  // "3f12ab....sock"

// nullopt: nobody listens there. The other side is of this user.
std::optional<Fd> connectTo(const std::string& storePath);

// A listening socket of this store. Whoever calls this holds the store's lock, so one that is there is left by a dead recorder.
class Listener {
 public:
  explicit Listener(const std::string& storePath);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  int fd() const;               // readable: somebody waits; -1: for a moment none can be taken
  std::optional<Fd> accept();   // of this user only
  void bindAgainWhenGone();          // a logout removes the runtime folder

 private:
  void bind();

  std::string name_, path_;
  Fd socket_;
  unsigned long inode_ = 0;  // of the socket's file
  double acceptAt_ = 0;
};

inline constexpr int kLockedExit = 75;  // of `paceline recorder`: another process has the store

// A connection to the recorder of this store. `program`: of `paceline`; "": beside this one. Another process that has the store without
// being its recorder is waited for `lockedSeconds`. Throws Error{kLocked, kStore, kHost}.
Fd reach(const std::string& storePath, const std::string& program, double lockedSeconds);

// Becomes the recorder of this store; in the background unless `foreground`: then this returns as soon as clients are served. Exit code of
// the program. Only a process without threads may call it. Throws Error{kLocked, kStore, kNoSpace, kHost}.
int serve(const std::string& storePath, bool foreground);

}  // namespace paceline::recorder

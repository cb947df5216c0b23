// Where a store's recorder is reached: a socket in a private folder, named by a hash of the store's canonical path. Throws Error{kHost}.
#pragma once

#include <optional>
#include <string>

#include "app/cluster/recorder/channel.h"

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

  int fd() const { return socket_.get(); }
  std::optional<Fd> accept() const;  // of this user only
  void bindAgainWhenGone();          // a logout removes the runtime folder

 private:
  void bind();

  std::string name_, path_;
  Fd socket_;
  unsigned long inode_ = 0;  // of the socket's file
};

}  // namespace paceline::recorder

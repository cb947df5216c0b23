// A TCP connection of its own making that sends what it likes.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/base/fd.h"

namespace paceline::tests {

// Connected to "tcp://127.0.0.1:PORT". Throws Error. Waits at most a minute for the other side.
class TcpClient {
 public:
  explicit TcpClient(const std::string& endpoint);
  bool send(std::string_view bytes) const;    // false: the other side has closed
  std::string receive(std::size_t bytes) const;  // fewer: it has closed
  bool closedByPeer() const;                  // waits for that; what comes before is dropped
  int descriptor() const { return socket_.get(); }
  Fd release() && { return std::move(socket_); }

 private:
  Fd socket_;
};

}  // namespace paceline::tests

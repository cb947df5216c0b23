// Raw TCP for tests: a client that sends what it likes, and a man in the middle.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>

#include "agent/supervisor/fd.h"

namespace paceline::testing {

// Connected to "tcp://127.0.0.1:PORT". Throws Error.
class TcpClient {
 public:
  explicit TcpClient(const std::string& endpoint);
  bool send(std::string_view bytes) const;  // false: the other side has closed
  bool closedByPeer() const;                  // waits for that; what comes before is dropped
  int descriptor() const { return socket_.get(); }

 private:
  Fd socket_;
};

// Passes bytes on both ways between whoever connects to endpoint() and `target`.
class TcpRelay {
 public:
  explicit TcpRelay(const std::string& target);
  ~TcpRelay();
  std::string endpoint() const { return endpoint_; }
  void cut();   // ends all connections and lets in no other
  void mend() { cut_ = false; }
  void flipAfter(std::int64_t bytes) { untilFlip_ = bytes; }  // one bit of what comes from the connecting sides, once

 private:
  void run();

  std::string target_, endpoint_;
  Fd listener_;
  std::atomic<std::int64_t> untilFlip_ = -1;
  std::atomic<bool> cut_ = false;
  std::jthread thread_;
};

}  // namespace paceline::testing

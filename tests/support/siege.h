// Strangers that do what they can to a listening port, each on a connection of its own, again and again, from one thread.
#pragma once

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "agent/supervisor/fd.h"

namespace paceline::tests {

class Siege {
 public:
  struct Force {
    int halfOpen = 1000;  // connect and say nothing
    int garbage = 50;     // send 64 KB of noise
    int oversized = 50;   // greet, then announce a frame of 2^40 bytes
    int dripping = 100;   // greet a byte at a time
  };
  Siege(const std::string& endpoint, const Force& force);  // all are connected once; then thrown out ones come again
  ~Siege();
  std::int64_t connections() const { return connections_; }

 private:
  enum class Kind { kHalfOpen, kGarbage, kOversized, kDripping };
  struct Stranger {
    Kind kind;
    Fd socket;
    std::size_t sent = 0;
  };
  void come(Stranger& stranger);
  void act(Stranger& stranger);
  void run(std::stop_token stop);

  std::string endpoint_;
  std::vector<Stranger> strangers_;
  std::atomic<std::int64_t> connections_ = 0;
  std::jthread thread_;
};

}  // namespace paceline::tests

// A man in the middle for tests: passes bytes both ways between whoever connects to endpoint() and a target, and spoils them as it is told. Where
// faults lie follows from the seed alone, whatever pieces the bytes come in. One thread of its own; every function from any thread.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "engine/core/base/fd.h"
#include "engine/core/base/rng.h"

namespace paceline::tests {

enum class Fault {
  kFlip,      // one bit
  kLeaveOut,  // 1 to 64 bytes
  kRepeat,    // 1 to 64 bytes that have just passed
  kSwap,      // the next 32 bytes and the 32 behind them, which it waits for
  kCut,       // the connection ends here
  kDelay,     // what follows comes later
};

struct FaultPlan {
  std::uint64_t seed = 0;
  std::vector<Fault> faults{};       // one of these each time; empty: none
  std::int64_t every = 0;            // bytes from a fault to the next in a direction of a connection: 1 to 2 * every
  std::int64_t after = 0;            // bytes of a direction that pass before the first can lie
  int most = std::numeric_limits<int>::max();  // faults in all
  double delaySeconds = 0.02;        // of kDelay
  std::int64_t bytesPerSecond = 0;   // of each direction; 0: as they come
  bool record = false;               // for recorded()
};

class FaultProxy {
 public:
  // Between "tcp://127.0.0.1:PORT" or "ipc://PATH" and who connects; in the latter case its own socket lies beside that one, and goes with their
  // folder. Throws Error.
  explicit FaultProxy(std::string target, FaultPlan plan = {});
  ~FaultProxy();

  std::string endpoint() const { return endpoint_; }
  int port() const;  // with TCP
  void cut();   // ends all connections and lets in no other
  void mend();  // lets in again
  // After so many bytes more of what comes from the connecting sides; `leftOut`: how many kLeaveOut leaves out.
  void once(Fault fault, std::int64_t bytes, std::size_t leftOut = 1);
  void spoil(FaultPlan plan);                  // from here on; `after` counts from here
  int faults() const;                          // done
  int connections() const;                     // since the beginning
  std::string recorded(int connection) const;  // what its connecting side sent, as it came

 private:
  struct Stream {  // one direction
    Fd in{}, out{};  // out: the other stream's in, duplicated
    bool outward = false;  // from who connected to the target
    Rng rng{0};
    std::int64_t untilFault = std::numeric_limits<std::int64_t>::max();
    std::string waiting{}, tail{}, swapped{};  // to be sent; last bytes that were; bytes that a swap has collected
    std::size_t leftOut = 0;  // bytes still to leave out
    bool swapping = false, flipping = false, ended = false;
    double notBefore = 0;  // steady seconds
  };
  struct Link {
    int number = 0;
    std::unique_ptr<Stream> streams[2];
  };

  void listenOnLoopback();
  void listenBeside();
  void run();
  double deadline() const;  // steady seconds at which a delayed stream goes on
  void accept();
  void begin(const Link& link, Stream& stream) const;  // the plan's faults
  void take(Link& link, Stream& stream);
  void pass(Stream& stream, std::string_view bytes);
  void put(Stream& stream, std::string_view bytes);
  void spoil(Stream& stream, Fault fault, std::size_t leftOut);
  std::int64_t untilNext(const Stream& stream) const;
  void give(Stream& stream);
  void wake();

  std::string target_, endpoint_;
  Fd listener_;
  Pipe wake_;
  mutable std::mutex mutex_;  // guards what follows
  FaultPlan plan_;
  std::vector<Link> links_;
  std::vector<std::string> recorded_;  // by connection
  std::optional<std::pair<Fault, std::int64_t>> once_;
  std::size_t leftOutOnce_ = 1;
  int faults_ = 0, connections_ = 0;
  bool cut_ = false, stop_ = false;
  std::uint64_t generation_ = 0;  // of links_: changes when descriptors are closed
  std::jthread thread_;
};

}  // namespace paceline::tests

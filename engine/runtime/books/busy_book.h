// How busy a server or an evaluator is, as it records it (BusyRecord): at most five intervals a second, however many messages come. Work and waiting are
// integrals over time, so every second of them is in exactly one interval. arrived(), rest() and finish() are for the node's thread, the others for any.
#pragma once

#include <cstdint>
#include <mutex>

#include "engine/comm/transport/layers.h"
#include "engine/runtime/node_loop.h"

namespace paceline {

class BusyBook {
 public:
  static constexpr double kSpanSeconds = 0.2;  // of an interval, at least; idle for so long ends one early

  BusyBook(const NodeRun& run, const MeteredWire& meter, double start) : run_(run), meter_(meter), start_(start) {}  // run and meter outlive this

  void begin() { counted_ = meter_.traffic(), bytesCome_ = counted_.bytesReceived; }  // what was counted before is another process's
  void arrived(const Message& message);  // the meter has counted it; it waits until begun()
  void begun();                          // one that waited is handled
  void works();                          // at something of its own
  void ended();                          // with either
  double patience() const;  // for the next message; then rest(). In virtual time nobody looks meanwhile, and a wait that ends is an event
  void rest();    // nothing has come for a while: what lies behind is an interval
  void finish();  // the same, whatever the time

 private:
  void open();
  void settle(double now);
  bool idle() const { return waiting_ == 0 && active_ == 0; }
  void close(double at);

  const NodeRun& run_;
  const MeteredWire& meter_;
  const double start_;
  bool open_ = false;           // this and the next two: the node's thread's
  Traffic counted_;             // in the intervals before
  std::int64_t bytesCome_ = 0;  // with the newest message
  std::mutex mutex_;            // guards what follows
  BusyRecord interval_;
  double began_ = 0, settled_ = 0, idleSince_ = 0;
  std::int64_t waiting_ = 0, active_ = 0;
};

}  // namespace paceline

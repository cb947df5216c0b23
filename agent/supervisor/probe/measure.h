// The link between two hosts: one listens on exactly one address and an ephemeral port, the other connects and measures. Both get a token on stdin
// (one line, 32 to 128 letters and digits) that the desktop made for this one measurement; nobody without it is talked to. One thread each.
#pragma once

#include <chrono>
#include <stdexcept>
#include <string>

#include "agent/supervisor/fd.h"

namespace paceline::probe {

// `paceline-agent listen ADDRESS`: prints {"address", "port"} and serves one measurement. Ends by itself 20 s after the start when nobody with the
// token has come, and 30 s after the measurement began at the latest. Throws Error with one sentence (kUsage: a wildcard or no numeric address).
void listenForMeasure(const std::string& address);

// `paceline-agent measure HOST PORT`: {"latency_ms" (half the median round trip), "round_trips", "mbps_to", "mbps_from" (payload, 10^6 bit/s,
// to and from HOST)}, or {"problem": "refused" | "timed_out" | "unreachable" | "token" | "lost", "detail": "..."}. Takes about 2 s, 5 s more on a link with much delay.
std::string measureJson(const std::string& host, const std::string& port);

// `paceline-agent clock`: answers every line on stdin with this host's clocks, {"unix_s": n, "monotonic_s": n}, so that the desktop can tell the
// offset of its own clock from round trips. Ends with stdin.
void answerClock();

using MeasureClock = std::chrono::steady_clock;

struct MeasureError : std::runtime_error {
  MeasureError(std::string kind, const std::string& detail) : std::runtime_error(detail), kind(std::move(kind)) {}
  std::string kind;  // "refused", "timed_out", "unreachable", "token", "lost", "address"
};

// A TCP socket of a link measurement. Every call ends by the deadline. Throws MeasureError.
class MeasureSocket {
 public:
  static MeasureSocket listening(const std::string& address);                             // numeric, not a wildcard; an ephemeral port
  static MeasureSocket connected(const std::string& host, int port, double seconds);  // numeric

  int port() const;
  MeasureSocket accept(MeasureClock::time_point until);  // throws "timed_out"
  void deadline(MeasureClock::time_point until) { until_ = until; }

  void write(const void* bytes, std::size_t count);
  std::size_t readSome(void* bytes, std::size_t count);  // at least 1
  std::size_t waiting() const;                           // bytes that have arrived and are not read yet
  void read(void* bytes, std::size_t count);
  std::string readLine(std::size_t limit);  // without its end; throws "lost" when it is longer

 private:
  explicit MeasureSocket(Fd socket);
  void waitFor(short events);

  Fd socket_;
  MeasureClock::time_point until_ = MeasureClock::time_point::max();
};

}  // namespace paceline::probe

// A TCP socket of a link measurement. Every call ends by the deadline. Throws MeasureError.
#pragma once

#include <chrono>
#include <stdexcept>
#include <string>

#include "agent/supervisor/fd.h"

namespace paceline::probe {

using MeasureClock = std::chrono::steady_clock;

class MeasureError : public std::runtime_error {
 public:
  MeasureError(std::string kind, const std::string& detail) : std::runtime_error(detail), kind_(std::move(kind)) {}
  const std::string& kind() const { return kind_; }  // "refused", "timed_out", "unreachable", "token", "lost", "address"

 private:
  std::string kind_;
};

class MeasureSocket {
 public:
  static MeasureSocket listening(const std::string& address);                             // numeric, not a wildcard; an ephemeral port
  static MeasureSocket connected(const std::string& host, int port, double seconds);  // numeric

  int port() const;
  MeasureSocket accept(MeasureClock::time_point until);  // throws "timed_out"
  void deadline(MeasureClock::time_point until) { until_ = until; }

  void write(const void* bytes, std::size_t count);
  std::size_t readSome(void* bytes, std::size_t count);  // at least 1
  void read(void* bytes, std::size_t count);
  std::string readLine(std::size_t limit);  // without its end; throws "lost" when it is longer

 private:
  explicit MeasureSocket(Fd socket);
  void waitFor(short events);

  Fd socket_;
  MeasureClock::time_point until_ = MeasureClock::time_point::max();
};

}  // namespace paceline::probe

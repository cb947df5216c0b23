// What the kernel knows about a TCP connection that a library made. Reads only; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace paceline::zeromq {

struct TcpState {
  std::uint64_t ackedBytes = 0;   // the other side's kernel has them
  std::uint64_t waitingBytes = 0;  // in this kernel: not sent, or not acknowledged
  int unanswered = 0;             // retransmissions and probes in a row without any answer
  double silentSeconds = 0;       // since the last acknowledgement
};

// nullopt: this descriptor is no TCP connection to that endpoint ("tcp://10.0.0.5:40123") any more, or never was.
std::optional<TcpState> tcpState(int descriptor, const std::string& endpoint);

}  // namespace paceline::zeromq

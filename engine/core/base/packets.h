// Messages between processes of one host over a pair of connected Unix sockets that keep their bounds (SOCK_SEQPACKET): texts, with file
// descriptors when wanted. Any thread, one at a time for each end.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/base/fd.h"

namespace paceline {

constexpr std::size_t kMaxPacket = 64 << 10;
constexpr std::size_t kMaxPacketFds = 8;

struct Packet {
  std::string text;     // empty: the other end is closed
  std::vector<Fd> fds;  // closed in programs that this one becomes
  pid_t from = 0;       // who sent it, as this process's PID namespace counts; 0 unless askForSenders()
};

std::pair<Fd, Fd> packetSockets();  // neither survives an exec. Throws Error{kHost}
void askForSenders(const Fd& socket);  // what comes here says from which process. Throws Error{kHost}

// false: errno says why; nothing was sent. Never raises SIGPIPE.
bool sendPacket(const Fd& socket, const std::string& text, const std::vector<int>& fds = {});
// nullopt: errno says why, EAGAIN where nothing is there and the socket does not block. EMSGSIZE: it was longer than kMaxPacket or had more descriptors.
std::optional<Packet> receivePacket(const Fd& socket);

}  // namespace paceline

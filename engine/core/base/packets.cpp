#include "engine/core/base/packets.h"

#include <sys/socket.h>

namespace paceline {
namespace {

[[noreturn]] void fail(const char* what) { throw Error(Errc::kHost, strCat(what, ": ", std::strerror(errno))); }

// Room for what comes beside a text: descriptors, and who sent it.
union Beside {
  cmsghdr aligned;
  char bytes[CMSG_SPACE(kMaxPacketFds * sizeof(int)) + CMSG_SPACE(sizeof(ucred))];
};

void take(const cmsghdr& part, Packet& packet) {
  if (part.cmsg_level != SOL_SOCKET) return;
  if (part.cmsg_type == SCM_CREDENTIALS) {
    ucred sender{};
    std::memcpy(&sender, CMSG_DATA(&part), sizeof sender);
    packet.from = sender.pid;
  } else if (part.cmsg_type == SCM_RIGHTS) {
    std::vector<int> fds((part.cmsg_len - CMSG_LEN(0)) / sizeof(int));
    std::memcpy(fds.data(), CMSG_DATA(&part), fds.size() * sizeof(int));
    for (const int fd : fds) packet.fds.emplace_back(fd);
  }
}

}  // namespace

std::pair<Fd, Fd> packetSockets() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) fail("cannot make a pair of sockets");
  return {Fd(ends[0]), Fd(ends[1])};
}

void askForSenders(const Fd& socket) {
  const int on = 1;
  if (::setsockopt(socket.get(), SOL_SOCKET, SO_PASSCRED, &on, sizeof on) != 0) fail("cannot ask who sends");
}

bool sendPacket(const Fd& socket, const std::string& text, const std::vector<int>& fds) {
  PACELINE_CHECK(!text.empty() && text.size() <= kMaxPacket && fds.size() <= kMaxPacketFds, "a packet's size");
  iovec content{.iov_base = const_cast<char*>(text.data()), .iov_len = text.size()};
  Beside beside{};
  msghdr message{};
  message.msg_iov = &content;
  message.msg_iovlen = 1;
  if (!fds.empty()) {
    message.msg_control = beside.bytes;
    message.msg_controllen = CMSG_SPACE(fds.size() * sizeof(int));
    cmsghdr* part = CMSG_FIRSTHDR(&message);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(fds.size() * sizeof(int));
    std::memcpy(CMSG_DATA(part), fds.data(), fds.size() * sizeof(int));
  }
  ssize_t sent;
  do sent = ::sendmsg(socket.get(), &message, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(text.size());
}

std::optional<Packet> receivePacket(const Fd& socket) {
  Packet packet{.text = std::string(kMaxPacket, '\0'), .fds = {}};
  iovec content{.iov_base = packet.text.data(), .iov_len = packet.text.size()};
  Beside beside{};
  msghdr message{};
  message.msg_iov = &content;
  message.msg_iovlen = 1;
  message.msg_control = beside.bytes;
  message.msg_controllen = sizeof beside.bytes;
  ssize_t got;
  do got = ::recvmsg(socket.get(), &message, MSG_CMSG_CLOEXEC);
  while (got < 0 && errno == EINTR);
  if (got < 0) return std::nullopt;
  packet.text.resize(static_cast<std::size_t>(got));
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr; part = CMSG_NXTHDR(&message, part)) take(*part, packet);
  if ((message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) == 0) return packet;
  errno = EMSGSIZE;
  return std::nullopt;
}

}  // namespace paceline

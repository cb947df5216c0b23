// A TCP socket on the loopback interface with nothing around it: what the messages of ours, and other libraries, are measured against. Throws Error{kPeerLost}.
#pragma once

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "engine/core/base/error.h"

namespace paceline::bench {

class Socket {
 public:
  explicit Socket(int fd) : fd_(fd) { require(fd >= 0, "no socket"); }
  ~Socket() { ::close(fd_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  static void require(bool good, const char* what) {
    if (!good) throw Error(Errc::kPeerLost, strCat("a bare socket: ", what, ": ", std::strerror(errno)));
  }

  static std::unique_ptr<Socket> listening(int peers) {
    auto socket = std::make_unique<Socket>(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_in address = loopback(0);
    require(::bind(socket->fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 && ::listen(socket->fd_, peers) == 0, "it cannot listen");
    return socket;
  }
  int port() const {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    require(::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size) == 0, "it has no port");
    return ntohs(address.sin_port);
  }
  std::unique_ptr<Socket> accept() const { return atOnce(::accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC)); }
  static std::unique_ptr<Socket> connected(int port) {
    auto socket = atOnce(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_in address = loopback(port);
    require(::connect(socket->fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0, "it cannot connect");
    return socket;
  }

  void send(std::span<const float> values) const {
    for (auto bytes = std::as_bytes(values); !bytes.empty();) bytes = bytes.subspan(moved(::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL), "it cannot send"));
  }
  void receive(std::span<float> values) const {
    for (auto bytes = std::as_writable_bytes(values); !bytes.empty();) bytes = bytes.subspan(moved(::recv(fd_, bytes.data(), bytes.size(), 0), "it cannot receive"));
  }
  // Both at once, by one thread.
  void exchange(std::span<const float> out, std::span<float> in) const {
    constexpr std::size_t kAtOnce = std::size_t{1} << 18;
    auto sending = std::as_bytes(out);
    auto receiving = std::as_writable_bytes(in);
    while (!sending.empty() || !receiving.empty()) {
      pollfd ready{.fd = fd_, .events = static_cast<short>((sending.empty() ? 0 : POLLOUT) | (receiving.empty() ? 0 : POLLIN)), .revents = 0};
      require(::poll(&ready, 1, -1) == 1, "it cannot wait");
      if (!receiving.empty() && (ready.revents & (POLLIN | POLLHUP | POLLERR)) != 0)
        receiving = receiving.subspan(moved(::recv(fd_, receiving.data(), std::min(receiving.size(), kAtOnce), MSG_DONTWAIT), "it cannot receive"));
      if (!sending.empty() && (ready.revents & POLLOUT) != 0)
        sending = sending.subspan(moved(::send(fd_, sending.data(), std::min(sending.size(), kAtOnce), MSG_NOSIGNAL | MSG_DONTWAIT), "it cannot send"));
    }
  }

 private:
  static sockaddr_in loopback(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET, address.sin_port = htons(static_cast<std::uint16_t>(port)), address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
  }
  static std::unique_ptr<Socket> atOnce(int fd) {
    auto socket = std::make_unique<Socket>(fd);
    const int yes = 1;
    require(::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes) == 0, "TCP_NODELAY");
    return socket;
  }
  static std::size_t moved(ssize_t bytes, const char* what) {
    require(bytes > 0, what);
    return static_cast<std::size_t>(bytes);
  }

  int fd_;
};

}  // namespace paceline::bench

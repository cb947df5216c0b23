// TCP sockets on the loopback interface with nothing around them: what the messages of ours, and other libraries, are measured against. Throw Error{kPeerLost}.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "engine/core/base/error.h"
#include "engine/core/collective.h"

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

// Between all ranks of an all-reduce: what its bytes take over bare sockets, by recursive halving, then doubling, as the butterfly's, with nothing added up and no message, queue or
// thread. No all-reduce over TCP by one thread a rank is much faster.
class SocketMesh {
 public:
  // All ranks at once; `world` is a power of two. Ports are told on `board`.
  SocketMesh(Board& board, int rank, int world) : rank_(rank), world_(world) {
    const auto listening = Socket::listening(world);
    const std::string port = std::to_string(listening->port());
    board.tell(strCat("port ", rank), {port.begin(), port.end()});
    for (int other = 0; other < rank; ++other) {
      const std::vector<char> told = board.hear(strCat("port ", other));
      peers_[other] = Socket::connected(std::stoi(std::string(told.begin(), told.end())));
      const float self = static_cast<float>(rank);
      peers_[other]->send({&self, 1});
    }
    for (int more = rank + 1; more < world; ++more) {
      auto socket = listening->accept();
      float other = 0;
      socket->receive({&other, 1});
      peers_[static_cast<int>(other)] = std::move(socket);
    }
  }

  // Leaves `data` as it is where all ranks have the same.
  void exchange(std::span<float> data) {
    struct Half {
      int partner = 0;
      std::span<float> kept, given;
    };
    std::vector<Half> halves;
    received_.resize((data.size() + 1) / 2);
    for (int mask = 1; mask < world_; mask *= 2) {
      const std::span<float> low = data.first(data.size() / 2), high = data.subspan(data.size() / 2);
      const Half half = (rank_ & mask) != 0 ? Half{rank_ ^ mask, high, low} : Half{rank_ ^ mask, low, high};
      peers_.at(half.partner)->exchange(half.given, std::span(received_).first(half.kept.size()));
      data = half.kept;
      halves.push_back(half);
    }
    for (; !halves.empty(); halves.pop_back()) peers_.at(halves.back().partner)->exchange(halves.back().kept, halves.back().given);
  }

 private:
  int rank_, world_;
  std::map<int, std::unique_ptr<Socket>> peers_;  // by rank
  std::vector<float> received_;
};

}  // namespace paceline::bench

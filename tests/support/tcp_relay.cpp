#include "tests/support/tcp_relay.h"

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include "engine/core/base/error.h"

namespace paceline::testing {
namespace {

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// False: the other side has gone.
bool sendAll(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

}  // namespace

TcpClient::TcpClient(const std::string& endpoint) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  const sockaddr_in address = loopback(std::stoi(endpoint.substr(endpoint.rfind(':') + 1)));
  if (::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    throw Error(Errc::kHost, strCat("cannot connect to ", endpoint, ": ", std::strerror(errno)));
}

bool TcpClient::send(std::string_view bytes) const { return sendAll(socket_.get(), bytes); }

bool TcpClient::closedByPeer() const {
  constexpr timeval kGuard{.tv_sec = 60, .tv_usec = 0};  // against hanging only
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &kGuard, sizeof kGuard);
  char chunk[4096];
  ssize_t got = 0;
  while ((got = ::recv(socket_.get(), chunk, sizeof chunk, 0)) > 0) {
  }
  return got == 0 || errno == ECONNRESET;
}

TcpRelay::TcpRelay(const std::string& target) : target_(target), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address = loopback(0);
  socklen_t length = sizeof address;
  if (::bind(listener_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 || ::listen(listener_.get(), 16) != 0 ||
      ::getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &length) != 0)
    throw Error(Errc::kHost, strCat("cannot listen: ", std::strerror(errno)));
  endpoint_ = strCat("tcp://127.0.0.1:", ntohs(address.sin_port));
  thread_ = std::jthread([this] { run(); });
}

TcpRelay::~TcpRelay() {
  ::shutdown(listener_.get(), SHUT_RDWR);  // wakes the thread
  thread_.join();
}

void TcpRelay::cut() {
  cut_ = true;
  (void)TcpClient(endpoint_).closedByPeer();  // wakes the thread and waits until it has cut
}

// Sockets in pairs: 2k is who connected, 2k + 1 goes to the target.
void TcpRelay::run() {
  std::vector<Fd> sockets;
  std::string chunk(1 << 16, '\0');
  while (true) {
    std::vector<pollfd> ready{{listener_.get(), POLLIN, 0}};
    for (const Fd& socket : sockets) ready.push_back({socket.get(), POLLIN, 0});
    if (::poll(ready.data(), ready.size(), -1) < 0) continue;
    if (ready[0].revents != 0) {
      Fd accepted(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (!accepted) return;
      if (cut_) {
        sockets.clear();
        continue;
      }
      sockets.push_back(std::move(accepted));
      sockets.emplace_back(::dup(TcpClient(target_).descriptor()));
    }
    for (std::size_t i = 0; i + 1 < ready.size(); ++i) {
      if (ready[i + 1].revents == 0) continue;
      const ssize_t got = ::recv(sockets[i].get(), chunk.data(), chunk.size(), 0);
      const std::size_t other = i ^ 1;
      if (got > 0 && i % 2 == 0) {
        const std::int64_t before = untilFlip_;
        if (before >= 0 && before < got) chunk[static_cast<std::size_t>(before)] = static_cast<char>(chunk[static_cast<std::size_t>(before)] ^ 4);
        if (before >= 0) untilFlip_ = before < got ? -1 : before - got;
      }
      if (got > 0 && sendAll(sockets[other].get(), {chunk.data(), static_cast<std::size_t>(got)})) continue;
      sockets[i].close();
      sockets[other].close();
    }
  }
}

}  // namespace paceline::testing

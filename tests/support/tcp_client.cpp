#include "tests/support/tcp_client.h"

#include <cerrno>
#include <cstring>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "engine/core/base/error.h"

namespace paceline::tests {

TcpClient::TcpClient(const std::string& endpoint) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1))));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    throw Error(Errc::kHost, strCat("cannot connect to ", endpoint, ": ", std::strerror(errno)));
  constexpr timeval kGuard{.tv_sec = 60, .tv_usec = 0};  // against hanging only
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &kGuard, sizeof kGuard);
}

bool TcpClient::send(std::string_view bytes) const {
  return writeAll(bytes, [this](std::string_view rest) { return ::send(socket_.get(), rest.data(), rest.size(), MSG_NOSIGNAL); });
}

std::string TcpClient::receive(std::size_t bytes) const {
  std::string all(bytes, '\0');
  const ssize_t got = ::recv(socket_.get(), all.data(), bytes, MSG_WAITALL);
  all.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return all;
}

bool TcpClient::closedByPeer() const {
  char chunk[4096];
  ssize_t got = 0;
  while ((got = ::recv(socket_.get(), chunk, sizeof chunk, 0)) > 0) {
  }
  return got == 0 || errno == ECONNRESET;
}

}  // namespace paceline::tests

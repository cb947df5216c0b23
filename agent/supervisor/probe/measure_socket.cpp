#include "agent/supervisor/probe/measure_socket.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "engine/core/base/error.h"

namespace paceline::probe {
namespace {

constexpr int kUnsentBytes = 512 << 10;  // of what waits in the kernel: a slow link shall not have seconds of data queued when the time is up

struct Address {
  sockaddr_storage storage{};
  socklen_t size = 0;
};

Address numericAddress(const std::string& text, int port) {
  Address address;
  auto* four = reinterpret_cast<sockaddr_in*>(&address.storage);
  auto* six = reinterpret_cast<sockaddr_in6*>(&address.storage);
  if (::inet_pton(AF_INET, text.c_str(), &four->sin_addr) == 1) {
    four->sin_family = AF_INET;
    four->sin_port = htons(static_cast<std::uint16_t>(port));
    address.size = sizeof *four;
  } else if (::inet_pton(AF_INET6, text.c_str(), &six->sin6_addr) == 1) {
    six->sin6_family = AF_INET6;
    six->sin6_port = htons(static_cast<std::uint16_t>(port));
    address.size = sizeof *six;
  } else {
    throw MeasureError("address", strCat("\"", text, "\" is no IP address"));
  }
  return address;
}

bool isWildcard(const Address& address) {
  if (address.storage.ss_family == AF_INET) return reinterpret_cast<const sockaddr_in*>(&address.storage)->sin_addr.s_addr == INADDR_ANY;
  return IN6_IS_ADDR_UNSPECIFIED(&reinterpret_cast<const sockaddr_in6*>(&address.storage)->sin6_addr);
}

const char* kindOf(int error) {
  if (error == ECONNREFUSED) return "refused";
  if (error == ETIMEDOUT) return "timed_out";
  if (error == ENETUNREACH || error == EHOSTUNREACH || error == EACCES || error == EPERM || error == EINVAL) return "unreachable";
  return "lost";
}

[[noreturn]] void fail(int error) { throw MeasureError(kindOf(error), std::strerror(error)); }

}  // namespace

MeasureSocket::MeasureSocket(Fd socket) : socket_(std::move(socket)) {
  const int on = 1;
  ::setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  ::setsockopt(socket_.get(), IPPROTO_TCP, TCP_NOTSENT_LOWAT, &kUnsentBytes, sizeof kUnsentBytes);
}

MeasureSocket MeasureSocket::listening(const std::string& address) {
  const Address where = numericAddress(address, 0);
  if (isWildcard(where)) throw MeasureError("address", strCat("\"", address, "\" stands for every interface; give the address of one"));
  MeasureSocket socket(Fd(::socket(where.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)));
  if (::bind(socket.socket_.get(), reinterpret_cast<const sockaddr*>(&where.storage), where.size) != 0 || ::listen(socket.socket_.get(), 4) != 0)
    throw MeasureError("address", strCat("cannot listen at ", address, ": ", std::strerror(errno)));
  return socket;
}

MeasureSocket MeasureSocket::connected(const std::string& host, int port, double seconds) {
  const Address where = numericAddress(host, port);
  MeasureSocket socket(Fd(::socket(where.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)));
  socket.deadline(MeasureClock::now() + std::chrono::duration_cast<MeasureClock::duration>(std::chrono::duration<double>(seconds)));
  if (::connect(socket.socket_.get(), reinterpret_cast<const sockaddr*>(&where.storage), where.size) != 0) {
    if (errno != EINPROGRESS) fail(errno);
    socket.waitFor(POLLOUT);
    int error = 0;
    socklen_t size = sizeof error;
    ::getsockopt(socket.socket_.get(), SOL_SOCKET, SO_ERROR, &error, &size);
    if (error != 0) fail(error);
  }
  return socket;
}

int MeasureSocket::port() const {
  Address bound;
  bound.size = sizeof bound.storage;
  ::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&bound.storage), &bound.size);
  const bool four = bound.storage.ss_family == AF_INET;
  return ntohs(four ? reinterpret_cast<sockaddr_in*>(&bound.storage)->sin_port : reinterpret_cast<sockaddr_in6*>(&bound.storage)->sin6_port);
}

MeasureSocket MeasureSocket::accept(MeasureClock::time_point until) {
  until_ = until;
  while (true) {
    waitFor(POLLIN);
    Fd peer(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (peer) return MeasureSocket(std::move(peer));
    if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED) fail(errno);
  }
}

void MeasureSocket::waitFor(short events) {
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until_ - MeasureClock::now()).count();
    if (left <= 0) throw MeasureError("timed_out", std::strerror(ETIMEDOUT));
    pollfd waiting{socket_.get(), events, 0};
    if (::poll(&waiting, 1, static_cast<int>(std::min<long long>(left + 1, 60'000))) > 0) return;
  }
}

void MeasureSocket::write(const void* bytes, std::size_t count) {
  const char* next = static_cast<const char*>(bytes);
  while (count > 0) {
    waitFor(POLLOUT);
    const ssize_t sent = ::send(socket_.get(), next, count, MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN && errno != EINTR) throw MeasureError("lost", std::strerror(errno));
    if (sent <= 0) continue;
    next += sent;
    count -= static_cast<std::size_t>(sent);
  }
}

std::size_t MeasureSocket::readSome(void* bytes, std::size_t count) {
  while (true) {
    if (MeasureClock::now() > until_) throw MeasureError("timed_out", std::strerror(ETIMEDOUT));  // also while there is always something to read
    const ssize_t got = ::recv(socket_.get(), bytes, count, 0);
    if (got > 0) return static_cast<std::size_t>(got);
    if (got == 0) throw MeasureError("lost", "the other side closed the connection");
    if (errno != EAGAIN && errno != EINTR) throw MeasureError("lost", std::strerror(errno));
    waitFor(POLLIN);
  }
}

void MeasureSocket::read(void* bytes, std::size_t count) {
  for (char* next = static_cast<char*>(bytes); count > 0;) {
    const std::size_t got = readSome(next, count);
    next += got;
    count -= got;
  }
}

std::string MeasureSocket::readLine(std::size_t limit) {
  std::string line;
  for (char byte = 0; line.size() <= limit;) {
    read(&byte, 1);
    if (byte == '\n') return line;
    line += byte;
  }
  throw MeasureError("lost", "it says something else");
}

}  // namespace paceline::probe

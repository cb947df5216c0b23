#include "agent/supervisor/probe/measure.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iostream>
#include <vector>

#include "engine/core/json/json_text.h"
#include "engine/core/record/event.h"
#include "engine/core/base/clock.h"

// The conversation: "paceline-measure 1 TOKEN\n" is answered by "ok\n" or "no\n". Then one letter at a time from the one that connected:
// 'p' is echoed; 'u' is followed by a flow and answered by its rate as a line; 'd' is answered by a flow; 'q' ends. A flow is blocks of
// {length, u32 little-endian, at most kBlock} and that many bytes; length 0 ends it.

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

MeasureClock::time_point after(double seconds) {
  return MeasureClock::now() + std::chrono::duration_cast<MeasureClock::duration>(std::chrono::duration<double>(seconds));
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
  socket.deadline(after(seconds));
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

std::size_t MeasureSocket::waiting() const {
  int bytes = 0;
  ::ioctl(socket_.get(), FIONREAD, &bytes);
  return static_cast<std::size_t>(std::max(bytes, 0));
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

namespace {

constexpr int kRoundTrips = 200, kFewestRoundTrips = 8;
constexpr int kStrangers = 16;  // without the token; then it ends
constexpr std::size_t kBlock = 256 << 10, kLongestLine = 256;
constexpr double kWaitSeconds = 20, kLineSeconds = 2, kConnectSeconds = 5, kWholeSeconds = 30, kPingSeconds = 5;
// A flow: TCP has found its pace after kWarmSeconds; the end is left out too, where a lost last segment would cost a retransmission's wait.
constexpr double kFlowSeconds = 0.75, kWarmSeconds = 0.2, kCountedSeconds = 0.45;

double between(MeasureClock::time_point begin, MeasureClock::time_point end) { return std::chrono::duration<double>(end - begin).count(); }

std::string tokenFromInput() {
  ::alarm(static_cast<unsigned>(kWaitSeconds + kWholeSeconds) + 5);  // whatever happens, even without a token: this process ends
  std::string token;
  std::getline(std::cin, token);
  const bool good = token.size() >= 32 && token.size() <= 128 && std::all_of(token.begin(), token.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
  if (!good) throw Error(Errc::kUsage, "the first line on stdin must be the token: 32 to 128 letters and digits");
  return token;
}

std::string greeting(const std::string& token) { return strCat("paceline-measure 1 ", token); }

bool same(const std::string& a, const std::string& b) {  // in a time that says nothing about where they differ
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) difference |= static_cast<unsigned>(a[i] ^ b[i]);
  return difference == 0;
}

void sendFlow(MeasureSocket& socket) {
  std::vector<char> block(4 + kBlock);
  const auto put = [&block](std::uint32_t length) {
    for (int i = 0; i < 4; ++i) block[static_cast<std::size_t>(i)] = static_cast<char>(length >> (8 * i));
  };
  put(kBlock);
  for (const auto end = after(kFlowSeconds); MeasureClock::now() < end;) socket.write(block.data(), block.size());
  put(0);
  socket.write(block.data(), 4);
}

std::uint32_t readLength(MeasureSocket& socket) {
  unsigned char bytes[4];
  socket.read(bytes, sizeof bytes);
  const std::uint32_t length = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | static_cast<std::uint32_t>(bytes[3]) << 24;
  if (length > kBlock) throw MeasureError("lost", strCat("a block of ", length, " bytes"));
  return length;
}

// Mbit/s as it arrives here: what the sender hands to its kernel says nothing about the link. What waits in the kernel at either end of the counted time has arrived
// before it: a receiver that did not get to read for a while would otherwise count as the link's what it only caught up with.
double receiveFlow(MeasureSocket& socket) {
  struct Mark {
    MeasureClock::time_point at{};
    double bytes = -1;  // that had arrived; -1: not made yet
  };
  std::vector<char> buffer(kBlock);
  Mark first, warm, counted, last;
  double read = 0;
  for (std::uint32_t length = readLength(socket); length > 0; length = readLength(socket))
    while (length > 0) {
      const std::size_t got = socket.readSome(buffer.data(), length);
      length -= static_cast<std::uint32_t>(got);
      read += static_cast<double>(got);
      last = {MeasureClock::now(), read + static_cast<double>(socket.waiting())};
      if (first.bytes < 0) first = last;
      if (warm.bytes < 0 && between(first.at, last.at) >= kWarmSeconds) warm = last;
      if (warm.bytes >= 0 && between(warm.at, last.at) <= kCountedSeconds) counted = last;
    }
  const bool enough = warm.bytes >= 0 && between(warm.at, counted.at) > kCountedSeconds / 2;
  const Mark begin = enough ? warm : first, end = enough ? counted : last;
  const double seconds = between(begin.at, end.at);
  return seconds > 0 ? (end.bytes - begin.bytes) * 8 / seconds / 1e6 : 0;
}

void serve(MeasureSocket& socket) {
  while (true) {
    char order = 0;
    socket.read(&order, 1);
    if (order == 'q') return;
    if (order == 'p') {
      socket.write(&order, 1);
    } else if (order == 'u') {
      const std::string rate = strCat(receiveFlow(socket), "\n");
      socket.write(rate.data(), rate.size());
    } else if (order == 'd') {
      sendFlow(socket);
    } else {
      throw MeasureError("lost", "it says something else");
    }
  }
}

bool admits(MeasureSocket& peer, const std::string& token) {
  peer.deadline(after(kLineSeconds));
  try {
    const bool good = same(peer.readLine(kLongestLine), greeting(token));
    peer.write(good ? "ok\n" : "no\n", 3);
    return good;
  } catch (const MeasureError&) {  // gone, or silent
    return false;
  }
}

Json roundTrips(MeasureSocket& socket) {
  std::vector<double> seconds;
  const auto enough = after(kPingSeconds);
  while (seconds.size() < kRoundTrips && (seconds.size() < kFewestRoundTrips || MeasureClock::now() < enough)) {
    char byte = 'p';
    const auto begin = MeasureClock::now();
    socket.write(&byte, 1);
    socket.read(&byte, 1);
    seconds.push_back(between(begin, MeasureClock::now()));
  }
  std::nth_element(seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2), seconds.end());
  return {{"latency_ms", seconds[seconds.size() / 2] * 1e3 / 2}, {"round_trips", seconds.size()}};
}

double rateOf(const std::string& line) {
  double rate = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), rate);
  if (error != std::errc() || end != line.data() + line.size() || !(rate >= 0)) throw MeasureError("lost", "it says something else");
  return rate;
}

Json measure(const std::string& host, int port, const std::string& token) {
  MeasureSocket socket = MeasureSocket::connected(host, port, kConnectSeconds);
  socket.deadline(after(kWholeSeconds));
  const std::string hello = greeting(token) + "\n";
  socket.write(hello.data(), hello.size());
  if (socket.readLine(kLongestLine) != "ok") throw MeasureError("token", "the token was refused");
  Json found = roundTrips(socket);
  socket.write("u", 1);
  sendFlow(socket);
  found["mbps_to"] = rateOf(socket.readLine(kLongestLine));
  socket.write("d", 1);
  found["mbps_from"] = receiveFlow(socket);
  socket.write("q", 1);
  return found;
}

}  // namespace

void listenForMeasure(const std::string& address) {
  const std::string token = tokenFromInput();
  try {
    MeasureSocket socket = MeasureSocket::listening(address);
    std::cout << Json{{"address", address}, {"port", socket.port()}}.dump() << std::endl;
    const auto until = after(kWaitSeconds);
    for (int strangers = 0; strangers < kStrangers; ++strangers) {
      MeasureSocket peer = socket.accept(until);
      if (!admits(peer, token)) continue;
      peer.deadline(after(kWholeSeconds));
      return serve(peer);
    }
    throw Error(Errc::kHost, strCat(kStrangers, " connections to ", address, " came without the token"));
  } catch (const MeasureError& error) {
    if (error.kind == "address") throw Error(Errc::kUsage, error.what());
    throw Error(Errc::kHost, strCat("measurement at ", address, ": ", error.what()));
  }
}

std::string measureJson(const std::string& host, const std::string& port) {
  const std::string token = tokenFromInput();
  int number = 0;
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
  if (error != std::errc() || end != port.data() + port.size() || number < 1 || number > 65535)
    throw Error(Errc::kUsage, strCat("\"", port, "\" is no port"));
  try {
    return measure(host, number, token).dump();
  } catch (const MeasureError& failed) {
    if (failed.kind == "address") throw Error(Errc::kUsage, failed.what());
    return Json{{"problem", failed.kind}, {"detail", failed.what()}}.dump();
  }
}

void answerClock() {
  for (std::string line; std::getline(std::cin, line);)
    std::cout << Json{{"unix_s", unixNow()}, {"monotonic_s", steadySeconds()}}.dump() << std::endl;
}

}  // namespace paceline::probe

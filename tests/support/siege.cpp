#include "tests/support/siege.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include "tests/support/tcp_client.h"

namespace paceline::tests {
namespace {

constexpr int kPauseMs = 20;  // between two rounds over all of them

// ZMTP 3.1: signature, version, mechanism CURVE, client.
std::string greeting() {
  std::string text = std::string("\xff\0\0\0\0\0\0\0\x01\x7f\x03\x01", 12) + "CURVE";
  text.resize(64, '\0');
  return text;
}

// A long message frame of so many bytes: flags, then the length, big-endian.
std::string announcement() { return std::string("\x02\0\0\x01\0\0\0\0\0", 9); }

}  // namespace

Siege::Siege(const std::string& endpoint, const Force& force) : endpoint_(endpoint) {
  const std::array kinds{std::pair(Kind::kHalfOpen, force.halfOpen), std::pair(Kind::kGarbage, force.garbage),
                         std::pair(Kind::kOversized, force.oversized), std::pair(Kind::kDripping, force.dripping)};
  for (const auto& [kind, count] : kinds)
    for (int i = 0; i < count; ++i) strangers_.push_back({.kind = kind, .socket = Fd(), .sent = 0});
  for (Stranger& stranger : strangers_) come(stranger);
  thread_ = std::jthread([this](std::stop_token stop) { run(stop); });
}

Siege::~Siege() {
  thread_.request_stop();
  thread_.join();
}

void Siege::come(Stranger& stranger) {
  stranger.socket = Fd(::fcntl(TcpClient(endpoint_).descriptor(), F_DUPFD_CLOEXEC, 0));
  ::fcntl(stranger.socket.get(), F_SETFL, O_NONBLOCK);
  stranger.sent = 0;
  ++connections_;
}

// What is not taken is tried again later; who was thrown out comes again.
void Siege::act(Stranger& stranger) {
  static const std::string noise(std::size_t{64} << 10, '\x5a'), polite = greeting(), rude = greeting() + announcement();
  const std::string_view all = stranger.kind == Kind::kHalfOpen ? std::string_view() : stranger.kind == Kind::kGarbage ? noise
                                                           : stranger.kind == Kind::kOversized ? rude : polite;
  const std::size_t step = stranger.kind == Kind::kDripping ? 1 : all.size();
  const std::string_view next = all.substr(std::min(stranger.sent, all.size())).substr(0, step);
  const ssize_t sent = next.empty() ? 0 : ::send(stranger.socket.get(), next.data(), next.size(), MSG_NOSIGNAL);
  if (sent > 0) stranger.sent += static_cast<std::size_t>(sent);
  char heard[256];
  const ssize_t got = ::recv(stranger.socket.get(), heard, sizeof heard, 0);
  const bool waiting = errno == EAGAIN || errno == EWOULDBLOCK;
  if (got == 0 || (got < 0 && !waiting)) come(stranger);
}

void Siege::run(std::stop_token stop) try {
  while (!stop.stop_requested()) {
    for (Stranger& stranger : strangers_) act(stranger);
    ::poll(nullptr, 0, kPauseMs);
  }
} catch (const std::exception&) {
  // The besieged has gone.
}

}  // namespace paceline::tests

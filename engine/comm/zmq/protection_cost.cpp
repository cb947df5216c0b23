#include "engine/comm/zmq/zmq_wire.h"

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <limits>
#include <sstream>
#include <utility>
#include <vector>

#include <netinet/in.h>
#include <sodium.h>
#include <sys/socket.h>

#include "engine/comm/transport/message.h"
#include "engine/comm/zmq/seal.h"
#include "engine/core/base/error.h"
#include "engine/core/base/fd.h"

namespace paceline::zeromq {
namespace {

constexpr std::size_t kBytes = kShardBytes;
constexpr int kTimes = 5;

double coreSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Of the best: whatever else runs here makes it slower, nothing faster.
template <class Work>
double secondsPerByte(Work work) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kTimes; ++i) {
    const double began = coreSeconds();
    work();
    best = std::min(best, coreSeconds() - began);
  }
  return best / static_cast<double>(kBytes);
}

// The ends of a TCP connection on the loopback interface, which listens only while this connects.
std::pair<Fd, Fd> connectedEnds() {
  const Fd listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* const where = reinterpret_cast<sockaddr*>(&address);
  Fd one(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const bool good = ::bind(listener.get(), where, length) == 0 && ::listen(listener.get(), 1) == 0 && ::getsockname(listener.get(), where, &length) == 0 &&
                    ::connect(one.get(), where, length) == 0;
  Fd other(good ? ::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC) : -1);
  if (!other) throw Error(Errc::kHost, "this host's loopback interface (127.0.0.1) connects nothing");
  return {std::move(one), std::move(other)};
}

// What is sent is received before more is sent: nothing waits.
double moving() {
  const auto ends = connectedEnds();
  const Fd &one = ends.first, &other = ends.second;  // clang 14 captures no structured bindings
  std::vector<std::byte> from(kBytes), to(kBytes);
  return secondsPerByte([&] {
    for (std::size_t at = 0; at < kBytes;) {
      const ssize_t sent = ::send(one.get(), from.data() + at, kBytes - at, MSG_DONTWAIT | MSG_NOSIGNAL);
      if (sent <= 0) throw Error(Errc::kHost, "this host's loopback interface (127.0.0.1) takes no bytes");
      const ssize_t got = ::recv(other.get(), to.data() + at, static_cast<std::size_t>(sent), MSG_WAITALL);
      if (got != sent) throw Error(Errc::kHost, "this host's loopback interface (127.0.0.1) gives no bytes");
      at += static_cast<std::size_t>(sent);
    }
  });
}

// As ZeroMQ does it: the padded functions of NaCl, between buffers of their own, and copies in and out.
double curve() {
  if (sodium_init() < 0) throw Error(Errc::kHost, "this host's libsodium does not start");
  using Bytes = std::vector<unsigned char>;
  const unsigned char key[crypto_box_BEFORENMBYTES] = {1}, nonce[crypto_box_NONCEBYTES] = {2};
  constexpr std::size_t kPadded = crypto_box_ZEROBYTES + kBytes;
  const Bytes message(kBytes);
  return secondsPerByte([&] {
    Bytes plain(kPadded), box(kPadded);
    std::copy(message.begin(), message.end(), plain.begin() + crypto_box_ZEROBYTES);
    crypto_box_afternm(box.data(), plain.data(), kPadded, nonce, key);
    const Bytes sent(box.begin() + crypto_box_BOXZEROBYTES, box.end());
    Bytes received(kPadded), opened(kPadded);
    std::copy(sent.begin(), sent.end(), received.begin() + crypto_box_BOXZEROBYTES);
    if (crypto_box_open_afternm(opened.data(), received.data(), kPadded, nonce, key) != 0) throw Error(Errc::kHost, "this host's libsodium opens nothing");
    const Bytes taken(opened.begin() + crypto_box_ZEROBYTES, opened.end());
  });
}

double aesGcm() {
  Sealer sealer{Key{}};
  Opener opener{Key{}};
  std::vector<std::byte> plain(kBytes), sealed(kBytes + kSealBytes);
  return secondsPerByte([&] {
    sealer.seal(FrameRole::kAlone, plain, sealed);
    if (!opener.open(FrameRole::kAlone, sealed)) throw Error(Errc::kHost, "this host's OpenSSL opens nothing");
  });
}

std::string twoDigits(double value) {
  std::ostringstream text;
  text.precision(2);
  text << value;
  return text.str();
}
std::string giga(double value) { return twoDigits(value * 1e-9); }

std::string withoutPort(const std::string& endpoint) { return endpoint.starts_with("ipc://") ? "private sockets" : endpoint.substr(0, endpoint.rfind(':')); }

}  // namespace

ProtectionCost measureProtection(const std::string& mode) {
  return {.moving = moving(), .sealing = mode == "curve" ? curve() : mode == "aes_gcm" ? aesGcm() : 0};
}

std::string costSentence(const std::string& mode, const std::string& endpoint, const ProtectionCost& cost) {
  const std::string rate = strCat(mode, " over ", withoutPort(endpoint), ": ", giga(1 / (cost.moving + cost.sealing)), " GB/s per core");
  return mode == "plain" ? rate : strCat(rate, "; plain would be ", giga(1 / cost.moving), " GB/s");
}

std::string spentSentence(const std::string& mode, std::int64_t sealedBytes, std::int64_t openedBytes, const ProtectionCost& cost) {
  const auto sent = static_cast<double>(sealedBytes), received = static_cast<double>(openedBytes);
  const double seconds = (sent + received) / 2 * cost.sealing;  // a byte here is either sealed or opened
  return strCat(mode, ": ", giga(sent), " GB sent, ", giga(received), " GB received; protecting them took about ", twoDigits(seconds), " s of one core");
}

}  // namespace paceline::zeromq

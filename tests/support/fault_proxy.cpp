#include "tests/support/fault_proxy.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "engine/core/base/clock.h"
#include "engine/core/base/error.h"
#include "tests/support/tcp_client.h"

namespace paceline::tests {
namespace {

constexpr std::size_t kMost = 256 << 10;  // bytes that wait in one direction
constexpr std::size_t kTail = 64, kSwapped = 32;
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

std::int64_t distance(Rng& rng, std::int64_t every) { return 1 + static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(2 * every))); }

void setNonBlocking(const Fd& fd) { ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK); }

constexpr std::string_view kPrivate = "ipc://";

bool isPrivate(const std::string& endpoint) { return endpoint.starts_with(kPrivate); }

sockaddr_un privateAddress(const std::string& endpoint) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = endpoint.substr(kPrivate.size());
  PACELINE_CHECK(path.size() < sizeof address.sun_path, strCat("a Unix socket's path is too long: ", path));
  path.copy(address.sun_path, path.size());
  return address;
}

Fd connectedTo(const std::string& target) {
  if (!isPrivate(target)) return TcpClient(target).release();
  Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const sockaddr_un address = privateAddress(target);
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    throw Error(Errc::kHost, strCat("cannot connect to ", target, ": ", std::strerror(errno)));
  return socket;
}

}  // namespace

FaultProxy::FaultProxy(std::string target, FaultPlan plan) : target_(std::move(target)), plan_(std::move(plan)) {
  isPrivate(target_) ? listenBeside() : listenOnLoopback();
  setNonBlocking(listener_);
  thread_ = std::jthread([this] { run(); });
}

void FaultProxy::listenOnLoopback() {
  listener_ = Fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* const where = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener_.get(), where, length) != 0 || ::listen(listener_.get(), 64) != 0 || ::getsockname(listener_.get(), where, &length) != 0)
    throw Error(Errc::kHost, strCat("cannot listen: ", std::strerror(errno)));
  endpoint_ = strCat("tcp://127.0.0.1:", ntohs(address.sin_port));
}

void FaultProxy::listenBeside() {
  listener_ = Fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  endpoint_ = target_ + "~";
  const sockaddr_un address = privateAddress(endpoint_);
  if (::bind(listener_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 || ::listen(listener_.get(), 64) != 0)
    throw Error(Errc::kHost, strCat("cannot listen at ", endpoint_, ": ", std::strerror(errno)));
}

FaultProxy::~FaultProxy() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake();
  thread_.join();
}

int FaultProxy::port() const { return std::stoi(endpoint_.substr(endpoint_.rfind(':') + 1)); }

void FaultProxy::cut() {
  {
    const std::lock_guard lock(mutex_);
    cut_ = true;
    links_.clear();
    ++generation_;
  }
  wake();
}

void FaultProxy::mend() {
  const std::lock_guard lock(mutex_);
  cut_ = false;
}

void FaultProxy::once(Fault fault, std::int64_t bytes, std::size_t leftOut) {
  const std::lock_guard lock(mutex_);
  once_.emplace(fault, bytes);
  leftOutOnce_ = leftOut;
}

void FaultProxy::spoil(FaultPlan plan) {
  const std::lock_guard lock(mutex_);
  plan_ = std::move(plan);
  faults_ = 0;
  for (Link& link : links_)
    for (const auto& stream : link.streams) begin(link, *stream);
}

void FaultProxy::begin(const Link& link, Stream& stream) const {
  stream.rng = Rng::stream(plan_.seed, stream.outward ? "outward" : "inward", static_cast<std::uint64_t>(link.number));
  stream.untilFault = plan_.faults.empty() ? kNever : plan_.after + distance(stream.rng, plan_.every);
}

int FaultProxy::faults() const {
  const std::lock_guard lock(mutex_);
  return faults_;
}

int FaultProxy::connections() const {
  const std::lock_guard lock(mutex_);
  return connections_;
}

std::string FaultProxy::recorded(int connection) const {
  const std::lock_guard lock(mutex_);
  return recorded_.at(static_cast<std::size_t>(connection));
}

void FaultProxy::wake() { (void)writeAll(wake_.write.get(), "!"); }

double FaultProxy::deadline() const {
  double at = std::numeric_limits<double>::infinity();
  for (const Link& link : links_)
    for (const auto& stream : link.streams)
      if (!stream->waiting.empty() && stream->notBefore > steadySeconds()) at = std::min(at, stream->notBefore);
  return at;
}

void FaultProxy::run() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    std::vector<pollfd> ready{{wake_.read.get(), POLLIN, 0}, {listener_.get(), POLLIN, 0}};
    const double now = steadySeconds();
    for (const Link& link : links_)
      for (const auto& stream : link.streams) {
        const bool reads = !stream->ended && stream->waiting.size() < kMost, writes = !stream->waiting.empty() && stream->notBefore <= now;
        ready.push_back({reads ? stream->in.get() : -1, POLLIN, 0});
        ready.push_back({writes ? stream->out.get() : -1, POLLOUT, 0});
      }
    const double wait = deadline() - now;
    const std::uint64_t generation = generation_;
    lock.unlock();
    const int count = ::poll(ready.data(), ready.size(), std::isinf(wait) ? -1 : static_cast<int>(std::ceil(std::max(0.0, wait) * 1e3)));
    lock.lock();
    if (count < 0 || stop_) continue;
    char woken[16];
    if (ready[0].revents != 0) (void)!::read(wake_.read.get(), woken, sizeof woken);
    if (generation != generation_) continue;  // these descriptors are no more
    for (std::size_t i = 0, at = 2; i < links_.size(); ++i)
      for (const auto& stream : links_[i].streams) {
        if (ready[at++].revents != 0) take(links_[i], *stream);
        if (ready[at++].revents != 0) give(*stream);
      }
    std::erase_if(links_, [](const Link& link) {
      return std::any_of(std::begin(link.streams), std::end(link.streams), [](const auto& stream) { return stream->ended && stream->waiting.empty(); });
    });
    if (ready[1].revents != 0) accept();
  }
}

void FaultProxy::accept() {
  Fd near(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!near || cut_) return;
  Fd far;
  try {
    far = connectedTo(target_);
  } catch (const Error&) {  // nobody listens there: who connected sees the end
    return;
  }
  setNonBlocking(far);
  Link link{.number = connections_++, .streams = {}};
  recorded_.emplace_back();
  for (const bool outward : {true, false}) {
    auto stream = std::make_unique<Stream>();
    stream->outward = outward;
    stream->in = Fd(::fcntl((outward ? near : far).get(), F_DUPFD_CLOEXEC, 0));
    stream->out = Fd(::fcntl((outward ? far : near).get(), F_DUPFD_CLOEXEC, 0));
    begin(link, *stream);
    link.streams[outward ? 0 : 1] = std::move(stream);
  }
  links_.push_back(std::move(link));
}

void FaultProxy::take(Link& link, Stream& stream) {
  char chunk[1 << 16];
  const ssize_t got = ::recv(stream.in.get(), chunk, sizeof chunk, 0);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) {
    stream.ended = true;
    return;
  }
  const std::string_view bytes(chunk, static_cast<std::size_t>(got));
  if (plan_.record && stream.outward) recorded_[static_cast<std::size_t>(link.number)] += bytes;
  pass(stream, bytes);
}

std::int64_t FaultProxy::untilNext(const Stream& stream) const {
  const std::int64_t planned = faults_ < plan_.most ? stream.untilFault : kNever;
  return stream.outward && once_ ? std::min(planned, once_->second) : planned;
}

// Up to a fault, the fault, and on.
void FaultProxy::pass(Stream& stream, std::string_view bytes) {
  while (!bytes.empty() && !stream.ended) {
    const std::int64_t until = untilNext(stream), here = std::min(until, static_cast<std::int64_t>(bytes.size()));
    put(stream, bytes.substr(0, static_cast<std::size_t>(here)));
    bytes.remove_prefix(static_cast<std::size_t>(here));
    if (stream.untilFault != kNever) stream.untilFault = std::max<std::int64_t>(0, stream.untilFault - here);
    const bool asked = stream.outward && once_ && (once_->second -= here) == 0;
    if (here < until) continue;
    if (asked) {
      spoil(stream, std::exchange(once_, std::nullopt)->first, leftOutOnce_);
    } else {
      const Fault fault = plan_.faults[stream.rng.below(plan_.faults.size())];
      stream.untilFault = distance(stream.rng, plan_.every);
      spoil(stream, fault, 1 + stream.rng.below(kTail));
    }
  }
}

void FaultProxy::spoil(Stream& stream, Fault fault, std::size_t leftOut) {
  ++faults_;
  switch (fault) {
    case Fault::kFlip: stream.flipping = true; return;
    case Fault::kLeaveOut: stream.leftOut += leftOut; return;
    case Fault::kRepeat:
      stream.waiting += stream.tail.substr(stream.tail.size() - std::min(stream.tail.size(), std::size_t{1} + stream.rng.below(kTail)));
      return;
    case Fault::kSwap: stream.swapping = true; return;
    case Fault::kCut: stream.ended = true; return;  // once what waits is out
    case Fault::kDelay: stream.notBefore = steadySeconds() + plan_.delaySeconds; return;
  }
}

// What a fault has begun goes on here, with the bytes that follow it.
void FaultProxy::put(Stream& stream, std::string_view bytes) {
  const std::size_t skipped = std::min(stream.leftOut, bytes.size());
  stream.leftOut -= skipped;
  bytes.remove_prefix(skipped);
  if (bytes.empty()) return;
  std::string passing(bytes);
  if (std::exchange(stream.flipping, false)) passing[0] = static_cast<char>(passing[0] ^ (1 << stream.rng.below(8)));
  stream.tail = (stream.tail + passing).substr(std::max(stream.tail.size() + passing.size(), kTail) - kTail);
  if (stream.swapping) {
    stream.swapped += std::exchange(passing, {});
    if (stream.swapped.size() < 2 * kSwapped) return;
    passing = stream.swapped.substr(kSwapped, kSwapped) + stream.swapped.substr(0, kSwapped) + stream.swapped.substr(2 * kSwapped);
    stream.swapped.clear();
    stream.swapping = false;
  }
  stream.waiting += passing;
}

void FaultProxy::give(Stream& stream) {
  const std::size_t most = plan_.bytesPerSecond > 0 ? static_cast<std::size_t>(std::max<std::int64_t>(1, plan_.bytesPerSecond / 100)) : kMost;
  const ssize_t sent = ::send(stream.out.get(), stream.waiting.data(), std::min(most, stream.waiting.size()), MSG_NOSIGNAL);
  if (sent < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (sent < 0) {
    stream.ended = true;
    stream.waiting.clear();
    return;
  }
  stream.waiting.erase(0, static_cast<std::size_t>(sent));
  if (plan_.bytesPerSecond > 0) stream.notBefore = steadySeconds() + static_cast<double>(sent) / static_cast<double>(plan_.bytesPerSecond);
}

}  // namespace paceline::tests

#include "app/cluster/recorder/channel.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "engine/core/base/clock.h"

namespace paceline::recorder {
namespace {

constexpr std::size_t kLongestLine = std::size_t{64} << 20;

}  // namespace

void Fd::close() {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

Channel::Channel(Fd socket) : socket_(std::move(socket)) { ::fcntl(socket_.get(), F_SETFL, ::fcntl(socket_.get(), F_GETFL) | O_NONBLOCK); }

void Channel::send(const std::string& line) {
  out_ += line;
  out_ += '\n';
  flush();
}

void Channel::flush() {
  while (open() && waiting()) {
    const ssize_t taken = ::send(fd(), out_.data() + sent_, out_.size() - sent_, MSG_NOSIGNAL);
    if (taken > 0) sent_ += static_cast<std::size_t>(taken);
    else if (errno == EAGAIN) break;
    else if (errno != EINTR) socket_.close();
  }
  if (!waiting()) out_.clear(), sent_ = 0;
}

bool Channel::flushWithin(double seconds) {
  for (const double until = steadySeconds() + seconds; open() && waiting() && steadySeconds() < until; flush()) {
    pollfd polled{fd(), POLLOUT, 0};
    ::poll(&polled, 1, 100);
  }
  return open() && !waiting();
}

void Channel::receive() {
  char chunk[16 << 10];
  while (open()) {
    const ssize_t got = ::recv(fd(), chunk, sizeof chunk, 0);
    if (got > 0) in_.append(chunk, static_cast<std::size_t>(got));
    else if (got < 0 && errno == EINTR) continue;
    else if (got < 0 && errno == EAGAIN) return;
    else socket_.close();
    if (in_.size() - read_ > kLongestLine) socket_.close();
  }
}

std::optional<std::string> Channel::line() {
  const std::size_t end = in_.find('\n', scanned_);
  if (end == std::string::npos) {
    in_.erase(0, read_);
    read_ = 0, scanned_ = in_.size();
    return std::nullopt;
  }
  std::string line = in_.substr(read_, end - read_);
  read_ = scanned_ = end + 1;
  return line;
}

}  // namespace paceline::recorder

#include "app/cluster/ssh/connection.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include "app/cluster/ssh/config.h"

namespace paceline::ssh {
namespace {

constexpr std::size_t kChunk = 128 << 10;

// libssh: "Channel opening failure: channel 43 error (2) Connection refused".
std::string openProblem(ssh_session session) {
  const std::string said = ::ssh_get_error(session);
  const std::size_t bracket = said.find(") ");
  const std::string reason = bracket == std::string::npos ? said : said.substr(bracket + 2);
  const bool forbidden = said.find("error (1)") != std::string::npos;
  return forbidden ? strCat("it does not allow forwarding (", reason, "); AllowTcpForwarding in its sshd_config") : reason;
}

// A jump host at work: owns its session, a channel through it to the next host, and the thread that carries bytes between that channel and a
// socket. The session above takes the socket's other end. Ends with its destructor, or says why it was lost.
class SshTunnel final : public SshCarrier {
 public:
  // Opens the channel on the calling thread; from then on the session belongs to the tunnel's thread. Throws SshError{kReach}.
  SshTunnel(std::unique_ptr<SshConnection> jump, const ResolvedAlias& to, double seconds) : jump_(std::move(jump)) {
    channel_ = ::ssh_channel_new(jump_->session());
    const std::string where = endpoint(to.host, to.port);
    const std::string behind = strCat(to.name, ": ", where, " cannot be reached from jump host ", jump_->target().name, ": ");
    const auto opened =
        jump_->until(seconds, SSH_AGAIN, [&] { return ::ssh_channel_open_forward(channel_, to.host.c_str(), to.port, "127.0.0.1", 0); });
    int pair[2] = {-1, -1};
    const bool good = opened == SSH_OK && ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) == 0;
    if (!good) {
      const std::string local = std::strerror(errno);  // of the pair
      const std::string why = opened == SSH_OK ? local : !jump_->wait(0) ? jump_->whyLost() : opened ? openProblem(jump_->session()) : strCat("no answer within ", seconds, " s");
      ::ssh_channel_free(channel_);
      throw SshError(SshStage::kReach, behind + why);
    }
    ours_ = Fd(pair[0]), theirs_ = Fd(pair[1]);
    wake_ = Fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    thread_ = std::jthread([this](std::stop_token stop) { carry(stop); });
  }

  ~SshTunnel() override {
    thread_.request_stop();
    ::eventfd_write(wake_.get(), 1);
    thread_.join();
    ::ssh_channel_free(channel_);
  }
  SshTunnel(const SshTunnel&) = delete;
  SshTunnel& operator=(const SshTunnel&) = delete;

  int releaseSocket() { return theirs_.release(); }
  std::string whyLost() const override {
    const std::scoped_lock lock(mutex_);
    return why_;
  }

 private:
  // Both: true when bytes moved.
  bool fromChannel() {
    bool moved = false;
    if (toSocket_.size() < kChunk) {
      char chunk[kChunk];
      const int got = ::ssh_channel_read_nonblocking(channel_, chunk, sizeof chunk, 0);
      if (got > 0) toSocket_.append(chunk, static_cast<std::size_t>(got)), moved = true;
    } else {
      ::ssh_channel_poll(channel_, 0);  // the jump host is listened to even while the session above takes nothing; its window bounds what waits
    }
    if (!toSocket_.empty()) {
      const ssize_t sent = ::send(ours_.get(), toSocket_.data(), toSocket_.size(), MSG_NOSIGNAL);
      if (sent > 0) toSocket_.erase(0, static_cast<std::size_t>(sent)), moved = true;
    }
    return moved;
  }

  bool fromSocket() {
    bool moved = false;
    if (toChannel_.empty() && !socketEnded_) {
      toChannel_.resize(kChunk);
      const ssize_t got = ::recv(ours_.get(), toChannel_.data(), toChannel_.size(), 0);
      socketEnded_ = got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
      toChannel_.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
      moved = got > 0;
    }
    if (!toChannel_.empty() && !jump_->writePending()) {
      const int sent = ::ssh_channel_write(channel_, toChannel_.data(), static_cast<std::uint32_t>(toChannel_.size()));
      if (sent > 0) toChannel_.erase(0, static_cast<std::size_t>(sent)), moved = true;
    }
    if (jump_->writePending()) ::ssh_blocking_flush(jump_->session(), 0);
    return moved;
  }

  void waitForBytes() {
    const short session = static_cast<short>(POLLIN | (jump_->writePending() ? POLLOUT : 0));
    const short socket = static_cast<short>((toChannel_.empty() && !socketEnded_ ? POLLIN : 0) | (toSocket_.empty() ? 0 : POLLOUT));
    pollfd polled[] = {{::ssh_get_fd(jump_->session()), session, 0}, {socket != 0 ? ours_.get() : -1, socket, 0}, {wake_.get(), POLLIN, 0}};
    ::poll(polled, 3, static_cast<int>(std::ceil(std::clamp(jump_->nextKeepAlive(), 0.001, 3600.0) * 1000)));
  }

  void carry(std::stop_token stop) {
    const std::string jump = strCat("jump host ", jump_->target().name);
    while (!stop.stop_requested()) {
      const std::uint64_t before = jump_->packets();
      const bool in = fromChannel(), out = fromSocket();
      if (in || out) continue;
      if (!jump_->wait(0) || ::ssh_channel_is_closed(channel_) != 0 || (::ssh_channel_is_eof(channel_) != 0 && toSocket_.empty()) || socketEnded_) break;
      if (jump_->packets() == before) waitForBytes();
    }
    if (jump_->lost()) {
      const std::scoped_lock lock(mutex_);
      why_ = strCat(jump, " was lost: ", jump_->whyLost());
    }
    ::shutdown(ours_.get(), SHUT_RDWR);
  }

  std::unique_ptr<SshConnection> jump_;
  ssh_channel channel_ = nullptr;
  Fd theirs_, ours_, wake_;
  std::string toSocket_, toChannel_;  // read there, not yet written here
  bool socketEnded_ = false;
  mutable std::mutex mutex_;  // guards why_
  std::string why_;
  std::jthread thread_;
};

int connectOne(const addrinfo& to, double seconds) {
  Fd fd(::socket(to.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return -errno;
  int problem = ::connect(fd.get(), to.ai_addr, to.ai_addrlen) == 0 ? 0 : errno;
  if (problem == EINPROGRESS) {
    pollfd polled{fd.get(), POLLOUT, 0};
    const double deadline = steadySeconds() + seconds;
    int ready = 0;
    do ready = ::poll(&polled, 1, static_cast<int>(std::max(0.0, std::ceil((deadline - steadySeconds()) * 1000))));
    while (ready < 0 && errno == EINTR);
    socklen_t size = sizeof problem;
    if (ready <= 0) problem = ETIMEDOUT;
    else ::getsockopt(fd.get(), SOL_SOCKET, SO_ERROR, &problem, &size);
  }
  return problem == 0 ? fd.release() : -problem;
}

std::string reasonOf(int problem, const std::string& where, double seconds) {
  switch (problem) {
    case ECONNREFUSED: return strCat(where, " refuses connections: nothing listens on that port, or a firewall rejects it");
    case ETIMEDOUT: return strCat(where, " did not answer within ", seconds, " s: the machine is off, or a firewall drops packets to it");
    case EHOSTUNREACH: case ENETUNREACH: return strCat(where, " cannot be reached from this network (", std::strerror(problem), ")");
    default: return strCat("cannot connect to ", where, ": ", std::strerror(problem));
  }
}

}  // namespace

std::pair<int, std::unique_ptr<SshCarrier>> tunnelThrough(std::unique_ptr<SshConnection> jump, const ResolvedAlias& to, double seconds) {
  auto tunnel = std::make_unique<SshTunnel>(std::move(jump), to, seconds);
  return {tunnel->releaseSocket(), std::move(tunnel)};
}

std::string endpoint(const std::string& host, int port) {
  return host.find(':') == std::string::npos ? strCat(host, ":", port) : strCat("[", host, "]:", port);
}

bool waitReadable(int fd, double seconds, bool orWritable) {
  pollfd polled{fd, static_cast<short>(POLLIN | (orWritable ? POLLOUT : 0)), 0};
  return ::poll(&polled, 1, static_cast<int>(std::clamp(std::ceil(seconds * 1000), 0.0, 3.6e6))) > 0;
}

int connectTcp(const std::string& name, const std::string& host, int port, double seconds, double deadLinkSeconds) {
  const std::string where = endpoint(host, port);
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_ADDRCONFIG;
  if (const int problem = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found); problem != 0)
    throw SshError(SshStage::kReach, strCat(name, ": \"", host, "\" is not known to the name service (", ::gai_strerror(problem),
                                            "); check the address, or use an IP"));
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> all(found, &::freeaddrinfo);
  const double deadline = steadySeconds() + seconds;
  int problem = ETIMEDOUT;
  for (const addrinfo* each = found; each != nullptr && steadySeconds() < deadline; each = each->ai_next) {
    const int fd = connectOne(*each, deadline - steadySeconds());
    problem = -fd;
    if (fd < 0) continue;
    const int on = 1;
    const unsigned unanswered = static_cast<unsigned>(deadLinkSeconds * 1000);
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ::setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &unanswered, sizeof unanswered);
    return fd;
  }
  throw SshError(SshStage::kReach, strCat(name, ": ", reasonOf(problem, where, seconds)));
}

}  // namespace paceline::ssh

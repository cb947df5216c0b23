#include "app/cluster/ssh/socket.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <memory>

#include "app/cluster/ssh/error.h"

namespace paceline::ssh {
namespace {

int connectOne(const addrinfo& to, double seconds) {
  const int fd = ::socket(to.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -errno;
  int problem = ::connect(fd, to.ai_addr, to.ai_addrlen) == 0 ? 0 : errno;
  if (problem == EINPROGRESS) {
    pollfd polled{fd, POLLOUT, 0};
    const double deadline = steadySeconds() + seconds;
    int ready = 0;
    do ready = ::poll(&polled, 1, static_cast<int>(std::max(0.0, std::ceil((deadline - steadySeconds()) * 1000))));
    while (ready < 0 && errno == EINTR);
    socklen_t size = sizeof problem;
    if (ready <= 0) problem = ETIMEDOUT;
    else ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &problem, &size);
  }
  if (problem == 0) return fd;
  ::close(fd);
  return -problem;
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

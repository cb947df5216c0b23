#include "engine/comm/zmq/tcp_state.h"

#include <algorithm>

#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "engine/core/base/error.h"

namespace paceline::zeromq {
namespace {

int portOf(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET) return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
  if (address.ss_family == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
  return -1;
}

}  // namespace

std::optional<TcpState> tcpState(int descriptor, const std::string& endpoint) {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  // The descriptor belongs to ZeroMQ, which may have closed it, and the number may be another file's by now.
  if (descriptor < 0 || ::getpeername(descriptor, reinterpret_cast<sockaddr*>(&address), &length) != 0 ||
      !endpoint.ends_with(strCat(':', portOf(address))))
    return std::nullopt;
  tcp_info info{};
  length = sizeof info;
  int waiting = 0;
  if (::getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &length) != 0 || ::ioctl(descriptor, SIOCOUTQ, &waiting) != 0) return std::nullopt;
  return TcpState{.ackedBytes = info.tcpi_bytes_acked,
                  .waitingBytes = static_cast<std::uint64_t>(std::max(0, waiting)),
                  .unanswered = std::max<int>(info.tcpi_retransmits, info.tcpi_probes),
                  .silentSeconds = info.tcpi_last_ack_recv * 1e-3};
}

}  // namespace paceline::zeromq

// What comes from one peer: which of its connections counts, and its messages. A connection counts once a message of it has opened; an older
// one of the same peer does not any more. Private to the ZeroMQ wire; used by its thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <zmq.hpp>

#include "engine/comm/zmq/frames.h"
#include "engine/comm/zmq/protection.h"
#include "engine/core/base/fd.h"

namespace paceline::zeromq {

// False: nothing there. Signals do not end it.
inline bool receivePart(zmq::socket_t& socket, zmq::message_t& frame, zmq::recv_flags flags) {
  while (zmq_msg_recv(frame.handle(), socket.handle(), static_cast<int>(flags)) < 0) {
    if (zmq_errno() == EAGAIN) return false;
    if (zmq_errno() != EINTR) throw zmq::error_t();
  }
  return true;
}

// The admitted connection that brought the frame; nullopt: none was asked to prove itself.
inline std::optional<Connection> carrierOf(zmq::message_t& frame) {
  const char* user = zmq_msg_gets(frame.handle(), ZapAuthenticator::kUserId);
  return user ? connectionOf(user) : std::nullopt;
}

// Whose connection brought a message. `nodes`: of plain wires, by routing id. Node -1: a stranger.
inline Connection senderOf(const zmq::message_t& routingId, zmq::message_t& header, const ZmqProtection& protection, const std::map<std::string, int, std::less<>>& nodes) {
  if (!protection.plain()) return carrierOf(header).value_or(Connection{});
  const auto found = nodes.find(routingId.to_string_view());
  return found == nodes.end() ? Connection{} : Connection{.node = found->second};
}

// Of the connection that brought the frame, ZeroMQ's; -1: not known.
inline int descriptorOf(zmq::message_t& frame) { return zmq_msg_get(frame.handle(), ZMQ_SRCFD); }

// Ends a TCP connection to our port `endpoint` ("tcp://10.0.0.5:40123"), as if its network had; ZeroMQ has no call for one connection of a
// socket. ZeroMQ may have closed the descriptor, and the number may be another file's by now: what is no connection to that port stays.
inline void endConnection(int descriptor, const std::string& endpoint) {
  const Fd own(descriptor < 0 ? -1 : ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
  sockaddr_storage here{}, there{};
  socklen_t length = sizeof here, other = sizeof there;
  if (!own || ::getsockname(own.get(), reinterpret_cast<sockaddr*>(&here), &length) != 0 || !endpoint.ends_with(strCat(':', portOf(here))) ||
      ::getpeername(own.get(), reinterpret_cast<sockaddr*>(&there), &other) != 0)
    return;
  ::shutdown(own.get(), SHUT_RDWR);
}

class Arrivals {
 public:
  enum class Verdict {
    kGood,     // message
    kOld,      // of a connection that counts no more
    kSpoilt,   // the first that does not open on this connection, which has proved nothing: it is to be ended
    kBroken,   // the same on the one that counts: its peer's way to us is broken
  };
  struct Result {
    Verdict verdict = Verdict::kGood;
    std::optional<Message> message{};
    bool anew = false;  // the first message of a connection that takes the place of another
  };

  // `receiving` makes the stream of a connection that has not been heard of. Throws Error{kFormat} naming `peer`.
  template <class Receiving>
  Result take(const Connection& from, Frames frames, std::string_view peer, const Receiving& receiving) {
    if (from.number < current_ || from.number == ended_) return {.verdict = Verdict::kOld};
    const bool counts = from.number == current_;
    ReceiveStream fresh;
    if (!counts) fresh = receiving();
    std::optional<Message> message = messageOf(std::move(frames), peer, counts ? stream_ : fresh);
    if (!message) {
      ended_ = from.number;
      return {.verdict = counts ? Verdict::kBroken : Verdict::kSpoilt};
    }
    const bool anew = !counts && current_ > 0;
    if (!counts) current_ = from.number, stream_ = std::move(fresh);
    return {.verdict = Verdict::kGood, .message = std::move(message), .anew = anew};
  }

 private:
  std::uint64_t current_ = 0;  // number of a connection; 0: none, or of a wire whose connections have none
  std::optional<std::uint64_t> ended_;
  ReceiveStream stream_;                   // of current_
};

}  // namespace paceline::zeromq

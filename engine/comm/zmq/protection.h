// Where a wire may listen, who comes in, and how its data is protected. Private to the ZeroMQ wire.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <zmq.hpp>

#include "engine/comm/zmq/connection.h"
#include "engine/comm/zmq/peer.h"
#include "engine/comm/zmq/seal.h"
#include "engine/core/base/cpu.h"
#include "engine/core/base/error.h"

namespace paceline::zeromq {

inline bool isPrivate(const std::string& address) { return address.starts_with("ipc://"); }  // never leaves this host

inline bool isAny(const in6_addr& address) {
  return IN6_IS_ADDR_UNSPECIFIED(&address) || (IN6_IS_ADDR_V4MAPPED(&address) && std::all_of(address.s6_addr + 12, address.s6_addr + 16, [](auto b) { return b == 0; }));
}

// "127.0.0.1", "10.0.0.5", "fd00::1": an ephemeral port there. "ipc:///dir": a socket named after the node in that directory. Names and
// addresses that mean every interface (0.0.0.0, ::, *) are refused: nothing of a run listens where nobody chose it to.
inline std::string bindAddress(const std::string& address, int node) {
  if (isPrivate(address)) return strCat(address, "/", nodeName(node), ".sock");
  const std::string bare = address.starts_with('[') && address.ends_with(']') ? address.substr(1, address.size() - 2) : address;
  in_addr four{};
  in6_addr six{};
  const bool isFour = inet_pton(AF_INET, bare.c_str(), &four) == 1;
  const bool isSix = !isFour && inet_pton(AF_INET6, bare.substr(0, bare.find('%')).c_str(), &six) == 1;
  if (!isFour && !isSix)
    throw Error(Errc::kHost, strCat("cannot listen on \"", address, "\": give the IP address of one of this host's interfaces, or ipc"));
  if (isFour ? four.s_addr == INADDR_ANY : isAny(six))
    throw Error(Errc::kHost, strCat("cannot listen on ", address, ": that is every interface of this host; choose the address of one"));
  return isFour ? strCat("tcp://", bare, ":*") : strCat("tcp://[", bare, "]:*");
}

// The ZAP authenticator of a node's ROUTER (ZeroMQ RFC 27): admits exactly this run's nodes, each connection once, and counts the connections
// that it refuses. Made, destroyed and asked for counts by the wire's thread; its own thread owns its two sockets.
class ZapAuthenticator {
 public:
  // Who shows these credentials by this mechanism; number 0: its next one. nullopt: nobody of the run. Called by the authenticator's thread.
  using Recognise = std::function<std::optional<Connection>(const std::string& mechanism, std::span<const std::string> credentials)>;

  // Before `router` is bound. The context must be shut down before the authenticator goes: that ends its thread.
  ZapAuthenticator(zmq::context_t& context, zmq::socket_t& router, std::size_t nodes, Recognise recognise)
      : recognise_(std::move(recognise)), latest_(nodes) {
    router.set(zmq::sockopt::zap_domain, kDomain);
    const int enforce = 1;  // without an answer from us nobody comes in; a library built without drafts has no such option, and asks all the same
    (void)zmq_setsockopt(router.handle(), kZapEnforceDomain, &enforce, sizeof enforce);
    questions_ = zmq::socket_t(context, zmq::socket_type::rep);
    questions_.set(zmq::sockopt::linger, 0);
    questions_.bind(kEndpoint);
    const std::string events = strCat("inproc://zap-", this);
    if (zmq_socket_monitor(router.handle(), events.c_str(), ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_HANDSHAKE_SUCCEEDED) != 0) throw zmq::error_t();
    connections_ = zmq::socket_t(context, zmq::socket_type::pair);
    connections_.set(zmq::sockopt::linger, 0);
    connections_.set(zmq::sockopt::rcvhwm, 0);  // a full queue would hold up ZeroMQ's I/O thread
    connections_.connect(events);
    thread_ = std::jthread([this] { serve(); });
  }

  // Connections that were not let in: a wrong key, none, a greeting that was used before, garbage, or too slow. One whose handshake is under way counts until it is done.
  std::int64_t refused() const { return refused_; }

  static constexpr char kDomain[] = "paceline";
  static constexpr char kUserId[] = "User-Id";  // of a message: textOf() its connection

 private:
  static constexpr char kEndpoint[] = "inproc://zeromq.zap.01";
  static constexpr int kZapEnforceDomain = 93;  // ZMQ_ZAP_ENFORCE_DOMAIN, among the drafts of zmq.h
  static constexpr std::size_t kParts = 6;  // version, request id, domain, address, routing id, mechanism; credentials follow

  static bool receiveAll(zmq::socket_t& socket, std::vector<std::string>& parts) {
    parts.clear();
    zmq::message_t part;
    do {
      if (!socket.recv(part, parts.empty() ? zmq::recv_flags::dontwait : zmq::recv_flags::none)) return false;
      parts.push_back(part.to_string());
    } while (part.more());
    return true;
  }

  // Not every failure has an event of its own: connections that came, less those that were let in, are those that were not.
  static bool came(const std::string& event) {
    std::uint16_t kind = 0;
    if (event.size() >= sizeof kind) std::memcpy(&kind, event.data(), sizeof kind);
    return kind == ZMQ_EVENT_ACCEPTED;
  }

  // Ends with the context: then every call throws ETERM.
  void serve() {
    try {
      std::vector<std::string> event;
      while (true) {
        zmq::pollitem_t items[] = {{questions_.handle(), 0, ZMQ_POLLIN, 0}, {connections_.handle(), 0, ZMQ_POLLIN, 0}};
        try {
          zmq::poll(items, 2, std::chrono::milliseconds(-1));
        } catch (const zmq::error_t& error) {
          if (error.num() != EINTR) throw;
        }
        while (receiveAll(connections_, event)) refused_ += came(event[0]) ? 1 : -1;
        answer();
      }
    } catch (const std::exception&) {
      questions_.close();
      connections_.close();
    }
  }

  void answer() {
    std::vector<std::string> request;
    while (receiveAll(questions_, request)) {
      const bool wellFormed = request.size() > kParts && request[0] == "1.0" && request[2] == kDomain;
      const std::string user = wellFormed ? admit(request[5], std::span(request).subspan(kParts)) : "";
      const std::string parts[] = {"1.0", request.size() > 1 ? request[1] : "", user.empty() ? "400" : "200",
                                   user.empty() ? "not a node of this run" : "OK", user, ""};
      for (const std::string& part : parts)
        questions_.send(zmq::buffer(part), &part == std::end(parts) - 1 ? zmq::send_flags::none : zmq::send_flags::sndmore);
    }
  }

  // The connection's text; "": refused. An older number is that of a greeting which was recorded, or one overtaken by a later one.
  std::string admit(const std::string& mechanism, std::span<const std::string> credentials) {
    std::optional<Connection> connection = recognise_(mechanism, credentials);
    if (!connection) return "";
    std::uint64_t& latest = latest_.at(static_cast<std::size_t>(connection->node));
    if (connection->number == 0) connection->number = latest + 1;
    if (connection->number <= latest) return "";
    latest = connection->number;
    return textOf(*connection);
  }

  Recognise recognise_;
  std::vector<std::uint64_t> latest_;  // by node: number of the connection that was admitted last
  zmq::socket_t questions_, connections_;
  std::atomic<std::int64_t> refused_ = 0;
  std::jthread thread_;
};

// The peers that the wire admits, the names of nodes, the seals of frames. Used by the wire's thread. Throws Error{kHost} for a protection that is
// not allowed or not possible here, Error{kFormat} for malformed keys.
class ZmqProtection {
 public:
  ZmqProtection(const DataKeys& keys, int self, const std::string& address, bool plainTcp) : self_(self), seals_(keys.mode == "aes_gcm") {
    if (keys.mode == "plain") {
      if (isPrivate(address) || plainTcp) return;
      throw Error(Errc::kHost, strCat("cannot listen on ", address, ": plain data ports are only allowed inside one host (ipc); protect them with curve"));
    }
    if (keys.mode != "curve" && !seals_) throw Error(Errc::kFormat, strCat("protection \"", keys.mode, "\" is not known; have plain, curve, aes_gcm"));
    if (seals_ && !hasAesInstructions()) throw Error(Errc::kHost, "this host's CPU has no AES instructions: choose the protection curve for this run");
    keys_.emplace(keys, self);
  }

  bool plain() const { return !keys_; }
  std::size_t nodes() const { return keys_ ? keys_->nodes() : 0; }

  // For the ZAP authenticator, whose thread calls it: it outlives that. Nodes are other than this one.
  std::optional<Connection> recognise(const std::string& mechanism, std::span<const std::string> credentials) const {
    if (seals_) return mechanism == "PLAIN" && credentials.size() == 2 ? connectionOf(credentials[0], credentials[1], *keys_) : std::nullopt;
    if (mechanism != "CURVE" || credentials.size() != 1) return std::nullopt;
    for (int node = 0; node < static_cast<int>(nodes()); ++node)
      if (node != self_ && keys_->publicKey(node).view() == credentials[0]) return Connection{.node = node};
    return std::nullopt;
  }

  // Before it is bound.
  void guard(zmq::socket_t& router) const {
    if (seals_) return router.set(zmq::sockopt::plain_server, true);
    router.set(zmq::sockopt::curve_server, true);
    if (zmq_setsockopt(router.handle(), ZMQ_CURVE_SECRETKEY, keys_->secret().data(), kKeyBytes) != 0) throw zmq::error_t();
  }

  // The way from this node to another, which is at `there` and knows us at `here`.
  std::unique_ptr<ZmqPeer> peer(zmq::context_t& context, FrameCounts& counts, const std::string& here, ZmqPeer::Address there,
                                const WireLimits& limits) const {
    there.here = here;
    there.self = self_;
    there.keys = keys_ ? &*keys_ : nullptr;
    there.seals = seals_;
    return std::make_unique<ZmqPeer>(context, counts, there, limits);
  }

  // What an admitted connection brings, from its first message on.
  ReceiveStream receiving(const Connection& connection, const std::string& theirs, const std::string& here) const {
    ReceiveStream stream{.numbered = !seals_};
    if (seals_) stream.opener.emplace(sealKey(connection, *keys_, self_, theirs, here));
    return stream;
  }

 private:
  int self_;
  bool seals_;
  std::optional<PairKeys> keys_;  // none: plain
};

}  // namespace paceline::zeromq

#include "engine/comm/zmq/zmq_wire.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <zmq.hpp>

#include "engine/comm/zmq/alarm.h"
#include "engine/comm/zmq/arrivals.h"
#include "engine/comm/zmq/protection.h"
#include "engine/core/base/clock.h"

namespace paceline::zeromq {
namespace {

constexpr int kMessagesPerMonitorRead = 64;  // losses are noticed under load too
constexpr int kMaxSockets = 16384;           // two per peer
constexpr double kLinkCheckSeconds = 2;      // how often the kernel is asked about silent peers
constexpr int kUnanswered = 3;               // packets: of a host that is gone; one or two get lost


constexpr char kDoesNotOpen[] = "a message from it does not open: it was altered, repeated, left out or reordered on the way";

class ZmqWire final : public BoundWire {
 public:
  ZmqWire(int self, const std::string& address, const DataKeys& keys, const WireLimits& limits, const std::string& endpoint)
      : self_(self), limits_(limits), protection_(keys, self, address, limits.plainTcp) {
    const std::string any = bindAddress(address, self), where = endpoint.empty() ? any : endpoint;
    try {
      sending_.set(zmq::ctxopt::max_sockets, kMaxSockets);
      router_ = zmq::socket_t(receiving_, zmq::socket_type::router);
      setZmqLimits(router_, limits_);
      router_.set(zmq::sockopt::router_handover, 0);
      router_.set(zmq::sockopt::ipv6, where.find('[') != std::string::npos);
      if (!protection_.plain()) {
        protection_.guard(router_);
        authenticator_ = std::make_unique<ZapAuthenticator>(receiving_, router_, protection_.nodes(), [this](const auto& mechanism, auto credentials) {
          return protection_.recognise(mechanism, credentials);
        });
      }
      router_.bind(where);
      endpoint_ = router_.get(zmq::sockopt::last_endpoint);
    } catch (const zmq::error_t& error) {
      receiving_.shutdown();  // ends the authenticator's thread
      throw Error(Errc::kHost, strCat("cannot listen on ", address, ": ", error.what()));
    }
  }

  ~ZmqWire() override {
    try {
      closing_ = true;
      if (connected_) waitWhileMoving([this] { return motion().allGone(); });
      for (const auto& peer : peers_)
        if (peer) peer->readMonitor(steadySeconds()), peer->close(connected_ ? limits_.lingerMs : 0);
      sending_.close();  // what ZeroMQ's thread still has goes out, at most lingerMs
      router_.close();
    } catch (const std::exception&) {
      // Leaving anyway; members close what is left.
    }
    receiving_.shutdown();  // ends the authenticator's thread
  }

  int self() const override { return self_; }
  std::string endpoint() const override { return endpoint_; }
  void connect(const std::vector<std::string>& endpoints, const std::vector<std::string>& names) override {
    PACELINE_CHECK(!connected_ && endpoints.size() == names.size(), "connect() is called once, with a name for every endpoint");
    PACELINE_CHECK(protection_.plain() || protection_.nodes() == endpoints.size(), strCat(endpoints.size(), " endpoints"));
    peers_.resize(endpoints.size());
    for (std::size_t i = 0; i < endpoints.size(); ++i) frames_.emplace_back().fell = &nudge_;
    arrivals_.resize(endpoints.size());
    const std::string& own = endpoints[static_cast<std::size_t>(self_)];
    here_ = own.empty() ? endpoint_ : own;
    for (std::size_t i = 0; i < endpoints.size(); ++i) {
      if (static_cast<int>(i) == self_ || endpoints[i].empty()) continue;
      const int node = static_cast<int>(i);
      nodes_.emplace(nodeName(node), node);
      peers_[i] = protection_.peer(sending_, frames_[i], here_, {.name = names[i], .endpoint = endpoints[i], .node = node}, limits_);
      try {
        peers_[i]->tryConnect(steadySeconds());
      } catch (const zmq::error_t& error) {
        throw Error(Errc::kHost, strCat("cannot connect to ", names[i], " at \"", endpoints[i], "\": ", error.what()));
      }
    }
    reachAll(steadySeconds() + limits_.reachMs * 1e-3);
    connected_ = true;
  }

  void send(int to, Message message) override {
    ZmqPeer* peer = peerOf(to);
    PACELINE_CHECK(connected_ && peer, strCat("send to node ", to, ", which is no peer of node ", self_));
    if (!protection_.plain()) counts_.sealedBytes += static_cast<std::int64_t>(wireBytes(message));
    try {
      peer->send(std::move(message));
    } catch (const zmq::error_t& error) {
      throw Error(Errc::kHost, strCat("cannot send to ", peer->name(), ": ", error.what()));
    }
  }

  std::optional<Message> receive(double timeoutSeconds) override {
    PACELINE_CHECK(connected_, "receive() before connect()");
    const double deadline = timeoutSeconds > 0 ? steadySeconds() + timeoutSeconds : 0;
    bool woken = false;
    try {
      while (true) {
        stopIfAsked();
        flush();
        if (++sinceWatch_ >= kMessagesPerMonitorRead) watch();
        if (!early_.empty()) {
          Message message = std::move(early_.front());
          early_.pop_front();
          return message;
        }
        if (garbage_) std::rethrow_exception(std::exchange(garbage_, nullptr));
        if (std::optional<Message> message = take()) {
          if (early_.empty()) return message;
          early_.push_back(std::move(*message));  // what was met on the way to it comes first
        }
        watch();
        if (!early_.empty()) continue;
        const double now = steadySeconds();
        if (woken || now >= deadline) return std::nullopt;
        double until = std::min(deadline, linksWatchedAt_ + kLinkCheckSeconds);
        for (const auto& peer : peers_)
          if (peer) until = std::min({until, peer->lostAt(), peer->retryAt()});
        poll(until - now, true);
        woken = nudge_.taken();
      }
    } catch (const zmq::error_t& error) {
      throw Error(Errc::kHost, strCat("cannot receive: ", error.what()));
    }
  }

  double roomIn(int to) override {
    ZmqPeer* peer = peerOf(to);
    return peer ? peer->roomIn() : 0;
  }
  WayCounts wayTo(int to, bool settled) override {
    ZmqPeer* peer = peerOf(to);
    if (peer && settled) waitWhileMoving([peer] { return !peer->underWay(); });
    return peer ? peer->way() : WayCounts();
  }
  void wake() override { nudge_.raise(); }
  void settle() override {
    const auto nothingIsRead = [this] { return std::ranges::all_of(frames_, [](const FrameCounts& counts) { return counts.borrowed == 0; }) && !hasPending(); };
    try {
      if (waitWhileMoving(nothingIsRead)) return;
      letGo();
      waitWhileMoving(nothingIsRead);
    } catch (const zmq::error_t&) {
      letGo();
    }
  }
  // A peer that comes back takes the place of its old connection, which this end may not have seen end: protected connections tell which is the
  // later one; a plain one takes over the name.
  void tolerate(const std::vector<int>& nodes) override {
    tolerated_.insert(nodes.begin(), nodes.end());
    if (protection_.plain()) router_.set(zmq::sockopt::router_handover, 1);
  }
  void renew(int node) override {
    PACELINE_CHECK(peerOf(node) && tolerated_.contains(node), strCat("renew of node ", node, ", whose loss node ", self_, " does not tolerate"));
    std::erase_if(early_, [node](const Message& message) { return message.from == node; });
    peerOf(node)->giveUp(steadySeconds());
  }

  WireCounts counts() const override {
    WireCounts counts = counts_;
    if (authenticator_) counts.refusedConnections = authenticator_->refused();
    return counts;
  }

  void interrupt() { alarm_.raise(); }

 private:
  ZmqPeer* peerOf(int node) const { return node >= 0 && node < static_cast<int>(peers_.size()) ? peers_[static_cast<std::size_t>(node)].get() : nullptr; }

  void reachAll(double deadline) {
    const double passedOver = limits_.processes > 0 ? steadySeconds() + limits_.missedMs * 1e-3 : std::numeric_limits<double>::infinity();
    while (true) {
      const ZmqPeer* missing = nullptr;
      for (std::size_t node = 0; node < peers_.size(); ++node) {
        ZmqPeer* peer = peers_[node].get();
        if (!peer || peer->away()) continue;
        const double now = steadySeconds();
        peer->readMonitor(now);
        peer->tryConnect(now);
        if (peer->connected() || peer->ended()) continue;
        if (const bool refuses = limits_.processes > 0 && peer->refuses(); refuses || now >= passedOver) goOnWithout(static_cast<int>(node), now, refuses);
        else missing = peer;
      }
      if (!missing) return;
      stopIfAsked();
      if (steadySeconds() >= deadline)
        throw Error(Errc::kPeerLost, strCat(missing->name(), " cannot be reached at ", missing->endpoint(), " within ", limits_.reachMs, " ms"));
      poll(0.05, false);
    }
  }

  // What is here; nobody's and strangers' messages are dropped and counted. May put kLost and kBack into early_, which come before it.
  std::optional<Message> take() {
    while (true) {
      zmq::message_t routingId, surplus;
      if (!receivePart(router_, routingId, zmq::recv_flags::dontwait)) return std::nullopt;
      Frames frames{.header = {}, .dense = {}, .count = 0};
      for (bool more = routingId.more(); more; ++frames.count) {
        zmq::message_t& frame = frames.count == 0 ? frames.header : frames.count == 1 ? frames.dense : surplus;
        receivePart(router_, frame, zmq::recv_flags::none);  // a message arrives whole: this does not wait
        more = frame.more();
      }
      const Connection from = senderOf(routingId, frames.header, protection_, nodes_);
      if (!peerOf(from.node)) ++counts_.droppedMessages;
      else if (std::optional<Message> message = taken(from, std::move(frames))) return message;
    }
  }

  // nullopt: it does not count. What does not open ends its connection; where that was its peer's way to us, watch() sees the peer lost.
  std::optional<Message> taken(const Connection& from, Frames frames) {
    const auto node = static_cast<std::size_t>(from.node);
    ZmqPeer& peer = *peers_[node];
    const int descriptor = descriptorOf(frames.header);
    using enum Arrivals::Verdict;
    Arrivals::Result result = arrivals_[node].take(from, std::move(frames), peer.name(), [&] { return protection_.receiving(from, peer.endpoint(), here_); });
    if (result.verdict != kGood) {
      ++counts_.droppedMessages;
      if (result.verdict == kOld) return std::nullopt;
      ++counts_.spoiltConnections;
      endConnection(descriptor, endpoint_);
      if (result.verdict == kBroken) broken_.insert(from.node);
      return std::nullopt;
    }
    if (!result.anew && !peer.away()) lost_.erase(from.node);  // still heard as before: only our way to it had broken
    // It lost its connection to us and what was on its way; this end may have noticed nothing.
    if (result.anew && !lost_.erase(from.node) && tolerated_.contains(from.node) && !peer.away())
      for (const MessageKind kind : {MessageKind::kLost, MessageKind::kBack}) early_.push_back({.kind = kind, .from = from.node});
    peer.heard(result.message->kind, steadySeconds());
    if (result.message->kind == MessageKind::kPadding) return std::nullopt;
    result.message->from = from.node;
    if (!protection_.plain()) counts_.openedBytes += static_cast<std::int64_t>(wireBytes(*result.message));
    return std::move(result.message);
  }

  // Reads the monitors; throws when a peer is lost that is not tolerated.
  void watch() {
    const double now = steadySeconds();
    sinceWatch_ = 0;
    for (; !broken_.empty(); broken_.erase(broken_.begin())) lose(*broken_.begin(), now, kDoesNotOpen);
    for (std::size_t node = 0; node < peers_.size(); ++node) {
      ZmqPeer* peer = peers_[node].get();
      if (!peer) continue;
      peer->readMonitor(now);
      if (peer->lost(now)) lose(static_cast<int>(node), now, "its connection closed");
      if (peer->returned(now)) early_.push_back({.kind = MessageKind::kBack, .from = static_cast<int>(node)});
    }
    if (now >= linksWatchedAt_ + kLinkCheckSeconds) watchLinks(now);
  }

  void lose(int node, double now, const std::string& why) {
    const ZmqPeer& peer = *peers_[static_cast<std::size_t>(node)];
    if (!tolerated_.contains(node)) throw Error(Errc::kPeerLost, strCat(peer.name(), " is gone: ", why));
    if (!peer.away()) goOnWithout(node, now);
  }

  void goOnWithout(int node, double now, bool refuses = false) {
    peers_[static_cast<std::size_t>(node)]->giveUp(now);
    lost_.insert(node);
    early_.push_back({.kind = MessageKind::kLost, .from = node, .version = refuses ? 1 : 0});
  }

  // A host without power or network: its kernel answers nothing, and ours would try for a quarter of an hour. A host that is merely slow, or
  // a node that reads nothing, is not silent.
  void watchLinks(double now) {
    linksWatchedAt_ = now;
    for (std::size_t node = 0; node < peers_.size(); ++node) {
      if (peers_[node]) peers_[node]->pad(now);
      const std::optional<TcpState> tcp = peers_[node] ? peers_[node]->tcp() : std::nullopt;
      if (tcp && tcp->unanswered >= kUnanswered && tcp->silentSeconds >= limits_.silentMs * 1e-3)
        lose(static_cast<int>(node), now, strCat("its host has not answered for ", static_cast<int>(tcp->silentSeconds), " s"));
    }
  }

  void flush() {
    for (const auto& peer : peers_)
      if (peer && peer->pending() > 0) peer->flush();
  }

  bool hasPending() const { return std::ranges::any_of(peers_, [](const auto& peer) { return peer && peer->pending() > 0 && !peer->ended(); }); }

  // Waits for a change of a connection, room for what is pending, and, unless leaving, the interrupt and (receiving) a message.
  void poll(double seconds, bool receiving) {
    std::vector<zmq::pollitem_t> items;
    if (receiving || !connected_) items.push_back({nullptr, alarm_.descriptor(), ZMQ_POLLIN, 0});
    if (receiving) items.push_back({nullptr, nudge_.descriptor(), ZMQ_POLLIN, 0});
    if (receiving) items.push_back({router_.handle(), 0, ZMQ_POLLIN, 0});
    for (const auto& peer : peers_) {
      if (!peer || !peer->open()) continue;
      items.push_back(peer->monitorItem());
      if (peer->pending() > 0) items.push_back(peer->sendItem());
    }
    const double ms = std::ceil(std::clamp(seconds, 0.0, 3600.0) * 1e3);
    try {
      zmq::poll(items, std::chrono::milliseconds(static_cast<long>(ms)));
    } catch (const zmq::error_t& error) {
      if (error.num() != EINTR) throw;
    }
  }

  // True once done() is; false after lingerMs in which nothing moved. A slow link is no reason to give up, a dead one is.
  template <class Done>
  bool waitWhileMoving(Done done) {
    Motion before = motion();
    double movedAt = steadySeconds();
    while (!done()) {
      const double now = steadySeconds();
      for (const auto& peer : peers_) {
        if (!peer) continue;
        peer->readMonitor(now);
        if (peer->ended()) peer->close(0);
      }
      flush();
      drain(!closing_);
      if (const Motion after = motion(); after != before) before = after, movedAt = now;
      if (now >= movedAt + limits_.lingerMs * 1e-3) return false;
      // ZeroMQ's thread lets go within microseconds of sending or closing; nothing in the poll set tells of it.
      poll(1e-3, false);
    }
    return true;
  }

  Motion motion() const {
    Motion motion;
    for (const FrameCounts& counts : frames_) motion.queued += counts.queued;
    for (const auto& peer : peers_) {
      if (!peer) continue;
      motion.pending += peer->pending();
      if (const std::optional<TcpState> tcp = peer->tcp()) motion.acked += tcp->ackedBytes, motion.waiting += tcp->waitingBytes;
    }
    return motion;
  }

  // While we wait to get rid of what we send, the others must get rid of theirs. That a peer sent garbage is told when we listen again, if we do.
  void drain(bool keep) {
    for (bool more = true; more;) {
      try {
        std::optional<Message> message = take();
        more = message.has_value();
        if (more && keep) early_.push_back(std::move(*message));
      } catch (const Error&) {
        if (keep && !garbage_) garbage_ = std::current_exception();
      }
    }
  }

  // Closed peers drop what they have not sent.
  void letGo() {
    for (const auto& peer : peers_)
      if (peer) peer->close(0);
  }

  void stopIfAsked() {
    if (alarm_.taken()) throw Error(Errc::kStopped, "asked to stop while waiting for a message");
  }

  int self_;
  WireLimits limits_;
  ZmqProtection protection_;
  Alarm alarm_, nudge_;           // before the contexts: their threads raise and count down
  std::deque<FrameCounts> frames_;  // by node
  // Two contexts, so two I/O threads: what we send is out before our ROUTER closes and the others see us go.
  zmq::context_t receiving_, sending_;
  zmq::socket_t router_;
  std::unique_ptr<ZapAuthenticator> authenticator_;
  std::string endpoint_, here_;                  // where it listens; as the others know it
  std::vector<std::unique_ptr<ZmqPeer>> peers_;  // by node; null: none
  std::vector<Arrivals> arrivals_;               // by node
  std::map<std::string, int, std::less<>> nodes_;  // by routing id; of plain wires
  std::deque<Message> early_;                    // came while settling; kLost and kBack
  std::exception_ptr garbage_;                   // came while settling: the first that was no message
  std::set<int> tolerated_;
  std::set<int> broken_;                         // what they sent does not open: lost as soon as we watch
  std::set<int> lost_;                           // told as lost, and not heard of since: their next connection is not told as another loss
  bool connected_ = false, closing_ = false;
  int sinceWatch_ = 0;
  double linksWatchedAt_ = 0;
  WireCounts counts_;
};

}  // namespace

std::unique_ptr<BoundWire> bindZmqWire(int self, const std::string& address, const DataKeys& keys, const WireLimits& limits, const std::string& endpoint) {
  return std::make_unique<ZmqWire>(self, address, keys, limits, endpoint);
}

void interrupt(BoundWire& wire) { dynamic_cast<ZmqWire&>(wire).interrupt(); }

}  // namespace paceline::zeromq

#include "engine/comm/zmq/protection.h"

#include "engine/comm/zmq/address.h"
#include "engine/comm/zmq/zap_authenticator.h"
#include "engine/core/base/error.h"

namespace paceline::zeromq {

ZmqProtection::ZmqProtection(const DataKeys& keys, int self, const std::string& address, bool plainTcp) : self_(self), seals_(keys.mode == "aes_gcm") {
  if (keys.mode == "plain") {
    if (isPrivate(address) || plainTcp) return;
    throw Error(Errc::kHost, strCat("cannot listen on ", address, ": plain data ports are only allowed inside one host (ipc); protect them with curve"));
  }
  if (keys.mode != "curve" && !seals_) throw Error(Errc::kFormat, strCat("protection \"", keys.mode, "\" is not known; have plain, curve, aes_gcm"));
  if (seals_ && !hasAesInstructions()) throw Error(Errc::kHost, "this host's CPU has no AES instructions: choose the protection curve for this run");
  keys_.emplace(keys, self);
}

std::string ZmqProtection::routingId(int from, int to) const { return keys_ ? keys_->name("routing id", from, to) : nodeName(from); }

std::map<std::string, int> ZmqProtection::guests() const {
  std::map<std::string, int> guests;
  for (int node = 0; node < static_cast<int>(nodes()); ++node) {
    if (node == self_) continue;
    if (seals_) guests.emplace(plainCredential(routingId(node, self_), keys_->name("password", node, self_)), node);
    else guests.emplace(keys_->publicKey(node).view(), node);
  }
  return guests;
}

void ZmqProtection::guard(zmq::socket_t& router) const {
  if (seals_) return router.set(zmq::sockopt::plain_server, true);
  router.set(zmq::sockopt::curve_server, true);
  if (zmq_setsockopt(router.handle(), ZMQ_CURVE_SECRETKEY, keys_->secret().data(), kKeyBytes) != 0) throw zmq::error_t();
}

std::unique_ptr<ZmqPeer> ZmqProtection::peer(zmq::context_t& context, FrameCounts& counts, const std::string& here, ZmqPeer::Address there,
                                             const WireLimits& limits) const {
  there.own = routingId(self_, there.node);
  if (keys_ && !seals_) there.keys = &*keys_;
  if (seals_) there.password = keys_->name("password", self_, there.node);
  auto peer = std::make_unique<ZmqPeer>(context, counts, there, limits);
  // Endpoints have ephemeral ports: should the same keys ever be used again, the streams still differ.
  if (seals_)
    peer->sealWith(keys_->key("seal", self_, there.node, strCat(here, ' ', there.endpoint)),
                   keys_->key("seal", there.node, self_, strCat(there.endpoint, ' ', here)));
  return peer;
}

}  // namespace paceline::zeromq

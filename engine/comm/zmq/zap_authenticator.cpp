#include "engine/comm/zmq/zap_authenticator.h"

#include <cstring>

#include <openssl/crypto.h>

#include "engine/core/base/error.h"

namespace paceline::zeromq {
namespace {

constexpr char kEndpoint[] = "inproc://zeromq.zap.01";
// Once is enough for a node; tries that broke off may need more. Whoever overheard a name and a password gets no further than this.
constexpr int kMaxAdmissions = 64;
constexpr int kZapEnforceDomain = 93;  // ZMQ_ZAP_ENFORCE_DOMAIN, among the drafts of zmq.h
constexpr std::size_t kParts = 6;  // version, request id, domain, address, routing id, mechanism; credentials follow

bool receiveAll(zmq::socket_t& socket, std::vector<std::string>& parts) {
  parts.clear();
  zmq::message_t part;
  do {
    if (!socket.recv(part, parts.empty() ? zmq::recv_flags::dontwait : zmq::recv_flags::none)) return false;
    parts.push_back(part.to_string());
  } while (part.more());
  return true;
}

// Not every failure has an event of its own: connections that came, less those that were let in, are those that were not.
bool came(const std::string& event) {
  std::uint16_t kind = 0;
  if (event.size() >= sizeof kind) std::memcpy(&kind, event.data(), sizeof kind);
  return kind == ZMQ_EVENT_ACCEPTED;
}

}  // namespace

std::string plainCredential(std::string_view name, std::string_view password) { return strCat(name, '\n', password); }

ZapAuthenticator::ZapAuthenticator(zmq::context_t& context, zmq::socket_t& router, std::map<std::string, int> guests) {
  for (const auto& [credential, node] : guests) guests_.push_back({.credential = credential, .node = node});
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

void ZapAuthenticator::close() {
  if (thread_.joinable()) thread_.join();
}

// Ends with the context: then every call throws ETERM.
void ZapAuthenticator::serve() {
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

void ZapAuthenticator::answer() {
  std::vector<std::string> request;
  while (receiveAll(questions_, request)) {
    const bool wellFormed = request.size() > kParts && request[0] == "1.0" && request[2] == kDomain;
    const int node = wellFormed ? admit(request[5], request) : -1;
    const std::string parts[] = {"1.0", request.size() > 1 ? request[1] : "", node >= 0 ? "200" : "400",
                                 node >= 0 ? "OK" : "not a node of this run", node >= 0 ? std::to_string(node) : "", ""};
    for (const std::string& part : parts)
      questions_.send(zmq::buffer(part), &part == std::end(parts) - 1 ? zmq::send_flags::none : zmq::send_flags::sndmore);
  }
}

int ZapAuthenticator::admit(const std::string& mechanism, const std::vector<std::string>& request) {
  std::string credential;
  if (mechanism == "CURVE" && request.size() == kParts + 1) credential = request[kParts];
  else if (mechanism == "PLAIN" && request.size() == kParts + 2) credential = plainCredential(request[kParts], request[kParts + 1]);
  for (Credential& guest : guests_)
    if (guest.credential.size() == credential.size() && CRYPTO_memcmp(guest.credential.data(), credential.data(), credential.size()) == 0)
      return ++guest.admissions <= kMaxAdmissions ? guest.node : -1;
  return -1;
}

}  // namespace paceline::zeromq

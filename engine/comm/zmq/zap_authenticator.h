// The ZAP authenticator of a node's ROUTER (ZeroMQ RFC 27): admits exactly this run's nodes and counts the connections that it
// refuses. Made, closed and asked for counts by the wire's thread; its own thread owns its two sockets. Private to the ZeroMQ wire.
#pragma once

#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <zmq.hpp>

namespace paceline::zeromq {

// As ZeroMQ hands it over: the 32 bytes of a CURVE public key, or a name and a password.
std::string plainCredential(std::string_view name, std::string_view password);

class ZapAuthenticator {
 public:
  // Before `router` is bound. The context must be shut down before close().
  ZapAuthenticator(zmq::context_t& context, zmq::socket_t& router, std::map<std::string, int> guests);
  // Ends the thread, once the context is shut down.
  void close();

  // Connections that were not let in: a wrong key, none, garbage, or too slow. One whose handshake is under way counts until it is done.
  std::int64_t refused() const { return refused_; }

  static constexpr char kDomain[] = "paceline";
  static constexpr char kUserId[] = "User-Id";  // of a message: the node whose key its connection has

 private:
  void serve();
  void answer();
  int admit(const std::string& mechanism, const std::vector<std::string>& request);  // node; -1: nobody

  struct Credential {
    std::string credential;
    int node = 0;
    int admissions = 0;
  };
  std::vector<Credential> guests_;
  zmq::socket_t questions_, connections_;
  std::atomic<std::int64_t> refused_ = 0;
  std::jthread thread_;
};

}  // namespace paceline::zeromq

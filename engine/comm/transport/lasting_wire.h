// A client's ways to servers that are started again when their process ends (engine/runtime/README.md, "A server that is killed"). What is sent to a server stays here until it
// says that it has it, and goes once more when a way to it is back; what comes twice is handed on once. So nobody above sees that a server was away, but for the wait.
#pragma once

#include <deque>
#include <map>

#include "engine/comm/transport/numbers.h"
#include "engine/comm/transport/transport.h"
#include "engine/core/base/clock.h"

namespace paceline {

// Below what sends messages in another order than it was given them. receive() throws Error{kPeerLost} naming a server that stays away.
class LastingWire final : public LayerWire {
 public:
  static constexpr double kPatienceSeconds = 20;

  struct Server {
    int node = 0;
    std::string name;
  };
  LastingWire(Wire& below, const Clock& clock, const std::vector<Server>& servers, double patienceSeconds = kPatienceSeconds);
  void send(int to, Message message) override;
  std::optional<Message> receive(double timeoutSeconds) override;
  void settle() override;  // what is kept is copied where it was lent
  WayCounts wayTo(int to, bool settled) override;
  std::size_t kept(int server) const { return links_.at(server).kept.size(); }  // messages

 private:
  struct Link {
    std::string name;
    std::int64_t sent = 0;
    std::deque<Message> kept = {};  // of what was sent the last ones
    TakenNumbers came = {};
    std::optional<double> lostAt = {};
    bool broke = false;  // ever
    bool unheard = false;  // it has not said that it knows this process (kAnew): what it says is for the one before
  };
  Link* linkTo(int node);
  void pass(int to, Link& link, Message message);
  bool take(Link& link, Message& message);  // false: it is nothing to who receives
  double patience() const;                  // until a server has been away for too long

  const Clock& clock_;
  double patienceSeconds_;
  std::map<int, Link> links_;
  std::optional<Message> anew_;  // what this process has said of itself
};

}  // namespace paceline

// The wire of a server that may be started again: keeps what it hands on in the server's journal, numbers what the server answers, and hands a next process first what the
// journal has. That process then answers what was answered before in the same words and under the same numbers, and whoever has them already does not hear them twice.
// Above all that changes the order of messages, so that numbers follow from what was handed on. Used by the node's thread.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "engine/comm/transport/numbers.h"
#include "engine/comm/transport/transport.h"
#include "engine/core/base/clock.h"
#include "engine/runtime/journal/journal.h"

namespace paceline {

class JournalWire final : public LayerWire {
 public:
  JournalWire(Wire& below, const Clock& clock, Journal& journal, const std::vector<int>& clients);
  void send(int to, Message message) override;
  std::optional<Message> receive(double timeoutSeconds) override;
  WayCounts wayTo(int to, bool settled) override;

  double handedAt() const { return handedAt_; }  // the newest message, for the first time
  void anew(int client, std::int64_t process);   // numbers to and from it begin anew
  bool again() const { return again_; }          // and what it led to was done before: it is not told again
  // Clients that this process has not reached, and that have not said anything to it either.
  const std::set<int>& missing() const { return missing_; }

  // Once what the newest message led to is done. state(Archive&) names all that outlives it, this wire's state among it.
  template <class State>
  void rest(const State& state) {
    if (replaying_) return;
    journal_.handled();
    if (journal_.hasBegun() && allHave()) journal_.commit();
    if (!journal_.wantsState()) return;
    journal_.begin(state);
    mark();
  }
  void state(Archive& archive);

 private:
  struct Link {
    std::int64_t sent = 0, atState = 0, has = 0;  // answers: so far; when a state was begun; that the client has
    TakenNumbers came = {};
    std::int64_t process = 0;  // the client's; numbers begin anew with each
  };
  std::optional<Message> handOn(Message message, double at);
  bool allHave() const;
  void mark();

  const Clock& clock_;
  Journal& journal_;
  std::map<int, Link> links_;
  std::set<int> missing_;
  std::set<int> left_;             // ask for nothing any more
  double handedAt_ = 0;
  bool replaying_ = false, again_ = false, crossed_ = false;
  bool opening_ = journal_.processes() > 0;  // what the wire says first is whom it did not reach
};

}  // namespace paceline

// What every node, worker or server, does for a run's checkpoints: it saves, keeps, drops and loads its own state when the evaluating worker
// says so. Used by the node's thread. A checkpoint that cannot be saved is a warning and the run goes on; one that cannot be loaded throws.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "engine/comm/transport/message.h"
#include "engine/core/base/archive.h"
#include "engine/runtime/node_loop.h"

namespace paceline {

// scalars[0] of a kCheckpoint message; the others follow it. On the wire; append only.
enum class CutStep : std::uint8_t {
  kPause,    // evaluating worker -> workers: where do you stand?
  kStanding,  // {lock-step set, clock that the worker will have at the end of the round in progress}; it begins no other round
  kPauseAt,  // {clock}: rest as soon as you are there
  kMarker,   // worker -> workers of a decentralised run: what I sent you before is all that you will get until we go on
  kReady,    // {round}: I rest, and nothing to me is under way
  kSave,     // {round}: evaluating worker -> everybody
  kSaved,    // {round, 1 or 0, bytes}
  kGo,       // {round, 1: all have it}: go on
  kHolds,    // {round, round, ...}: resumed: my sound checkpoints
  kLoad,     // {round}: the newest that all hold
  kLoaded,   // {round}
};

Message cutMessage(CutStep step, std::vector<double> numbers = {});
// Throws Error{kFormat} naming the sender for what no node sends.
CutStep cutStep(const Message& message);
std::int64_t cutNumber(const Message& message, std::size_t index);  // from 1

class NodeCheckpoints {
 public:
  using Send = std::function<void(int to, Message message)>;
  using State = std::function<void(Archive&)>;
  NodeCheckpoints(const NodeRun& run, State state, Send send);

  // An order of the evaluating worker: kSave and kLoad are answered, kGo settles. false: another step.
  bool obey(const Message& order);
  std::int64_t goes() const { return goes_; }    // kGo orders so far
  bool loaded() const { return loaded_; }

  // The same for the evaluating worker itself.
  std::optional<std::size_t> save(std::int64_t round);  // bytes; nullopt: a notice said why not
  void settle(std::int64_t round, bool complete);
  void load(std::int64_t round);
  std::vector<double> held() const;  // sound ones to resume from, newest first; a notice names each that is not

 private:
  const NodeRun& run_;
  State state_;
  Send send_;
  std::int64_t goes_ = 0;
  bool loaded_ = false;
};

}  // namespace paceline

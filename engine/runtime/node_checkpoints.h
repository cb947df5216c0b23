// Every node's part in checkpoints: it saves, keeps, drops and loads its own state on the coordinator's orders. Used by the node's thread. A
// checkpoint that cannot be saved is a warning and the run goes on; one that cannot be loaded throws.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "engine/comm/transport/message.h"
#include "engine/core/base/archive.h"
#include "engine/runtime/control.h"
#include "engine/runtime/node_loop.h"

namespace paceline {

class NodeCheckpoints {
 public:
  using Send = std::function<void(int to, Message message)>;
  using State = std::function<void(Archive&)>;
  NodeCheckpoints(const NodeRun& run, State state, Send send);

  // An order of the coordinator: Save and Load are answered, Go settles; other steps are nothing to a node.
  void obey(int coordinator, const SnapshotStep& step);
  std::int64_t goes() const { return goes_; }  // Go orders so far

  // The same for the coordinator itself.
  std::optional<std::size_t> save(std::int64_t round);  // bytes; nullopt: a notice said why not
  void settle(std::int64_t round, bool complete);
  void load(std::int64_t round);
  Holds held() const;  // sound checkpoints to resume from, newest first; a notice names each unsound one

 private:
  const NodeRun& run_;
  State state_;
  Send send_;
  std::int64_t goes_ = 0;
};

}  // namespace paceline

// One node's checkpoints in a folder: one file per round, `round-000000000040.checkpoint`, written so that a crash at any moment leaves the
// old ones whole. Used by the node's thread. Throws Error{kNoSpace, kFile} naming the file; {kFormat} for a file that is no sound checkpoint of
// this node and configuration.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/comm/transport/message.h"
#include "engine/core/base/archive.h"
#include "engine/core/record/state_table.h"
#include "engine/runtime/control.h"
#include "engine/runtime/node_loop.h"

namespace paceline {

class CheckpointFolder {
 public:
  // The folder is made by the first save.
  CheckpointFolder(std::string path, StateOwner owner);

  // By replaceFile(). What fails leaves no trace but the error.
  void save(std::int64_t round, const StateTable& table);
  // `round` is complete on all nodes: it and the one before stay, older ones go.
  void keep(std::int64_t round);
  void drop(std::int64_t round);              // another node could not save it
  std::vector<std::int64_t> rounds() const;   // of the files that are there, newest first
  StateTable load(std::int64_t round) const;  // verified: hash, length, node, configuration
  const std::string& path() const { return path_; }

 private:
  std::string fileOf(std::int64_t round) const;
  void remove(const std::string& file) const noexcept;

  std::string path_;
  StateOwner owner_;
};

// Every node's part in checkpoints: it saves, keeps, drops and loads its own state on the coordinator's orders. Used by the node's thread. A
// checkpoint that cannot be saved is a warning and the run goes on; one that cannot be loaded throws.
class NodeCheckpoints {
 public:
  using Send = std::function<void(int to, Message message)>;
  using State = std::function<void(Archive&)>;
  NodeCheckpoints(const NodeRun& run, State state, Send send);

  // An order of the coordinator: Save and Load are answered, Go settles; other steps are nothing to a node.
  void obey(int coordinator, const SnapshotStep& step);
  std::int64_t goes() const { return goes_; }  // Go orders so far

  // The same for the coordinator itself.
  std::optional<std::int64_t> save(std::int64_t round);  // bytes; nullopt: a notice said why not
  void settle(std::int64_t round, bool complete);
  void load(std::int64_t round);
  Holds held() const;  // sound checkpoints to resume from, newest first; a notice names each unsound one

 private:
  void compareKernels(std::string_view saved) const;

  const NodeRun& run_;
  State state_;
  Send send_;
  std::int64_t goes_ = 0;
};

}  // namespace paceline

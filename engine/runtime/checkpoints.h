// One node's checkpoints in a folder: one file per round, `round-000000000040.checkpoint`, written so that a crash at any moment leaves the
// old ones whole. Used by the node's thread. Throws Error{kNoSpace, kFile} naming the file; {kFormat} for a file that is no sound checkpoint of
// this node and configuration.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/algorithms/algorithm.h"
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
  const StateOwner& owner() const { return owner_; }

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

  // The same for the coordinator itself, whose files also say which nodes the run went on without.
  std::optional<std::int64_t> save(std::int64_t round, const std::set<int>& lost = {});  // bytes; nullopt: a notice said why not
  void settle(std::int64_t round, bool complete);
  void load(std::int64_t round, const std::set<int>& lost = {});
  Holds held();  // sound checkpoints to resume from, newest first; a notice names each unsound one
  const std::set<int>& lostAt(std::int64_t round) const { return lostAt_.at(round); }  // of those that held() has

  std::string stateFor(std::int64_t round) const;  // the coordinator's, for a worker that joins
  void join(std::int64_t round, const std::string& state, const AlgorithmDef& algorithm);  // that worker: `state` is what stateFor() gave
  // The same while a run goes on, of the coordinator as it is. `rounds`: that the worker has made at least; `samples`: as Joining's.
  std::string stateNow(std::int64_t round) const;
  void joinNow(std::int64_t round, const std::string& state, const AlgorithmDef& algorithm, std::int64_t rounds, std::optional<std::int64_t> samples = {});

 private:
  std::optional<StateTable> newestOwn() const;
  void compareKernels(const std::vector<std::int64_t>& saved) const;
  void take(const StateTable& table, const std::string& source);
  void keepCopy(std::int64_t round, const StateTable& table) const;

  const NodeRun& run_;
  State state_;
  Send send_;
  std::int64_t goes_ = 0;
  std::map<std::int64_t, std::set<int>> lostAt_;
};

}  // namespace paceline

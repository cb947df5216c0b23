#include "app/cluster/run_ending.h"

#include <algorithm>

#include "engine/core/error.h"

namespace paceline {
namespace {

constexpr int kFirstHand = 0, kWithSupervisor = 1, kLostPeer = 2;

// A node that only noticed that another one is gone (Error{kPeerLost} of engine/comm).
bool lostPeer(const NoticeRecord& failed) { return failed.reason == "peer_lost"; }

}  // namespace

RunEnding::RunEnding(const RunSpec& spec) {
  for (const NodeSpec& node : spec.nodes) nodes_[node.id].worker = node.role == Role::kWorker;
  if (const int index = spec.evaluatorNode(); index >= 0) evaluator_ = spec.nodes[static_cast<std::size_t>(index)].id;
}

void RunEnding::observe(const std::string& id, const NoticeRecord& notice) {
  const auto found = nodes_.find(id);
  if (found == nodes_.end()) {  // the host itself
    if (notice.kind == "note" && notice.reason != "containment" && endedWhy_.empty()) endedWhy_ = notice.reason;
    if (notice.kind == "note" && notice.reason == "asked") asked_ = true;
    return;
  }
  Node& node = found->second;
  if (notice.kind == "started") node.started = true;
  if (notice.kind == "failed") node.failed = notice;
  if (notice.kind == "exit") node.exit = notice;
  if (notice.kind == "log" && notice.level == "warn") node.lastError = notice.text;
  if (notice.kind == "finished") {
    node.finished = true;
    node.finishedReason = notice.reason;
  }
}

std::optional<RunEnding::Cause> RunEnding::causeOf(const std::string& id, const Node& node) {
  if (node.failed) {
    const int rank = lostPeer(*node.failed) ? kLostPeer : kFirstHand;
    return Cause{rank, node.failed->unixTime, strCat(id, ": ", node.failed->text)};
  }
  if (!node.exit || node.finished || node.exit->reason == "asked") return std::nullopt;
  const NoticeRecord& exit = *node.exit;
  if (exit.reason == "supervisor_died") return Cause{kWithSupervisor, exit.unixTime, ""};
  if (exit.reason == "killed") return Cause{kFirstHand, exit.unixTime, strCat(id, " was ", exit.text)};
  if (exit.reason == "out of memory") return Cause{kFirstHand, exit.unixTime, strCat(id, " ran out of memory and was killed")};
  const std::string hint = node.lastError.empty() ? "" : strCat(": ", node.lastError);
  if (exit.reason == "ended") return Cause{kFirstHand, exit.unixTime, strCat(id, " ended before the run did", hint)};
  return Cause{kFirstHand, exit.unixTime, strCat(id, " ", exit.text, hint)};
}

std::string RunEnding::rootCause() const {
  std::optional<Cause> root;
  for (const auto& [id, node] : nodes_) {
    const auto cause = causeOf(id, node);
    if (cause && (!root || std::pair(cause->rank, cause->time) < std::pair(root->rank, root->time))) root = cause;
  }
  if (!root) return "";
  return root->rank == kWithSupervisor ? diedWithSupervisor() : root->sentence;
}

std::string RunEnding::diedWithSupervisor() const {
  std::string ids;
  for (const auto& [id, node] : nodes_)
    if (node.exit && node.exit->reason == "supervisor_died") ids += strCat(ids.empty() ? "" : ", ", id);
  return strCat("the supervisor died, and with it ", ids);
}

bool RunEnding::somethingFailed() const {
  return std::any_of(nodes_.begin(), nodes_.end(), [](const auto& entry) { return causeOf(entry.first, entry.second).has_value(); });
}

bool RunEnding::allExited() const {
  return std::all_of(nodes_.begin(), nodes_.end(), [](const auto& entry) { return entry.second.exit.has_value(); });
}

bool RunEnding::workersExited() const {
  return std::all_of(nodes_.begin(), nodes_.end(), [](const auto& entry) { return !entry.second.worker || entry.second.exit.has_value(); });
}

bool RunEnding::anyStarted() const {
  return std::any_of(nodes_.begin(), nodes_.end(), [](const auto& entry) { return entry.second.started; });
}

std::string RunEnding::reason() const {
  if (const auto found = nodes_.find(evaluator_); found != nodes_.end() && found->second.finished) return found->second.finishedReason;
  for (const auto& [id, node] : nodes_)
    if (node.finished && !node.finishedReason.empty()) return node.finishedReason;
  return "";
}

}  // namespace paceline

#include "app/cluster/run/run_life.h"

#include <algorithm>

namespace paceline::run {
namespace {

constexpr int kFirstHand = 0, kWithHost = 1, kLostPeer = 2;

// What a supervisor says of a run that it ends; its other notes (which clean-up is used, ...) end nothing.
bool endsRun(const NoticeRecord& notice) {
  return notice.kind == "note" &&
         (notice.reason == "asked" || notice.reason == "failure" || notice.reason == "desktop_lost" || notice.reason == "shutdown");
}

// A node that only noticed that another one is gone (Error{kPeerLost} of engine/comm).
bool lostPeer(const NoticeRecord& failed) { return failed.reason == "peer_lost"; }

}  // namespace

std::optional<store::RunState> next(store::RunState state, RunEvent event) {
  using S = store::RunState;
  const auto from = [state](S before, S after) { return state == before ? std::optional(after) : std::nullopt; };
  if (state == S::kDraft || store::isEnded(state)) return std::nullopt;
  switch (event) {
    case RunEvent::kChecked: return from(S::kChecking, S::kDeploying);
    case RunEvent::kDeployed: return from(S::kDeploying, S::kStarting);
    case RunEvent::kAllListening: return from(S::kStarting, S::kRunning);
    case RunEvent::kStopAsked: return S::kStopping;
    case RunEvent::kAllEnded: return state == S::kStopping || state == S::kStale ? S::kFinished : from(S::kRunning, S::kFinished);  // before the stop had reached it; without a host
    case RunEvent::kAllStopped: return from(S::kStopping, S::kStopped);
    case RunEvent::kFailure: return S::kFailed;
    case RunEvent::kHostLost:  // before its nodes nothing runs that could be picked up again
      return state == S::kChecking || state == S::kDeploying ? S::kFailed : S::kStale;
    case RunEvent::kHostBack: return from(S::kStale, S::kRunning);
  }
  return std::nullopt;
}

RunEnding::RunEnding(const RunSpec& spec) : hosts_(spec.hosts()) {
  for (const NodeSpec& node : spec.nodes) {
    nodes_[node.id].worker = node.role != Role::kServer;  // an evaluator has work of its own to finish
    nodes_[node.id].host = node.host;
  }
  if (const int index = spec.evaluatorNode(); index >= 0) evaluator_ = spec.nodes[static_cast<std::size_t>(index)].id;
}

void RunEnding::observe(const std::string& id, const NoticeRecord& notice) {
  const auto found = nodes_.find(id);
  if (found == nodes_.end()) {  // a host itself
    if (!endsRun(notice)) return;
    if (endedWhy_.empty()) endedWhy_ = notice.reason, endedOn_ = id;
    if (notice.reason == "asked") asked_ = true;
    return;
  }
  Node& node = found->second;
  if (notice.kind == "failed" || (notice.kind == "exit" && !node.failed)) node.heard = ++heard_;
  if (notice.kind == "started") {
    node.started = true;
    if (timesTheRun(node)) startedUtc_ = startedUtc_ == 0 ? notice.unixTime : std::min(startedUtc_, notice.unixTime);
  }
  if (notice.kind == "exit" && timesTheRun(node)) endedUtc_ = std::max(endedUtc_, notice.unixTime);
  if (notice.kind == "note" && notice.reason == "tolerates_loss") toleratesLoss_ = true;
  if (notice.kind == "note" && notice.reason == "checkpoint") checkpointed_ = true;
  if (notice.kind == "note" && notice.reason == "silent") node.silent = notice.text;
  if ((notice.kind == "note" && notice.reason == "heard") || notice.kind == "exit") node.silent.clear();
  if (notice.kind == "failed") node.failed = notice;
  if (notice.kind == "exit") node.exit = notice;
  if (notice.kind == "log" && notice.level == "warn") node.lastError = notice.text;
  if (notice.kind == "finished") {
    node.finished = true;
    node.finishedReason = notice.reason;
  }
}

void RunEnding::hostGone(const std::string& host, const std::string& why) {
  const std::string ids = nodesOf(host, [](const Node& node) { return !node.exit && !node.failed; });
  gone_[host] = {.rank = kWithHost, .time = 0, .heard = ++heard_, .sentence = strCat(host, ": ", why, ids.empty() ? "" : ", and with it ", ids)};
}

std::string RunEnding::named(const std::string& id, const Node& node) { return node.host == "local" ? id : strCat(id, " on ", node.host); }

std::optional<RunEnding::Cause> RunEnding::causeOf(const std::string& id, const Node& node) {
  const auto cause = [&](int rank, const NoticeRecord& notice, const std::string& sentence, bool loss = true) {
    return Cause{.rank = rank, .time = notice.unixTime, .heard = node.heard, .sentence = sentence, .loss = loss};
  };
  if (node.failed) return cause(lostPeer(*node.failed) ? kLostPeer : kFirstHand, *node.failed, strCat(named(id, node), ": ", node.failed->text), lostPeer(*node.failed));
  if (!node.exit || node.finished || node.exit->reason == "asked") return std::nullopt;
  const NoticeRecord& exit = *node.exit;
  if (exit.reason == "supervisor_died") return cause(kWithHost, exit, "");
  if (exit.reason == "killed" || exit.reason == "silent") return cause(kFirstHand, exit, strCat(id, " was ", exit.text));
  if (exit.reason == "out of memory") return cause(kFirstHand, exit, strCat(id, " ran out of memory and was killed"));
  const std::string hint = node.lastError.empty() ? "" : strCat(": ", node.lastError);
  if (exit.reason == "cut_off") return cause(kLostPeer, exit, strCat(named(id, node), " ", exit.text, hint));
  if (exit.reason == "ended") return cause(kFirstHand, exit, strCat(id, " ended before the run did", hint), false);
  return cause(kFirstHand, exit, strCat(id, " ", exit.text, hint), false);
}

std::optional<RunEnding::Cause> RunEnding::causeOn(const std::string& host) const {
  std::optional<Cause> first;
  if (const auto gone = gone_.find(host); gone != gone_.end() && !spares(host)) first = gone->second;
  for (const auto& [id, node] : nodes_) {
    const auto cause = node.host == host && !spared(id, node) ? causeOf(id, node) : std::nullopt;
    if (cause && (!first || std::pair(cause->rank, cause->time) < std::pair(first->rank, first->time))) first = cause;
  }
  if (first && first->sentence.empty()) first->sentence = diedWithSupervisor(host);
  return first;
}

std::optional<RunEnding::Cause> RunEnding::root() const {
  std::optional<Cause> root;
  for (const std::string& host : hosts_) {
    const auto cause = causeOn(host);
    if (cause && (!root || std::pair(cause->rank, cause->heard) < std::pair(root->rank, root->heard))) root = cause;
  }
  return root;
}

std::string RunEnding::rootCause() const {
  const auto cause = root();
  return cause ? cause->sentence : "";
}

bool RunEnding::byLoss() const {
  const auto cause = root();
  return cause ? cause->loss : endedWhy_ == "shutdown";
}

std::string RunEnding::losses() const {
  std::string text;
  for (const auto& [id, node] : nodes_)
    if (const auto cause = spared(id, node) ? causeOf(id, node) : std::nullopt)
      text += strCat(text.empty() ? "" : "; ", cause->sentence.empty() ? strCat(id, " died with its supervisor") : cause->sentence);
  for (const auto& [host, gone] : gone_)
    if (spares(host)) text += strCat(text.empty() ? "" : "; ", gone.sentence);
  return text.empty() ? "" : strCat(text, "; the run went on without ", std::count(text.begin(), text.end(), ';') == 0 ? "it" : "them");
}

template <class Matches>
std::string RunEnding::nodesOf(const std::string& host, Matches matches) const {
  std::string ids;
  for (const auto& [id, node] : nodes_)
    if (node.host == host && matches(node)) ids += strCat(ids.empty() ? "" : ", ", id);
  return ids;
}

std::string RunEnding::silence() const {
  std::string names, text;
  for (const auto& [id, node] : nodes_) {
    if (node.silent.empty()) continue;
    names += strCat(names.empty() ? "" : ", ", named(id, node));
    if (text.empty()) text = node.silent;
  }
  return names.empty() ? "" : strCat("waits for ", names, ": ", text);
}

std::string RunEnding::diedWithSupervisor(const std::string& host) const {
  const std::string ids = nodesOf(host, [](const Node& node) { return node.exit && node.exit->reason == "supervisor_died"; });
  return strCat(host == "local" ? "the" : strCat(host, ": its"), " supervisor died, and with it ", ids);
}

bool RunEnding::spares(const std::string& host) const {
  return std::ranges::all_of(nodes_, [&](const auto& entry) { return entry.second.host != host || spared(entry.first, entry.second); });
}

bool RunEnding::somethingFailed() const {
  if (std::ranges::any_of(gone_, [this](const auto& entry) { return !spares(entry.first); })) return true;
  return std::ranges::any_of(nodes_, [this](const auto& entry) { return !spared(entry.first, entry.second) && causeOf(entry.first, entry.second); });
}

bool RunEnding::allExited() const {
  return std::ranges::all_of(nodes_, [this](const auto& entry) { return entry.second.exit.has_value() || gone_.contains(entry.second.host); });
}

bool RunEnding::workersExited() const {
  return std::ranges::all_of(nodes_, [this](const auto& entry) { return !entry.second.worker || entry.second.exit.has_value() || gone_.contains(entry.second.host); });
}

bool RunEnding::anyStarted() const {
  return std::ranges::any_of(nodes_, [](const auto& entry) { return entry.second.started; });
}

std::string RunEnding::reason() const {
  if (const auto found = nodes_.find(evaluator_); found != nodes_.end() && found->second.finished) return found->second.finishedReason;
  for (const auto& [id, node] : nodes_)
    if (node.finished && !node.finishedReason.empty()) return node.finishedReason;
  return "";
}

}  // namespace paceline::run

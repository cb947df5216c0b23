#include "agent/supervisor/run.h"

#include <signal.h>

#include <algorithm>
#include <set>

#include "agent/supervisor/notice.h"
#include "engine/core/control.h"
#include "engine/core/error.h"

namespace paceline {
namespace {

RunFolder folderFor(const LaunchRequest& request, const std::string& runsFolder) {
  if (!RunFolder::isRunName(request.run)) throw Error(Errc::kHost, strCat("\"", request.run, "\" cannot be the name of a run"));
  if (request.nodes.empty()) throw Error(Errc::kHost, strCat("run ", request.run, " has no nodes"));
  RunFolder folder{.run = request.run, .host = request.host, .nodes = {}, .path = runsFolder + "/" + request.run};
  std::set<std::string> ids{request.host};
  for (const NodeCommand& node : request.nodes) {
    if (node.id.empty() || !ids.insert(node.id).second)
      throw Error(Errc::kHost, strCat("run ", request.run, ": the node id \"", node.id, "\" is empty, there twice, or the host's name"));
    folder.nodes.push_back(node.id);
  }
  return folder;
}

}  // namespace

Run::Run(const LaunchRequest& request, const std::string& runsFolder)
    : folder_(folderFor(request, runsFolder)), policy_(request.policy), lonelySince_(steadySeconds()) {
  folder_.create();
  try {
    hostSpool_ = folder_.openSpool(-1);
    for (std::size_t i = 0; i < request.nodes.size(); ++i) {
      const NodeCommand& command = request.nodes[i];
      const std::string tag = strCat(folder_.run, "/", command.id, "@", runsFolder);
      nodes_.push_back(std::make_unique<Node>(command, tag, folder_.openSpool(static_cast<int>(i))));
      nodes_.back()->start(request.folder);
    }
  } catch (const Error&) {
    nodes_.clear();  // kills those that were started
    folder_.remove();
    throw;
  }
  nextLoad_ = steadySeconds() + 1;
}

Run::Run(const RunFolder& folder) : folder_(folder), hostSpool_(folder.openSpool(-1)) {
  hostSpool_->skipNumbers();
  hostSpool_->closeWriter();
  for (std::size_t i = 0; i < folder_.nodes.size(); ++i) recoverNode(static_cast<int>(i));
}

void Run::recoverNode(int index) {
  const auto spool = folder_.openSpool(index);
  const auto endedBefore = [&] {
    if (spool->lastSeq() == 0) return false;
    const Event last = parseEvent(spool->lastPayload());
    const NoticeRecord* notice = std::get_if<NoticeRecord>(&last);
    return notice != nullptr && notice->kind == "exit";
  };
  nodes_.push_back(std::make_unique<Node>(NodeCommand{.id = folder_.nodes[static_cast<std::size_t>(index)], .command = {}, .env = {}}, "", spool));
  if (spool->cutBytes() == 0 && endedBefore()) return;
  spool->skipNumbers();
  if (spool->cutBytes() > 0) {
    const std::string text = strCat("the spool was damaged behind byte ", spool->endOffset(), ": ", spool->cutBytes(), " bytes were cut off");
    nodes_.back()->write(noticeOf("log", text, "warn", "spool_cut"));
  }
  nodes_.back()->write(noticeOf("exit", "died with the supervisor that had started it", "error", "supervisor_died"));
  spool->closeWriter();
}

void Run::watch(Watches& watches) {
  for (const auto& node : nodes_) node->watch(watches);
}

Node* Run::node(const std::string& id) {
  const auto found = std::find_if(nodes_.begin(), nodes_.end(), [&](const auto& node) { return node->id() == id; });
  return found == nodes_.end() ? nullptr : found->get();
}

Node* Run::nodeOf(pid_t pid) {
  const auto found = std::find_if(nodes_.begin(), nodes_.end(), [&](const auto& node) { return node->alive() && node->pid() == pid; });
  return found == nodes_.end() ? nullptr : found->get();
}

bool Run::active() const {
  return std::any_of(nodes_.begin(), nodes_.end(), [](const auto& node) { return node->running(); });
}

bool Run::reaped(pid_t pid, int waitStatus) {
  Node* node = nodeOf(pid);
  if (node != nullptr) node->ended(waitStatus);
  return node != nullptr;
}

void Run::end(double graceSeconds, const std::string& why) {
  if (!active()) return;
  const double now = steadySeconds();
  grace_ = ending() ? std::min(grace_, graceSeconds) : graceSeconds;
  if (ending()) {  // asked again: only sooner
    stageUntil_ = std::min(stageUntil_, now + grace_);
    return;
  }
  stage_ = Stage::kAsked;
  stageUntil_ = now + grace_;
  hostSpool_->append(toLine(Event(noticeOf("note", "the run was asked to end", "info", why))));
  for (const auto& node : nodes_) {
    node->send(toLine(Control(Stop{})));
    node->closeInput();
  }
}

void Run::advanceEnd(double now) {
  if (stage_ == Stage::kNone || stage_ == Stage::kKilled || now < stageUntil_) return;
  const bool first = stage_ == Stage::kAsked;
  stage_ = first ? Stage::kTerminated : Stage::kKilled;
  stageUntil_ = now + grace_;
  for (const auto& node : nodes_) node->kill(first ? SIGTERM : SIGKILL);
}

void Run::applyPolicy(double now, bool followed) {
  if (followed || lonelySince_ == 0) lonelySince_ = now;
  const bool failed = std::any_of(nodes_.begin(), nodes_.end(), [](const auto& node) { return node->failed(); });
  if (failed && failedSince_ == 0) failedSince_ = now;
  if (followed || ending()) return;
  const double lonely = now - lonelySince_;
  const bool started = std::any_of(nodes_.begin(), nodes_.end(), [](const auto& node) { return node->started(); });
  if (policy_.endAfterSeconds && lonely >= *policy_.endAfterSeconds) return end(policy_.graceSeconds, "desktop_lost");
  if (failed && lonely >= policy_.graceSeconds && now - failedSince_ >= policy_.graceSeconds) return end(policy_.graceSeconds, "failure");
  if (!started && lonely >= policy_.startSeconds) end(policy_.graceSeconds, "desktop_lost");
}

void Run::recordLoad(double now) {
  if (now < nextLoad_) return;
  nextLoad_ = std::max(nextLoad_ + 1, now);
  hostSpool_->append(toLine(Event(load_.measure())));
}

void Run::settleNodes() {
  const double now = steadySeconds();
  for (const auto& node : nodes_) node->settle(now);
}

void Run::tick(bool followed) {
  if (!active()) return;
  const double now = steadySeconds();
  recordLoad(now);
  advanceEnd(now);
  applyPolicy(now, followed);
  settleNodes();
  if (!active()) hostSpool_->closeWriter();
}

double Run::nextWake() const {
  double wake = nextLoad_;
  if (stage_ == Stage::kAsked || stage_ == Stage::kTerminated) wake = std::min(wake, stageUntil_);
  const bool draining = std::any_of(nodes_.begin(), nodes_.end(), [](const auto& node) { return node->running() && !node->alive(); });
  return draining ? std::min(wake, steadySeconds() + 0.1) : wake;
}

std::vector<std::pair<std::string, std::shared_ptr<const Spool>>> Run::spools() const {
  std::vector<std::pair<std::string, std::shared_ptr<const Spool>>> all{{folder_.host, hostSpool_}};
  for (const auto& node : nodes_) all.emplace_back(node->id(), node->spool());
  return all;
}

}  // namespace paceline

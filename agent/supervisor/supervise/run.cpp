#include "agent/supervisor/supervise/run.h"

#include <signal.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "engine/core/base/error.h"
#include "engine/core/base/user_folders.h"
#include "engine/core/record/dates.h"
#include "engine/core/record/control.h"
#include "engine/core/record/forks.h"
#include "engine/core/record/kernels.h"

namespace paceline::supervise {
namespace {

constexpr double kSweepSeconds = 10;      // a process that does not end within this is left to the kernel (waits for a disk or a device)
constexpr double kTellEndSeconds = 600;   // before a host is taken back
constexpr double kSweepAgainSeconds = 0.05;

spool::RunFolder folderFor(const LaunchRequest& request, const std::string& runsFolder) {
  if (!spool::RunFolder::isRunName(request.run)) throw Error(Errc::kHost, strCat("\"", request.run, "\" cannot be the name of a run"));
  if (request.nodes.empty()) throw Error(Errc::kHost, strCat("run ", request.run, " has no nodes"));
  spool::RunFolder folder{.run = request.run, .host = request.host, .nodes = {}, .path = runsFolder + "/" + request.run};
  std::set<std::string> ids{request.host};
  for (const NodeCommand& node : request.nodes) {
    if (node.id.empty() || !ids.insert(node.id).second)
      throw Error(Errc::kHost, strCat("run ", request.run, ": the node id \"", node.id, "\" is empty, there twice, or the host's name"));
    folder.nodes.push_back(node.id);
  }
  return folder;
}

std::string endText(const std::string& why) {
  constexpr std::pair<const char*, const char*> kWhy[] = {{"asked", "on request"}, {"failure", "because a node failed"}, {"desktop_lost", "because nobody followed it"},
                                                          {"shutdown", "because its host shuts down"}, {"begins_again", "to begin again"}};
  for (const auto& [reason, words] : kWhy)
    if (why == reason) return strCat("the run is ended ", words);
  return "the run is ended";
}

}  // namespace

Run::Run(const LaunchRequest& request, const std::string& runsFolder, contain::ContainmentKind kind)
    : folder_(folderFor(request, runsFolder)),
      title_(request.title.empty() ? request.run : request.title),
      policy_(request.policy),
      containment_(contain::makeContainment(kind, request.run)),
      lonelySince_(steadySeconds()) {
  folder_.cgroup = containment_->cgroup();
  folder_.create();
  try {
    hostSpool_ = folder_.openSpool(-1);
    hostSpool_->append(spool::noticeOf("note", strCat("clean-up by ", contain::nameOf(kind)), "info", "containment"));
    startNodes(request, runsFolder);
  } catch (const Error&) {
    forkServers_.clear();  // kills those that were started, as the next
    nodes_.clear();
    folder_.remove();
    throw;
  }
  nextLoad_ = steadySeconds() + 1;
}

void Run::startNodes(const LaunchRequest& request, const std::string& runsFolder) {
  const auto markOf = [&](const std::string& node) { return strCat(folder_.run, "/", node, "@", runsFolder); };
  const std::vector<std::string> flags = cpuFlags();
  const auto programOf = [&](const auto& command, const std::string& mark) {
    Program program{.command = command.command, .env = command.env, .mark = mark, .folder = request.folder, .beatSeconds = Silence::beatSeconds(request.nodeSilentSeconds)};
    for (const auto& [name, value] : kernelsFor(flags, program.env)) program.env[name] = value;
    // Beside the runs' folders, because those go when the desktop has all records.
    program.env.emplace(kCheckpointsVariable, (std::filesystem::path(runsFolder).parent_path() / "checkpoints").string());
    return program;
  };
  std::size_t longest = 0;
  for (const NodeCommand& node : request.nodes) longest = std::max(longest, node.id.size());
  // Its mark has room for any node's, and is none: an id holds no *.
  for (const ForkServerCommand& server : request.forkServers) startForkServer(server, programOf(server, markOf(std::string(longest, '*'))));
  for (std::size_t i = 0; i < request.nodes.size(); ++i) {
    const NodeCommand& command = request.nodes[i];
    nodes_.push_back(std::make_unique<Node>(command.id, programOf(command, markOf(command.id)), folder_.openSpool(static_cast<int>(i)), request.nodeSilentSeconds));
    Node& node = *nodes_.back();
    node.mayReturn(command.restarts);
    ProgramEnds ends = node.open();
    if (command.forkServer >= 0)
      forkServers_[static_cast<std::size_t>(command.forkServer)]->fork(static_cast<int>(i), node.mark(), std::move(ends));
    else
      node.start(ends, *containment_);
  }
}

void Run::startForkServer(const ForkServerCommand& command, Program program) {
  const auto nodeAt = [this](int index) -> Node& { return *nodes_[static_cast<std::size_t>(index)]; };
  forkServers_.push_back(std::make_unique<ForkServer>(
      program, command.first, *containment_,
      ForkServer::Told{.forked = [=](int node, pid_t pid) { nodeAt(node).forked(pid); },
                       .ended = [=, this](int node, int waitStatus) { nodeEnded(nodeAt(node), waitStatus); },
                       .refused = [=, this](int node, const ProgramEnds& ends) { startAlone(nodeAt(node), ends); },
                       .said = [this](const std::string& text) { hostSpool_->append(spool::noticeOf("log", strCat("fork server: ", printable(text, 500)), "warn")); }}));
}

// A node that was to be forked. What kept its fork server from it, the program itself meets and tells.
void Run::startAlone(Node& node, const ProgramEnds& ends) {
  if (stage_ == Stage::kTerminated || stage_ == Stage::kKilled) return nodeEnded(node, SIGTERM);
  try {
    node.start(ends, *containment_);
  } catch (const Error& error) {
    node.cannotStart(error.what());
    nodeEnded(node, W_EXITCODE(127, 0));
  }
}

Run::Run(const spool::RunFolder& folder) : folder_(folder), title_(folder.run), hostSpool_(folder.openSpool(-1)) {
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
  nodes_.push_back(std::make_unique<Node>(folder_.nodes[static_cast<std::size_t>(index)], Program{}, spool));
  if (spool->cutBytes() == 0 && endedBefore()) return;
  spool->skipNumbers();
  if (spool->cutBytes() > 0) {
    const std::string text = strCat("the spool was damaged behind byte ", spool->endOffset(), ": ", spool->cutBytes(), " bytes were cut off");
    spool->append(spool::noticeOf("log", text, "warn", "spool_cut"), spool::SpoolWeight::kVital);
  }
  spool->append(spool::noticeOf("exit", "died with the supervisor that had started it", "error", "supervisor_died"), spool::SpoolWeight::kVital);
  spool->closeWriter();
}

void Run::watch(Watches& watches) {
  for (const auto& node : nodes_) node->watch(watches);
  for (const auto& server : forkServers_) server->watch(watches);
}

Node* Run::node(const std::string& id) {
  const auto found = std::ranges::find_if(nodes_, [&](const auto& node) { return node->id() == id; });
  return found == nodes_.end() ? nullptr : found->get();
}

Node* Run::nodeOf(pid_t pid) {
  const auto found = std::ranges::find_if(nodes_, [&](const auto& node) { return node->alive() && node->pid() == pid; });
  return found == nodes_.end() ? nullptr : found->get();
}

bool Run::any(bool (Node::*is)() const) const {
  return std::ranges::any_of(nodes_, [is](const auto& node) { return (*node.*is)(); });
}

bool Run::forkServersGone() const { return std::ranges::all_of(forkServers_, &ForkServer::gone); }
bool Run::active() const { return containment_ != nullptr || !unswept_.empty() || any(&Node::running); }
bool Run::alive() const { return any(&Node::alive); }
bool Run::unwritten() const { return hostSpool_->pending() || any(&Node::unwritten); }

bool Run::reaped(pid_t pid, int waitStatus) {
  if (containment_ && containment_->reaped(pid)) return true;
  if (std::ranges::any_of(forkServers_, [pid](const auto& server) { return server->reaped(pid); })) return true;
  Node* node = nodeOf(pid);
  if (node != nullptr) nodeEnded(*node, waitStatus);
  return node != nullptr;
}

void Run::nodeEnded(Node& node, int waitStatus) {
  if (!node.alive()) return;
  if (containment_ && !ending() && node.returns(waitStatus, *containment_)) return;
  node.ended(waitStatus);
  unswept_.insert(node.mark());
  sweepUntil_ = steadySeconds() + kSweepSeconds;
}

void Run::sweep(double now) {
  if (alive()) {
    if (contain::killDescendants(kNodeVariable, unswept_) == 0 || now >= sweepUntil_) unswept_.clear();
    return;
  }
  for (const auto& server : forkServers_) server->kill(SIGKILL);
  if (containment_) containment_->killAll();
  if (contain::killDescendants(kNodeVariable, unswept_) == 0) unswept_.clear();
  if (containment_ && containment_->empty() && unswept_.empty() && forkServersGone()) containment_.reset();
  if (!active() || now < sweepUntil_) return;
  const char* text = "some processes of this run did not end within 10 s of SIGKILL: the kernel waits for a disk or a device";
  hostSpool_->append(spool::noticeOf("log", text, "warn", "leftovers"), spool::SpoolWeight::kVital);
  containment_.reset();
  unswept_.clear();
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
  hostSpool_->append(spool::noticeOf("note", endText(why), "info", why), spool::SpoolWeight::kVital);
  for (const auto& node : nodes_) {
    node->send(toLine(Control(Stop{})));
    node->closeInput();
  }
}

void Run::shares(const std::string& title) { hostSpool_->append(spool::noticeOf("note", title, "info", "shared"), spool::SpoolWeight::kVital); }

void Run::tellClock(double offsetSeconds, double errorSeconds) {
  if (active()) hostSpool_->append(ClockRecord{.unixTime = recordDates().now(), .offset = offsetSeconds, .error = errorSeconds});
}

// Of a host that a scheduler gives for a time ($PACELINE_HOST_ENDS): once, before it is over.
void Run::tellHostEnds() {
  static const double ends = std::atof(environment("PACELINE_HOST_ENDS").c_str());  // Unix s; 0: nobody takes it back
  const double left = ends - recordDates().now();
  if (ends <= 0 || toldEnds_ || left > kTellEndSeconds) return;
  toldEnds_ = true;
  hostSpool_->append(spool::noticeOf("log", strCat("the scheduler takes this host back in ", std::max(0L, std::lround(left / 60)), " min: what runs on it then is lost"), "warn", "host_ends"), spool::SpoolWeight::kVital);
}

void Run::advanceEnd(double now) {
  if (stage_ == Stage::kNone || stage_ == Stage::kKilled || now < stageUntil_) return;
  const bool first = stage_ == Stage::kAsked;
  stage_ = first ? Stage::kTerminated : Stage::kKilled;
  stageUntil_ = now + grace_;
  for (const auto& node : nodes_) node->kill(first ? SIGTERM : SIGKILL);
  for (const auto& server : forkServers_)
    if (!first || server->waiting()) server->kill(SIGKILL);
  if (!first && containment_) containment_->killAll();
}

void Run::applyPolicy(double now, bool followed) {
  if (followed || lonelySince_ == 0) lonelySince_ = now;
  // Every worker of a run that goes on without lost ones ends by itself when it has no future.
  const bool failed = !any(&Node::toleratesLoss) && any(&Node::failed);
  if (failed && failedSince_ == 0) failedSince_ = now;
  if (followed || ending()) return;
  const double lonely = now - lonelySince_;
  if (policy_.endAfterSeconds && lonely >= *policy_.endAfterSeconds) return end(policy_.graceSeconds, "desktop_lost");
  if (failed && lonely >= policy_.graceSeconds && now - failedSince_ >= policy_.graceSeconds) return end(policy_.graceSeconds, "failure");
  if (!any(&Node::started) && lonely >= policy_.startSeconds) end(policy_.graceSeconds, "desktop_lost");
}

void Run::recordLoad(double now) {
  if (now < nextLoad_) return;
  nextLoad_ = std::max(nextLoad_ + 1, now);
  hostSpool_->append(load_.measure(), spool::SpoolWeight::kLoad);
  for (const auto& node : nodes_) {
    node->countMemoryKills();
    node->spool()->sync(now);
  }
  hostSpool_->sync(now);
}

void Run::finish() {
  hostSpool_->tellDropped();
  hostSpool_->closeWriter();
  for (const auto& node : nodes_) node->spool()->closeWriter();
}

void Run::tick(bool followed) {
  const double now = steadySeconds();
  if (!active()) {
    if (now < nextLoad_ || !unwritten()) return;
    nextLoad_ = now + 1;
    return finish();
  }
  recordLoad(now);
  tellHostEnds();
  advanceEnd(now);
  applyPolicy(now, followed);
  for (const auto& node : nodes_) {
    if (!ending()) node->watchLife(now);
    node->settle(now);
  }
  for (const auto& server : forkServers_) server->tick(now);
  sweep(now);
  if (!active()) finish();
}

double Run::nextWake() const {
  double wake = nextLoad_;
  if (!unswept_.empty() || (containment_ && !alive())) wake = std::min(wake, steadySeconds() + kSweepAgainSeconds);
  if (stage_ == Stage::kAsked || stage_ == Stage::kTerminated) wake = std::min(wake, stageUntil_);
  for (const auto& node : nodes_)
    if (node->readAgainAt() > 0) wake = std::min(wake, node->readAgainAt());
  for (const auto& server : forkServers_) wake = std::min(wake, server->nextWake());
  return any(&Node::draining) ? std::min(wake, steadySeconds() + 0.1) : wake;
}

std::vector<std::pair<std::string, std::shared_ptr<const spool::Spool>>> Run::spools() const {
  std::vector<std::pair<std::string, std::shared_ptr<const spool::Spool>>> all{{folder_.host, hostSpool_}};
  for (const auto& node : nodes_) all.emplace_back(node->id(), node->spool());
  return all;
}

}  // namespace paceline::supervise

// One run on this host: its nodes while they live, its spools until the desktop has forgotten it. Used by the supervisor's only thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agent/supervisor/contain/containment.h"
#include "agent/supervisor/probe/probe.h"
#include "agent/supervisor/spool/spool.h"
#include "agent/supervisor/supervise/fork_server.h"
#include "agent/supervisor/supervise/read_pace.h"
#include "agent/supervisor/supervise/silence.h"
#include "engine/core/base/clock.h"
#include "engine/core/base/line_splitter.h"
#include "engine/core/record/event.h"

namespace paceline::supervise {

constexpr std::size_t kMaxEventLine = 1 << 20;
constexpr std::size_t kMaxErrorLine = 8 << 10;
constexpr std::size_t kMaxQueuedInput = 64 << 20;

struct NodeCommand {
  std::string id;
  std::vector<std::string> command;
  std::map<std::string, std::string> env;  // added to the supervisor's
  int restarts = 0;     // so often it is started again when it is killed: it takes a journal (engine/runtime/journal)
  int forkServer = -1;  // index of the one that it is forked from where that is possible; -1: always a program of its own
};

struct ForkServerCommand {
  std::vector<std::string> command;
  std::map<std::string, std::string> env;
  std::string first;  // what it is to load, at most kMaxPacket bytes
};

// One node process of a run: its pipes, its process group, its spool. Owned by its Run; used by the supervisor's only thread.
// start() throws Error{kHost} naming the program. Afterwards nothing throws: what goes wrong becomes an event in the spool.
class Node {
 public:
  Node(std::string id, Program program, std::shared_ptr<spool::Spool> spool, double silentSeconds = 0);  // LaunchRequest::nodeSilentSeconds
  ~Node();  // kills its group

  ProgramEnds open();  // what its process gets; from now on it counts as alive
  void start(const ProgramEnds& ends, contain::Containment& containment);
  void forked(pid_t pid);
  void cannotStart(const std::string& why);  // it was to be forked; ended() follows
  void watch(Watches& watches);
  bool send(const std::string& line);     // false: it does not read, too much is waiting
  void closeInput();                      // after what is queued
  void kill(int signal);                  // the whole group; remembers that it was asked for
  void ended(int waitStatus);             // the supervisor reaped it
  void mayReturn(int times);              // before start(). Throws Error{kHost}
  // It was killed by nobody here and may be started again, which this does. False: it has ended.
  bool returns(int waitStatus, contain::Containment& containment);
  void watchLife(double now);             // often: tells when it is silent and when it is heard again, ends it when it was silent for too long
  void countMemoryKills();                // now and then: which of the kernel's kills were before its death
  double readAgainAt() const { return readAgainAt_; }  // 0: its output is waited for
  bool settle(double now);                // true once: all output is in, the exit event is written

  const std::string& id() const { return id_; }
  pid_t pid() const { return pid_; }  // 0: not yet forked
  bool running() const { return begun_ && !settled_; }
  bool alive() const { return begun_ && !waitStatus_; }
  bool draining() const { return running() && !alive(); }
  bool unwritten() const { return spool_->pending(); }
  bool failed() const { return failed_; }
  bool started() const { return started_; }
  bool toleratesLoss() const { return toleratesLoss_; }  // its run goes on when another worker is lost
  const std::string& mark() const { return program_.mark; }
  const std::shared_ptr<spool::Spool>& spool() const { return spool_; }

 private:
  void read(Fd& from, LineSplitter& lines, void (Node::*take)(const LineSplitter::Line&));
  void readEvents();
  void takeEvent(const LineSplitter::Line& line);
  void takeError(const LineSplitter::Line& line);
  void flushInput();
  NoticeRecord exitNotice(int status) const;

  std::string id_;
  Program program_;
  std::shared_ptr<spool::Spool> spool_;
  pid_t pid_ = 0;
  Fd in_, out_, err_;
  LineSplitter outLines_{kMaxEventLine}, errLines_{kMaxErrorLine};
  std::string input_;  // not yet taken by the node
  Silence silence_;
  ReadPace pace_;
  std::size_t said_ = 0;    // bytes on stdout, in the read under way
  double readAgainAt_ = 0;
  bool endedSilent_ = false;  // killed because of it
  bool begun_ = false, closeInputWhenFlushed_ = false, asked_ = false, failed_ = false, started_ = false, settled_ = false, toleratesLoss_ = false;
  std::optional<int> waitStatus_;
  double drainUntil_ = 0;
  Fd journal_;        // of a program that may be started again, from one process to the next
  int restarts_ = 0;  // left
  std::int64_t memoryKills_[2] = {-1, -1};  // the two latest counts, older first
};

struct LostDesktopPolicy {
  std::optional<double> endAfterSeconds;  // nullopt: keep running
  double graceSeconds = 10;   // with a failed node and nobody attached, the rest ends after this
  double startSeconds = 60;   // nobody attached and no node was told to start: end after this
};

struct LaunchRequest {
  std::string run;
  std::string host = "local";
  std::string folder;  // working folder of the nodes; "": the supervisor's
  std::vector<NodeCommand> nodes;
  std::vector<ForkServerCommand> forkServers{};
  LostDesktopPolicy policy;
  std::string title{};  // for who has to wait for it; "": its id
  bool beside = true;   // other runs may be active here
  double nodeSilentSeconds = 0;  // a node without a sign of life for this long is killed; 0: never
};

class Run {
 public:
  Run(const LaunchRequest& request, const std::string& runsFolder, contain::ContainmentKind kind);  // starts every node or, throwing Error, none
  explicit Run(const spool::RunFolder& folder);  // left by a dead supervisor: nodes without an exit event get one

  void watch(Watches& watches);
  void end(double graceSeconds, const std::string& why);  // stop line and EOF; SIGTERM after the grace, SIGKILL after another
  void tick(bool followed);       // time passes: host load, grace times, policies, exits that can be told now, what waits for the disk
  bool reaped(pid_t pid, int waitStatus);  // false: not one of ours
  Node* node(const std::string& id);
  Node* nodeOf(pid_t pid);
  void forget() { folder_.remove(); }

  void shares(const std::string& title);  // this host with another run: it is recorded
  void tellClock(double offsetSeconds, double errorSeconds);  // of this host to a desktop's: recorded while it is active

  const std::string& name() const { return folder_.run; }
  const std::string& title() const { return title_; }
  const std::string& host() const { return folder_.host; }
  bool active() const;   // a node runs, its exit is not yet told, or something that it started is not yet gone
  bool alive() const;    // a node's process is there
  bool unwritten() const;  // it has ended, but some of its records wait for the disk in memory
  bool ending() const { return stage_ != Stage::kNone; }
  double nextWake() const;  // steady seconds
  const std::vector<std::unique_ptr<Node>>& nodes() const { return nodes_; }
  std::vector<std::pair<std::string, std::shared_ptr<const spool::Spool>>> spools() const;  // of nodes by id and the host by name

 private:
  enum class Stage { kNone, kAsked, kTerminated, kKilled };
  bool any(bool (Node::*is)() const) const;
  void sweep(double now);  // ends what dead nodes have left; and the containment when all are dead
  void startNodes(const LaunchRequest& request, const std::string& runsFolder);
  void startForkServer(const ForkServerCommand& command, Program program);
  void startAlone(Node& node, const ProgramEnds& ends);
  void nodeEnded(Node& node, int waitStatus);
  bool forkServersGone() const;
  void finish();
  void advanceEnd(double now);
  void applyPolicy(double now, bool followed);
  void recordLoad(double now);
  void tellHostEnds();
  void recoverNode(int index);

  spool::RunFolder folder_;
  std::string title_;
  LostDesktopPolicy policy_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::shared_ptr<spool::Spool> hostSpool_;
  std::unique_ptr<contain::Containment> containment_;  // until it is empty
  std::vector<std::unique_ptr<ForkServer>> forkServers_;
  std::set<std::string> unswept_;             // marks of nodes that have ended but may have left something
  double sweepUntil_ = 0;
  probe::HostLoadMeter load_;
  double nextLoad_ = 0, lonelySince_ = 0, failedSince_ = 0, stageUntil_ = 0, grace_ = 0;
  Stage stage_ = Stage::kNone;
  bool toldEnds_ = false;  // that its host is taken back soon
};

}  // namespace paceline::supervise

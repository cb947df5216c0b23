// A program of a run that has loaded what several of its nodes need; they are forked from it (agent/README.md, "Forked nodes"). Ends when this object
// goes, and its nodes with it. Used by the supervisor's only thread.
#pragma once

#include <deque>
#include <functional>
#include <map>

#include "agent/supervisor/supervise/program.h"
#include "agent/supervisor/supervise/watch.h"
#include "engine/core/record/forks.h"

namespace paceline::supervise {

class ForkServer {
 public:
  struct Told {  // from its watches
    std::function<void(int node, pid_t pid)> forked;
    std::function<void(int node, int waitStatus)> ended;
    std::function<void(int node, const ProgramEnds& ends)> refused;  // it will not be forked: it can still be started as a program
    std::function<void(const std::string& text)> said;               // on stdout or stderr, one line
  };

  // Starts it; `first` says what it is to load. Throws Error{kHost}.
  ForkServer(const Program& program, const std::string& first, contain::Containment& containment, Told told);
  ~ForkServer();

  void fork(int node, const std::string& mark, ProgramEnds ends);  // as soon as it has loaded
  void watch(Watches& watches);
  void tick(double now);     // often, in steady seconds: tells the ends that the server itself does not tell
  double nextWake() const;   // steady seconds; infinity: nothing is due
  void kill(int signal);
  bool reaped(pid_t pid);  // true: it was this one
  bool waiting() const { return !orders_.empty(); }  // for nodes to be forked
  bool gone() const { return pid_ == 0; }

 private:
  struct Order {
    ForkOrder order;
    ProgramEnds ends;
  };
  struct Forked {
    pid_t pid = 0;
    Fd process{};        // its pidfd; none before Linux 5.3
    double endedAt = 0;  // seen there; 0: it lives
    bool told = false;   // its end
  };
  void sendNext();
  void hear();
  void take(const ForkReport& report, pid_t from);
  void tellEnd(int node, int waitStatus);
  void reap(int node);
  void lose();  // nothing more can be asked of it

  Told told_;
  pid_t pid_ = 0;
  Fd socket_, said_;
  LineSplitter lines_;
  std::deque<Order> orders_;
  std::size_t sent_ = 0;  // of them, from the front
  std::map<int, Forked> forked_;  // nodes that may still be reaped
};

}  // namespace paceline::supervise

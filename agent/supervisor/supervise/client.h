// One connection to the supervisor: requests in, replies and followed events out. Memory is bounded: events are taken from the spools
// only as fast as the client reads, and no request is read while too many replies wait. Used by the supervisor's only thread.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agent/supervisor/fd.h"
#include "agent/supervisor/supervise/run.h"
#include "engine/core/base/line_splitter.h"
#include "engine/core/base/clock.h"

namespace paceline::supervise {

constexpr std::size_t kMaxRequestLine = 16 << 20;

class Client {
 public:
  using Answer = std::function<std::string(Client&, const LineSplitter::Line&)>;  // one request -> one reply line
  Client(Fd connection, Answer answer);

  void watch(Watches& watches);
  void say(const std::string& line);
  void follow(const Run& run, const std::map<std::string, std::int64_t>& from);  // again: from there
  bool follows(const std::string& run) const { return follows_.contains(run); }
  void pump(const std::function<bool(const std::string&)>& active);  // events into the output, "ended" behind the last of a run
  void flush();
  void lease(double seconds);  // from now on: beats for it, and silent for so long means gone
  void keepLease();            // what is due of both
  std::optional<double> nextWake() const;  // steady seconds at which something will be due
  bool gone() const { return !connection_; }

 private:
  struct Source {
    std::string node;
    spool::SpoolCursor cursor;
  };
  void readRequests(short ready);
  void answerWaiting();
  bool pumpRun(const std::string& run, std::vector<Source>& sources, bool over);  // true: all of it is out
  bool pumpOnce(const std::string& run, std::vector<Source>& sources);

  Fd connection_;
  Answer answer_;
  LineSplitter requests_{kMaxRequestLine};
  std::string output_;
  std::size_t sent_ = 0;  // of output_
  double leaseSeconds_ = 0, heard_ = 0, nextBeat_ = 0;  // leaseSeconds_ 0: none
  std::int64_t beats_ = 0;
  bool ended_ = false;         // it has closed its side
  bool moreInSpools_ = false;  // the output was full before the spools were empty
  std::map<std::string, std::vector<Source>> follows_;
};

}  // namespace paceline::supervise

// One connection to the supervisor: requests in, replies and followed events out. Memory is bounded: events are taken from the spools
// only as fast as the client reads, and no request is read while too many replies wait. Used by the supervisor's only thread.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agent/supervisor/fd.h"
#include "agent/supervisor/line_splitter.h"
#include "agent/supervisor/run.h"
#include "agent/supervisor/watch.h"

namespace paceline {

constexpr std::size_t kMaxRequestLine = 16 << 20;

class Client {
 public:
  using Answer = std::function<std::string(Client&, const LineSplitter::Line&)>;  // one request -> one reply line
  Client(Fd connection, Answer answer);

  void watch(Watches& watches);
  void say(const std::string& line);
  void follow(const Run& run, const std::map<std::string, std::int64_t>& from);  // again: from there
  void unfollow(const std::string& run) { follows_.erase(run); }
  bool follows(const std::string& run) const { return follows_.contains(run); }
  void pump(const std::function<bool(const std::string&)>& active);  // events into the output, "ended" behind the last of a run
  void flush();
  bool gone() const { return !connection_; }

 private:
  struct Source {
    std::string node;
    SpoolCursor cursor;
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
  bool ended_ = false;         // it has closed its side
  bool moreInSpools_ = false;  // the output was full before the spools were empty
  std::map<std::string, std::vector<Source>> follows_;
};

}  // namespace paceline

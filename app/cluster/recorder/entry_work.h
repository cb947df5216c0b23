// Entries of the queue: which may begin; how far one is; and one done from its beginning, or from where a dead recorder left it, to the end of its run.
#pragma once

#include <set>

#include "app/cluster/recorder/protocol.h"
#include "app/cluster/recorder/search_watch.h"
#include "app/cluster/run/run_session.h"
#include "storage/store/records.h"

namespace paceline::recorder {

// Which entries may begin, and whom the others wait for: pure. A host trains one run at a time, in the queue's order; an entry that waits keeps
// its hosts from those behind it, so that a run on many hosts gets its turn.
struct Waiter {
  std::int64_t id = 0;
  std::string label;               // of its run, for others who wait
  std::vector<std::string> hosts;  // of a simulation none
  bool simulation = false, now = false, held = false, begun = false;
  bool restarted = false;  // held: since this computer was started again, not by a person
};

struct Turn {
  std::int64_t id = 0;
  std::string waits;  // "waits for esync on gpu1"; "": may begin
  int threads = 1;    // of a simulation that may begin
};

// Of those that have not begun. Simulations share this computer's cores: as many run at once as there are, and two at least; each gets its part of them for as
// long as it runs.
std::vector<Turn> turns(const std::vector<Waiter>& queue, int cores);

// How far a run is and how long it will still take, from its events. The only place where that is computed. While a node is silent nobody
// knows how long it takes. One thread.
class ProgressFold {
 public:
  // Simulated: the time left is that of this computer, not the simulated one. `clock`: seconds of this computer.
  explicit ProgressFold(const RunSpec& spec, bool simulated = false, double (*clock)() = nullptr);

  void take(const std::string& node, const Event& event);
  const Progress& progress() const { return progress_; }

 private:
  struct Rule {  // one way in which the run may end
    double limit = 0, done = 0;
    std::deque<std::pair<double, double>> recent{};  // time, done
  };
  void takeRound(const std::string& node, const RoundRecord& round);
  void takeNotice(const std::string& node, const NoticeRecord& notice);
  void advance(std::optional<Rule>& rule, double time, double done);
  void estimate();

  std::optional<Rule> rounds_, seconds_, samples_;
  OwnCurve own_;
  std::set<std::string> silent_;              // nodes of which their supervisor says that they show no sign of life
  bool simulated_;
  double (*clock_)();
  double began_ = 0;          // by clock_
  std::int64_t trained_ = 0;  // samples of all workers
  Progress progress_;
};

using EntryChange = std::function<void(const std::function<void(Entry&)>& change)>;  // called on the thread that works

// Blocks; never throws. `watch`: also sees what the run records; may be null. `meansFor` whoever submitted it: records, opener, times and leave; the rest is of `row` and that context.
run::RunOutcome work(const store::QueueRow& row, const std::function<run::RunMeans(const Context&)>& meansFor, const EntryChange& change, std::stop_token stop, SearchWatch* watch = nullptr);

}  // namespace paceline::recorder

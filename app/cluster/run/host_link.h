// One host of one run, on a thread of its own: opens the host, keeps the connection to its supervisor, makes it again when it breaks and goes on
// behind the last number it has seen, so that every event comes once. All that happens comes out of one queue, which the links of a run share.
// Owned and used by one thread; what is asked of it is done later. Destroying it ends its thread, not the run. Never throws: what goes wrong
// is a message.
#pragma once

#include <set>
#include <thread>

#include "app/cluster/run/host_queue.h"

namespace paceline::run {

// How long a run waits for a host that it has lost.
struct LinkTimes {
  double firstRetrySeconds = 1, longestRetrySeconds = 15;  // between two attempts to reach it; doubled each time
  double giveUpSeconds = 600;   // then the run is left stale, for `paceline attach`
  double leaseSeconds = 15;     // a connection over which nothing came for this long counts as lost
  double endGraceSeconds = 30;  // when the run is to end and all other hosts are done
  double comesBackSeconds = 3600;  // before a run that waits for its hosts begins (RunMeans::goesOn)
};

class HostLink {
 public:
  enum class Stage { kOpening, kReady, kAsked, kLaunched, kStarted, kOver, kForgetting, kForgotten };
  struct State {  // as the messages say that its owner took
    Stage stage = Stage::kOpening;
    bool launched = false;  // something of the run may be there
    std::string busy;       // the run that is active there while ours waits
    std::string lost;       // why it cannot be reached now; "": it can
    std::string version;    // of its supervisor
    bool givenUp = false;   // while it was lost: what it says from then on comes too late
    HostSite site;
    AgentRun there;
  };

  // Begins to open it, again and again for patienceSeconds while it is not reached. `nodes`: of the run, on this host; what it tells of others is not believed.
  HostLink(std::string host, std::string run, std::set<std::string> nodes, hosts::HostOpener opener, hosts::HostNeeds needs, LinkTimes times, HostQueue& out, double patienceSeconds = 0);
  ~HostLink() { stop_.request_stop(); }

  void launch(HostLaunch launch);
  void follow(std::map<std::string, std::int64_t> from);  // node -> last number that is known
  void start(std::vector<std::string> nodes, std::string order);
  void end(double graceSeconds, std::string why);
  // What its nodes recorded behind these numbers comes again, behind a kAgain with this mark. False: nothing of the run was ever there, or it is given up.
  bool readAgain(std::map<std::string, std::int64_t> from, std::string mark);
  void forget();  // of a run that is over there
  void leave() { state_.stage = Stage::kOver; }  // nothing more is waited for
  void giveUp() { leave(), state_.givenUp = true; }  // who still gets through to it brings it what it was asked

  void take(const HostMessage& message);  // of this host, from the queue
  const State& state() const { return state_; }
  bool isLost() const { return !state_.lost.empty() && state_.stage < Stage::kOver; }

 private:
  void post(std::function<void()> work);
  bool attempt(const std::function<void()>& beginning);
  std::optional<std::function<void()>> takeWork();
  void loop();
  void open();
  bool sleep(double seconds);  // false: it was told to stop
  void perform(const std::function<void()>& work);
  void read();
  void recover(std::string why);
  void connect(AgentClient::Other other);
  void reopen();  // the host, and connects to its supervisor
  void launchNow(const std::shared_ptr<HostLaunch>& launch);
  AgentRun followLaunched();
  void takeBack();
  void launchLater(const std::shared_ptr<HostLaunch>& launch, const std::string& busy);
  void followNow();
  void forgetNow();
  void clearAway(const AgentRun& left);
  void endThere(const std::string& run, const std::string& why);
  void refuseSecondName(const AgentRun& there) const;
  void say(HostMessage message);

  State state_;
  const std::string host_, run_;
  const std::set<std::string> nodes_;
  const hosts::HostOpener opener_;
  hosts::HostNeeds needs_;
  const LinkTimes times_;
  const double patienceSeconds_;
  HostQueue& out_;
  hosts::ReadyHost ready_;              // this and the next eight: the thread's own
  std::unique_ptr<AgentClient> agent_;  // uses ready_
  std::map<std::string, std::int64_t> known_;
  bool following_ = false;
  bool unstarted_ = false;  // launched from here, and the start order is still to come
  bool waiting_ = false, given_ = false;  // waiting_: for its turn there; given_: up
  double pauseSeconds_;  // before the next attempt to reach it; back to the first when something new was heard
  double newsAt_;        // steady seconds at which something new was heard
  std::mutex mutex_;     // guards work_
  std::condition_variable_any changed_;
  std::deque<std::function<void()>> work_;
  std::stop_source stop_;
  std::jthread thread_;
};

}  // namespace paceline::run

// One run on its way through the states: what RunController does, on its thread. Talks to the hosts' supervisors (run_hosts) and to the
// recorder; which state follows is run_table's business, what an end means is run_ending's.
#pragma once

#include <map>
#include <memory>
#include <random>
#include <set>
#include <stop_token>
#include <string>

#include "app/cluster/run/run_controller.h"
#include "app/cluster/run/run_ending.h"
#include "app/cluster/run/run_hosts.h"
#include "app/cluster/run/run_table.h"

namespace paceline::run {

class RunSession {
 public:
  struct Means {
    Recorder& recorder;
    const RunCallbacks& callbacks;
    const hosts::HostOpener& opener;
    const LinkTimes& times;
    const RunTask& task;
  };
  RunSession(const Means& means, std::string run, const RunSpec& spec, store::RunState state, std::stop_token stop);

  // Neither throws: what goes wrong is the outcome.
  // A run that was just created (checking). `resumed`: the ended run that it goes on from; what that one recorded up to the checkpoint is
  // recorded for this one too, so that it is whole by itself.
  RunOutcome start(const std::string& resumed = "");
  // A run whose recorder went away (stale). `ran`: it was seen running. One whose nodes were not all told to start is told again, or begun again.
  RunOutcome pickUp(bool ran, const std::string& resumed);

 private:
  RunOutcome guarded(const std::function<void()>& work);
  void go(RunEvent event, const std::string& error = "", const std::string& reason = "");
  void fail(const std::string& error);
  void tell(const std::string& text) const;  // more about the state it is in

  void go();  // from checking to its end
  void again();
  void open();
  bool launch();
  void giveBack();
  void changeVersions(const std::function<std::string(const std::string&)>& change);
  void begin();   // all listening -> running
  void follow();  // until every node has ended and all is read
  void step();    // at most a fraction of a second
  void take(const LinkMessage& message);
  void takeEvent(const StampedEvent& event);
  void copyRecords(const std::string& node, std::int64_t rounds);
  void takeLoss();
  void takeStop();
  void takeFailure();
  void leave(const std::string& why);
  void checkStore();
  void conclude();
  bool stopWanted() const;
  bool mayGoOn();                     // false: this process leaves the run to its hosts
  std::string whatWentWrong() const;  // "": nothing
  void forgetSpools();
  void loadKnown();  // pickUp: what the store already has
  bool caughtUp() const;
  void endNodes(double graceSeconds, const std::string& why);

  Recorder& recorder_;
  const RunCallbacks& callbacks_;
  const hosts::HostOpener& opener_;
  const LinkTimes& times_;
  const RunTask& task_;
  std::string run_, resumed_;
  const RunSpec& spec_;
  std::stop_token stop_;
  std::unique_ptr<RunHosts> hosts_;
  RunEnding ending_;
  RunOutcome outcome_;
  std::map<std::string, std::string> endpoints_;
  std::map<std::string, std::int64_t> lastSeq_;
  std::map<std::string, std::set<std::string>> shared_;  // host -> other runs that were active there
  std::mt19937 chance_{std::random_device{}()};
  std::string storeError_, unknown_;  // unknown_: a supervisor that does not know the run, in its words
  double nextStoreCheck_ = 0, workersGoneSince_ = 0, onlyLostSince_ = 0;
  bool endAsked_ = false, stopAsked_ = false, failed_ = false;
  bool left_ = false;  // a host was not reached any more: the run is for `paceline attach`
};

}  // namespace paceline::run

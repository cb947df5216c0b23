// One run on its way through the states: what RunController does, on its thread. Talks to the supervisor and to the recorder;
// which state follows is run_table's business, what an end means is run_ending's.
#pragma once

#include <map>
#include <memory>
#include <stop_token>
#include <string>

#include "app/cluster/agent_client.h"
#include "app/cluster/run_controller.h"
#include "app/cluster/run_ending.h"
#include "app/cluster/run_table.h"

namespace paceline {

class RunSession {
 public:
  RunSession(Recorder& recorder, const RunCallbacks& callbacks, const HostOpener& opener, std::string run, const RunSpec& spec, RunState state, std::stop_token stop);

  // Neither throws: what goes wrong is the outcome.
  RunOutcome start();   // a run that was just created (checking)
  RunOutcome pickUp();  // a run whose desktop went away (stale)

 private:
  RunOutcome guarded(const std::function<void()>& work);
  void go(RunEvent event, const std::string& error = "", const std::string& reason = "");
  void fail(const std::string& error);

  void open();
  void launch();
  void begin();               // all listening -> running
  void follow();              // until every node has ended and all is read
  void step();                // at most a fraction of a second
  void take(const StampedEvent& event);
  void takeStop();
  void takeFailure();
  void checkStore();
  void reconnect(const std::string& why);
  void conclude();
  bool stopWanted() const;
  std::string whatWentWrong() const;  // "": nothing
  void forgetSpool();
  void forgetOldSpools();
  void loadKnown();           // pickUp: what the store already has
  bool caughtUp(const AgentRun& there) const;
  void endNodes(double graceSeconds, const std::string& why);

  Recorder& recorder_;
  const RunCallbacks& callbacks_;
  const HostOpener& opener_;
  std::string run_;
  const RunSpec& spec_;
  std::stop_token stop_;
  std::unique_ptr<Host> host_;
  Installation installation_;
  std::unique_ptr<AgentClient> agent_;
  RunEnding ending_;
  RunOutcome outcome_;
  std::map<std::string, std::string> endpoints_;
  std::map<std::string, std::int64_t> lastSeq_;
  std::string storeError_;
  double nextStoreCheck_ = 0, workersGoneSince_ = 0;
  int reconnects_ = 0;
  bool launched_ = false, over_ = false, endAsked_ = false, stopAsked_ = false, failed_ = false;
};

}  // namespace paceline

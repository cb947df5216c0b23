// Takes one run from a document to an ended state, on the calling thread (CLI main, or a pool task of the workbench).
// All effects go through hosts' supervisors (paceline-agent attach) and the recorder; the state table is pure (run_table.h).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "app/cluster/run/link_times.h"
#include "app/cluster/hosts/access.h"
#include "app/cluster/run/recorder.h"
#include "engine/core/spec/catalog.h"
#include "engine/core/spec/run_spec.h"

namespace paceline::run {

struct RunCallbacks {  // called on the controller's thread; may be empty
  std::function<void(const std::string& run, store::RunState state, const std::string& text)> onState;
  std::function<void(const StampedEvent& event)> onEvent;  // after it was handed to the recorder
  std::function<void(const std::string& host, const std::string& text, double fraction)> onProgress{};  // of opening a host; 0..1
};

struct RunOutcome {
  std::string run, name;
  store::RunState state = store::RunState::kFailed;
  std::string error, reason;
};

// How a run is begun and left.
struct RunTask {
  std::string id{};                               // "": a new one
  std::string folder{};                           // working folder of its nodes on this computer; "": this process's
  std::map<std::string, std::string> variables{};  // of its nodes on this computer; none: inheritedVariables()
  bool beside = false;                            // its hosts may be training another run
  std::stop_token leave{};                        // this process ends: the run goes on at its hosts, and its state stays
};

class RunController {
 public:
  RunController(Recorder& recorder, RunCallbacks callbacks = {}, hosts::HostOpener opener = hosts::localOpener(), LinkTimes times = {}, RunTask task = {});
  // Blocks until ended. `spec` must be validated and completed. Stop request: stopping, then stopped; a second chance to end is the
  // supervisor's kill after a grace time. Never throws for what can happen to a run: the outcome says failed and why.
  RunOutcome run(const RunSpec& spec, std::stop_token stop = {});
  // A new run that goes on from the newest checkpoint that all nodes of an ended one have; `spec` is that one's, with other stop rules perhaps.
  RunOutcome resume(const store::RunRow& ended, const RunSpec& spec, std::stop_token stop = {});
  // Picks up a run whose desktop went away: replays what the store lacks and follows to the end. A host that cannot be reached leaves the run stale.
  RunOutcome attach(const std::string& run, std::stop_token stop = {});

 private:
  RunOutcome begin(const RunSpec& spec, const std::string& resumed, std::stop_token stop);

  Recorder& recorder_;
  RunCallbacks callbacks_;
  hosts::HostOpener opener_;
  LinkTimes times_;
  RunTask task_;
};

// Asks the supervisors of `hosts` (those of the run's nodes) to stop a run without being its recorder; true when it was running on one.
// Throws Error{kHost} when a host cannot be reached; the others have been asked then.
bool stopRun(const std::string& run, const hosts::HostOpener& opener = hosts::localOpener(), const std::vector<std::string>& hosts = {"local"});

// Deletes what the nodes of an ended run saved on these hosts. What could not be deleted, one sentence a host.
std::vector<std::string> dropCheckpoints(const std::string& run, const hosts::HostOpener& opener, const std::vector<std::string>& hosts);

// In virtual time, through `paceline-worker simulate`; recorded like a run with source "simulated".
// What an earlier attempt of task.id recorded is dropped.
RunOutcome simulateRun(Recorder& recorder, const RunSpec& spec, RunCallbacks callbacks = {}, std::stop_token stop = {}, const RunTask& task = {});

}  // namespace paceline::run

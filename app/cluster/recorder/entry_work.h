// One entry of the queue, done from its beginning, or from where a dead recorder left it, to the end of its run. Blocks; never throws.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "app/cluster/recorder/client.h"
#include "app/cluster/run/run_controller.h"
#include "storage/store/queue_rows.h"

namespace paceline::recorder {

struct EntryHooks {  // called on the thread that works
  std::function<void(store::RunState state, const std::string& text)> state;
  std::function<void(const std::string& text)> doing;  // while its hosts are opened; "": nothing to tell
  std::function<void(const Progress& progress)> progress;
};

struct EntryMeans {
  run::Recorder& records;
  hosts::HostOpener opener;
  run::LinkTimes times;
  std::stop_token leave;  // the recorder ends; the run goes on at its hosts
};

run::RunOutcome work(const store::QueueRow& entry, const EntryMeans& means, const EntryHooks& hooks, std::stop_token stop);

}  // namespace paceline::recorder

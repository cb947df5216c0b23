// Runs the points of an experiment one after another and remembers what became of each. Main thread; blocks.
#pragma once

#include <string>
#include <vector>

#include "app/cli/document/experiment_file.h"
#include "app/cli/runs/interrupt.h"
#include "app/cli/runs/progress.h"
#include "app/cluster/run/recorder.h"
#include "app/cluster/run/run_controller.h"

namespace paceline {

struct RunListOptions {
  bool simulated = false;  // in virtual time
  bool resume = false;     // a point whose configuration finished in this store is taken from there
};

class RunList {
 public:
  RunList(Recorder& recorder, RunListOptions options, ProgressLine& line, HostOpener opener)
      : recorder_(recorder), options_(options), line_(line), opener_(std::move(opener)) {}

  // In the order given; a failed point does not keep the others from running, an interrupt does.
  std::vector<RunOutcome> run(const std::vector<ExperimentPoint>& points, const Interrupt& interrupt);

 private:
  RunOutcome runOne(const RunSpec& spec, const Interrupt& interrupt);
  std::optional<RunOutcome> finishedBefore(const RunSpec& spec) const;
  RunCallbacks callbacks();

  Recorder& recorder_;
  RunListOptions options_;
  ProgressLine& line_;
  HostOpener opener_;
};

}  // namespace paceline

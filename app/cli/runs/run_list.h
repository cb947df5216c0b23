// Runs the points of an experiment one after another and remembers what became of each. Main thread; blocks.
#pragma once

#include <string>
#include <vector>

#include "app/cli/document/experiment_file.h"
#include "app/cli/runs/interrupt.h"
#include "app/cli/runs/progress.h"
#include "app/cluster/run/recorder.h"
#include "app/cluster/run/run_controller.h"

namespace paceline::cli {

struct RunListOptions {
  bool simulated = false;  // in virtual time
  bool resume = false;     // a point whose configuration finished in this store is taken from there
};

class RunList {
 public:
  RunList(run::Recorder& recorder, RunListOptions options, ProgressLine& line, hosts::HostOpener opener)
      : recorder_(recorder), options_(options), line_(line), opener_(std::move(opener)) {}

  // In the order given; a failed point does not keep the others from running, an interrupt does.
  std::vector<run::RunOutcome> run(const std::vector<ExperimentPoint>& points, const Interrupt& interrupt);

 private:
  run::RunOutcome runOne(const RunSpec& spec, const Interrupt& interrupt);
  std::optional<run::RunOutcome> finishedBefore(const RunSpec& spec) const;
  run::RunCallbacks callbacks();

  run::Recorder& recorder_;
  RunListOptions options_;
  ProgressLine& line_;
  hosts::HostOpener opener_;
};

}  // namespace paceline::cli

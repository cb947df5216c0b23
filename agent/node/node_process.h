// The common part of every node process, worker or server: orders come as lines on stdin, events leave as lines on stdout.
// The line protocol is in agent/README.md.
#pragma once

#include <functional>
#include <string>

#include "engine/core/record/control.h"
#include "engine/runtime/node_loop.h"

namespace paceline::node {

// What one program does as a node of a run.
struct NodeWork {
  std::string what;                                // "trains m with a", for the notice "started"
  std::function<std::string(const NodeRun&)> run;  // returns the reason it ended
  std::string kernels{};                           // with which it computes (engine/core/record/kernels.h); "": it does not
};

// Runs the node's life and says how it ended: a "finished" notice with the reason and exit code 0, or a "failed" notice with one sentence and
// exit code 1. `prepared` gets the first order, before the node listens; it throws Error when this program cannot do that work.
int runNode(const std::function<NodeWork(const Prepare&)>& prepared);

// A command of `program` that is no node: 0, or 1 with one sentence on stderr where it throws.
int runCommand(const char* program, const std::function<void()>& command);

}  // namespace paceline::node

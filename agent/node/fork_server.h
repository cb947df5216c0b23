// A program that has loaded what several nodes of a run need, once, and is forked into them (agent/README.md, "Forked nodes"): they share that memory and
// start in milliseconds. Torch-free; used by the program's main thread before there is another one.
#pragma once

#include <functional>
#include <string>

namespace paceline::node {

// Serves the supervisor at the other end of stdin until it closes. `load` gets the supervisor's first message and may throw. In every forked node `run` is
// the program, with its own stdin, stdout and stderr, and what it returns the exit code. Returns the exit code of the server.
int serveForks(const std::function<void(const std::string& first)>& load, const std::function<int()>& run);

}  // namespace paceline::node

// `paceline-agent receive`: puts what the desktop sends in its place. Requests and answers are lines of JSON on stdin and stdout (agent/README.md).
#pragma once

#include <iosfwd>

namespace paceline::receive {

// To the end of the input. An error is told to the desktop as a line and ends it with exit code 1. Never throws for bad input.
int receive(int input, std::ostream& answers);

}  // namespace paceline::receive

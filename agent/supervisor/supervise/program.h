// Starting the programs of a run: nodes, and what nodes are forked from. Used by the supervisor's only thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "agent/supervisor/contain/containment.h"
#include "engine/core/base/fd.h"
#include "engine/core/base/line_splitter.h"

namespace paceline::supervise {

struct Program {
  std::vector<std::string> command;
  std::map<std::string, std::string> env;  // added to the supervisor's
  std::string mark;                        // its kNodeVariable
  std::string folder;                      // works there; "": in the supervisor's
  double beatSeconds = 1;                  // its kBeatVariable
  int journal = -1;                        // a descriptor that it gets as kJournalVariable says; -1: none
};

struct ProgramEnds {  // what become its stdin, stdout and stderr
  Fd in, out, err;
  int journal = -1;  // for who is forked: Program::journal
};

// In `containment` and a process group of its own; killed by the kernel when the supervisor dies. Throws Error{kHost} saying why it cannot be started.
pid_t startProgram(const Program& program, const ProgramEnds& ends, contain::Containment& containment);

void setNonBlocking(const Fd& fd);
// Reads what is there, at most 256 KiB so that one loud program does not keep the others waiting. false: the stream has ended.
bool readLines(const Fd& fd, LineSplitter& lines);
std::string printable(std::string text, std::size_t limit);

}  // namespace paceline::supervise

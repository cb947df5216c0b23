// Which process this is, and whether another still lives: process id and start time together, so a reused id is not mistaken.
// Any thread. Linux (/proc). Private to storage.
#pragma once

#include <cstdint>
#include <string>

namespace paceline::store {

struct ProcessIdentity {
  std::int64_t pid = 0, start = 0;  // start: clock ticks since boot
};

ProcessIdentity thisProcess();
bool isAlive(const ProcessIdentity& process);
std::string thisProgram();  // "paceline run": the program's file name and its subcommand

}  // namespace paceline::store

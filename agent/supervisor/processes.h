// What /proc says about processes. Never throws; what cannot be read is as if it were not there.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace paceline {

std::int64_t startTimeOf(pid_t pid);  // clock ticks since boot: with the pid it names a process for ever; 0: no such process
std::vector<pid_t> descendantsOf(pid_t ancestor);  // children, their children ..., without the ancestor
std::vector<pid_t> processesOfUser();              // of the effective user
bool hasInEnvironment(pid_t pid, const std::string& assignment);  // "NAME=value", as it was when the program started
std::int64_t outOfMemoryKills();  // so far, in this process's memory cgroup; -1: not known

}  // namespace paceline

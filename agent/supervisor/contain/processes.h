// Processes as /proc shows them. Never throws; an unreadable one counts as absent.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace paceline::contain {

std::int64_t startTimeOf(pid_t pid);  // clock ticks since boot: with the pid it names a process for ever; 0: no such process
std::vector<pid_t> descendantsOf(pid_t ancestor);  // children, their children ..., without the ancestor
std::vector<pid_t> processesOfUser();              // of the effective user
std::string environmentValue(pid_t pid, const std::string& name);  // as it was when the program started; "": none, or a zombie
// SIGKILL for every descendant of this process in whose environment the variable has one of these values; how many there were.
int killDescendants(const std::string& variable, const std::set<std::string>& values);
// SIGKILL for every process of the effective user that `meant` names, and for those that they start meanwhile.
void killProcessesOfUser(const std::function<bool(pid_t)>& meant);
bool writeTo(const std::string& path, const std::string& text);  // to a file of /proc or /sys: with one write; false: errno says why
std::int64_t outOfMemoryKills();  // so far, in this process's memory cgroup or, where that does not count, on this host; -1: not known

}  // namespace paceline::contain

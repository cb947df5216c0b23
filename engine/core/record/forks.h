// What a supervisor and its fork server (agent/README.md, "Forked nodes") say to each other: one JSON object a packet (base/packets.h). The first packet to a
// server says what it is to load and is the program's own. Members that are not known are passed over.
#pragma once

#include <array>
#include <string>

namespace paceline {

// In the environment of a node and of all that it starts: whose it is, "RUN/NODE@FOLDER". A fork server's is longer than any of its nodes'.
inline constexpr const char* kNodeVariable = "PACELINE_NODE";

enum class ForkAct { kFork, kReap };
constexpr std::array<const char*, 2> wordsOf(ForkAct) { return {"fork", "reap"}; }

struct ForkOrder {
  ForkAct act = ForkAct::kFork;  // kFork: beside it are the node's stdin, stdout and stderr. kReap: its end has been heard
  int node = 0;                  // index in the run
  std::string mark{};            // kFork: its kNodeVariable
};

enum class ForkState { kForked, kRefused, kEnded };
constexpr std::array<const char*, 3> wordsOf(ForkState) { return {"forked", "refused", "ended"}; }

struct ForkReport {
  ForkState state = ForkState::kForked;  // kForked is said by the new process itself: its sender is the node
  int node = 0;
  int status = 0;         // kEnded: as of waitpid(); it is a zombie until it may be reaped
  std::string problem{};  // kRefused
};

std::string toPacket(const ForkOrder& order);
std::string toPacket(const ForkReport& report);
ForkOrder forkOrderFrom(const std::string& packet);  // both throw Error{kFormat}
ForkReport forkReportFrom(const std::string& packet);

}  // namespace paceline

// Faults at the calls of sockets (socket, socketpair, connect, its outcome in SO_ERROR, accept, send, recv and their kin; read and write of sockets), one at a
// time: also those of libssh and libcurl, which no door of ours would reach. A program has them when socket_faults.cpp is one of its sources; not in builds
// with a sanitizer, whose runtime stands in the same place, and not those that the C library makes itself (name service).
//
// What fails is a site: the call and up to four return addresses in the program itself, so a call of a library counts where our code called that library. Each
// site fails once with each errno that the kernel can give it: the network's sockets time out or are unreachable, local ones are not; EINTR comes only to calls
// of sockets that wait, to those of libraries where they have to. As behind a real one, a connection that failed is of no use any more to both its ends, EPIPE raises SIGPIPE where the call does not forbid it,
// and a connect over the network that was interrupted goes on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace paceline::tests {

// In the environment of other programs: the file by which they are told.
inline constexpr const char* kSocketFaultsVariable = "PACELINE_TEST_SOCKET_FAULTS";

struct SocketWalk {
  std::string program{};    // file name of the programs in which calls fail, "paceline"; "": this one
  std::string path{};       // of a file that is made for those programs, which find it in the environment as long as SocketFaults lives
  bool allThreads = false;  // of this program; false: the one that makes SocketFaults, and those that begin later
  int visits = 1;           // of a site in an action that fail: the 1st, 2nd, 4th, 8th ... up to this, at most 64
  int faults = 1;           // in an action
};

struct SocketFaultHit {
  std::string call, where;  // "recv", "ssh_tests+0x1234 +0x2345, visit 2": for addr2line
  int reason = 0;           // errno
  int process = 0;          // its id
};

// One at a time in a program; calls fail between begin() and end() only. Any thread may call; these two are one thread's.
class SocketFaults {
 public:
  explicit SocketFaults(const SocketWalk& walk);  // fails the process when it cannot
  ~SocketFaults();
  SocketFaults(const SocketFaults&) = delete;
  SocketFaults& operator=(const SocketFaults&) = delete;

  static bool possible();  // false: a build with a sanitizer
  void begin();
  std::vector<SocketFaultHit> end();  // what has failed since; a site does not fail so again
};

}  // namespace paceline::tests

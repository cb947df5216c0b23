// A jump host at work: owns its session, a channel through it to the next host, and the thread that carries bytes between that channel and a
// socket. The session above takes the socket's other end. Ends with its destructor, or says why it was lost.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "app/cluster/ssh/connection.h"
#include "engine/core/base/clock.h"

namespace paceline::ssh {

class SshTunnel final : public SshCarrier {
 public:
  // Opens the channel on the calling thread; from then on the session belongs to the tunnel's thread. Throws SshError{kReach}.
  SshTunnel(std::unique_ptr<SshConnection> jump, const ResolvedAlias& to, double seconds);
  ~SshTunnel() override;
  SshTunnel(const SshTunnel&) = delete;
  SshTunnel& operator=(const SshTunnel&) = delete;

  int releaseSocket();
  std::string whyLost() const override;

 private:
  void carry(std::stop_token stop);
  bool fromChannel();  // both: true when bytes moved
  bool fromSocket();
  void waitForBytes();

  std::unique_ptr<SshConnection> jump_;
  ssh_channel channel_ = nullptr;
  int theirs_ = -1, ours_ = -1, wake_ = -1;
  std::string toSocket_, toChannel_;  // read there, not yet written here
  bool socketEnded_ = false;
  mutable std::mutex mutex_;  // guards why_
  std::string why_;
  std::jthread thread_;
};

// TCP connections for SSH sessions: within a time limit, and with the reason when there is none.
// "10.0.0.5:22", "[::1]:22".
std::string endpoint(const std::string& host, int port);

// A connected, non-blocking socket without Nagle's algorithm; the caller closes it. Tries every address of the name. Throws SshError{kReach}:
// `gpu1: "gpu1.lab" is not known to the name service; ...`, `gpu1: 10.0.0.5:22 refuses connections: ...`.
int connectTcp(const std::string& name, const std::string& host, int port, double seconds, double deadLinkSeconds);

// Waits until `fd` can be read (or written, where wanted); false: not within `seconds`.
bool waitReadable(int fd, double seconds, bool orWritable = false);

}  // namespace paceline::ssh

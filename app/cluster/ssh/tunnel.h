// A jump host at work: owns its session, a channel through it to the next host, and the thread that carries bytes between that channel and a
// socket. The session above takes the socket's other end. Ends with its destructor, or says why it was lost.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "app/cluster/ssh/connection.h"

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

}  // namespace paceline::ssh

// One libssh session that never blocks by itself, its keep-alives, and the sentence that says why it was lost. Used by one thread at a time.
#pragma once

#include <libssh/libssh.h>

#include <cstdint>
#include <functional>

#include "app/cluster/ssh/config.h"
#include "app/cluster/ssh/session.h"
#include "engine/core/base/clock.h"
#include "engine/core/base/fd.h"

namespace paceline::ssh {

// What carries a session's bytes when it is not a socket of the network: the channel of a jump host. Ends with the session above it.
class SshCarrier {
 public:
  virtual ~SshCarrier() = default;
  virtual std::string whyLost() const = 0;  // any thread; "": nothing wrong with it
};

class SshConnection {
 public:
  // Owns `socket`. Shakes hands, but does not look at the host's key. Throws SshError{kReach}.
  SshConnection(const ResolvedAlias& target, int socket, std::unique_ptr<SshCarrier> carrier, const SshTimeouts& timeouts,
                const std::vector<std::string>& keyTypes);
  ~SshConnection();
  SshConnection(const SshConnection&) = delete;
  SshConnection& operator=(const SshConnection&) = delete;

  ssh_session session() const { return session_; }
  const ResolvedAlias& target() const { return target_; }
  std::string where() const;  // "10.0.0.5:22"

  // Repeats a call that answers `again` until it has something else to say; nullopt: not within `seconds`, or the connection is closed.
  std::optional<int> until(double seconds, int again, const std::function<int()>& call);
  // Every call into libssh, a write or a keep-alive too, reads the socket and handles what came, for all channels of the session: data and larger
  // windows are then in libssh's buffers and poll(2) sees nothing of them. So whoever waits counts packets() before the first call after which
  // it looks at its channel, and waits only while the count is still the same. wait() does so for its own keep-alive.
  std::uint64_t packets() const { return counted_.in_packets; }  // handled so far
  // Until bytes come, or room for those still to be sent, or a keep-alive took a packet; sends a keep-alive when it is time. False when lost.
  bool wait(double seconds);
  void takePackets();  // handles what has arrived, without waiting
  bool flush(const std::function<void()>& meanwhile);  // sends what libssh still holds; false when lost
  bool closed() const;               // it broke, or either side closed it
  std::string socketProblem() const;  // of a closed one: what broke it, "Connection timed out"; "": the other side closed it
  bool lost() const { return !lost_.empty(); }
  std::string whyLost() const { return lost_; }  // "the connection to 10.0.0.5:22 ..."
  void lose(const std::string& reason);          // the first reason stays
  bool writePending() const;  // libssh holds bytes that the socket did not take yet
  double nextKeepAlive() const;  // seconds until wait() has something to do

 private:
  void shakeHands();
  void keepAlive();

  ResolvedAlias target_;
  SshTimeouts timeouts_;
  std::unique_ptr<SshCarrier> carrier_;  // outlives the session
  ssh_session session_ = nullptr;
  ssh_event event_ = nullptr;
  ssh_counter_struct counted_{};
  std::uint64_t seen_ = 0;      // bytes received when last looked
  double quietSince_ = 0, asked_ = 0;
  int unanswered_ = 0;
  std::string lost_;
};

// Throws SshError{kKey} when the key has changed, is of another type than the known ones, revoked, or not accepted.
void verifyHostKey(SshConnection& connection, hosts::CredentialPrompts& prompts);

// Key files, the agent, keyboard-interactive, password; several one after the other where a host wants that.
// Throws SshError{kAuthenticate} naming what the server offers and what was tried.
void logIn(SshConnection& connection, hosts::CredentialPrompts& prompts, double seconds);

// `line` is what the login shell there gets; `program` is for messages. Throws Error{kHost}.
std::unique_ptr<hosts::Process> startProcess(std::shared_ptr<SshConnection> connection, const std::string& program, const std::string& line, double seconds);

// A channel through a jump host, and the socket that leads into it: the caller closes it. Throws SshError{kReach}.
std::pair<int, std::unique_ptr<SshCarrier>> tunnelThrough(std::unique_ptr<SshConnection> jump, const ResolvedAlias& to, double seconds);

std::string endpoint(const std::string& host, int port);  // "10.0.0.5:22", "[::1]:22"

// A connected, non-blocking socket without Nagle's algorithm; the caller closes it. Tries every address of the name. Throws SshError{kReach}:
// `gpu1: "gpu1.lab" is not known to the name service; ...`, `gpu1: 10.0.0.5:22 refuses connections: ...`.
int connectTcp(const std::string& name, const std::string& host, int port, double seconds, double deadLinkSeconds);

// Waits until `fd` can be read (or written, where wanted); false: not within `seconds`.
bool waitReadable(int fd, double seconds, bool orWritable = false);

}  // namespace paceline::ssh

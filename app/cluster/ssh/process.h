// A command behind SSH: an exec channel with line-wise pipes. Several share one connection; all of them are used by one thread at a time.
// Destroying it asks for its end (SIGKILL, where the server passes signals on) and closes the channel.
#pragma once

#include <libssh/callbacks.h>

#include <memory>
#include <string>
#include <vector>

#include "app/cluster/hosts/host.h"
#include "app/cluster/hosts/process_output.h"
#include "app/cluster/ssh/connection.h"

namespace paceline::ssh {

class SshProcess final : public hosts::Process {
 public:
  // `line` is what the login shell there gets; `program` is for messages. Throws Error{kHost}.
  SshProcess(std::shared_ptr<SshConnection> connection, const std::string& program, const std::string& line, double seconds);
  ~SshProcess() override;
  SshProcess(const SshProcess&) = delete;
  SshProcess& operator=(const SshProcess&) = delete;

  std::optional<std::string> readLine(double timeoutSeconds) override;
  bool ended() const override { return outEnded_ && output_.empty(); }
  void write(std::string_view bytes) override;
  void closeInput() override;
  hosts::ProcessEnd wait() override;

 private:
  void open(const std::string& line, double seconds);
  bool drain();                    // takes what libssh has of ours; true when any packet came, perhaps one that opens the window
  bool drainStream(bool errors);
  bool endKnown();
  [[noreturn]] void fail(const std::string& what) const;

  std::shared_ptr<SshConnection> connection_;
  std::string program_;
  ssh_channel channel_ = nullptr;
  ssh_channel_callbacks_struct callbacks_{};
  bool inputClosed_ = false, outEnded_ = false, exited_ = false;
  int code_ = 0;
  hosts::ProcessOutput output_;
};

}  // namespace paceline::ssh

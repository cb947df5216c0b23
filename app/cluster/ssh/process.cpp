#include <libssh/callbacks.h>
#include <signal.h>
#include <string.h>

#include <algorithm>

#include "app/cluster/hosts/local_process.h"
#include "app/cluster/ssh/connection.h"

namespace paceline::ssh {
namespace {

constexpr std::size_t kPiece = 256 << 10;  // of a long write: output is taken in between

// RFC 4254, 6.10: a signal's name without "SIG".
int signalNumber(std::string_view name) {
  for (int number = 1; number < NSIG; ++number)
    if (const char* known = ::sigabbrev_np(number); known != nullptr && name == known) return number;
  return 0;
}

// A command behind SSH: an exec channel with line-wise pipes. Several share one connection; all of them are used by one thread at a time.
// Destroying it asks for its end (SIGKILL, where the server passes signals on) and closes the channel.
class SshProcess final : public hosts::Process {
 public:
  SshProcess(std::shared_ptr<SshConnection> connection, const std::string& program, const std::string& line, double seconds)
      : connection_(std::move(connection)), program_(program), output_(strCat(connection_->target().name, ": ", program)) {
    if (connection_->lost()) fail("");
    channel_ = ::ssh_channel_new(connection_->session());
    try {
      open(line, seconds);
    } catch (...) {
      ::ssh_channel_free(channel_);
      throw;
    }
  }

  ~SshProcess() override {
    if (!connection_->lost() && ::ssh_channel_is_open(channel_) != 0) {
      if (!exited_) ::ssh_channel_request_send_signal(channel_, "KILL");
      ::ssh_channel_close(channel_);
      ::ssh_blocking_flush(connection_->session(), 0);
    }
    ::ssh_remove_channel_callbacks(channel_, &callbacks_);
    ::ssh_channel_free(channel_);
  }
  SshProcess(const SshProcess&) = delete;
  SshProcess& operator=(const SshProcess&) = delete;

  std::optional<std::string> readLine(double timeoutSeconds) override {
    const double deadline = steadySeconds() + timeoutSeconds;
    for (;;) {
      if (auto line = output_.line(outEnded_)) return line;
      if (outEnded_) return std::nullopt;
      if (drain()) continue;
      const double left = deadline - steadySeconds();
      if (outEnded_) continue;
      if (left < 0) return std::nullopt;
      connection_->wait(left);
    }
  }

  bool ended() const override { return outEnded_ && output_.empty(); }

  void write(std::string_view bytes) override {
    while (!bytes.empty()) {
      const bool open = !inputClosed_ && !connection_->lost() && ::ssh_channel_is_open(channel_) != 0 && ::ssh_channel_is_eof(channel_) == 0;
      const std::uint64_t packets = connection_->packets();  // any that comes from here on may open the window
      const int written = open ? ::ssh_channel_write(channel_, bytes.data(), static_cast<std::uint32_t>(std::min(bytes.size(), kPiece))) : SSH_ERROR;
      if (written == SSH_ERROR) {
        const std::string why = connection_->lost() || !connection_->wait(0) ? strCat(": ", connection_->whyLost()) : "";
        throw Error(Errc::kHost, strCat(connection_->target().name, ": ", program_, " does not take input any more", why));
      }
      if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
      if (connection_->writePending()) connection_->flush([this] { drain(); });
      drain();  // it may itself wait for us to read
      if (written <= 0 && connection_->packets() == packets) connection_->wait(3600);
    }
  }

  void closeInput() override {
    if (std::exchange(inputClosed_, true) || connection_->lost() || ::ssh_channel_is_open(channel_) == 0) return;
    ::ssh_channel_send_eof(channel_);
    connection_->flush([this] { drain(); });
  }

  // Ends when both pipes are closed there and the end of the program is known, or the server closed the channel.
  hosts::ProcessEnd wait() override {
    closeInput();
    while (!outEnded_) {
      const bool came = drain();
      output_.dropLines();
      if (!came && !outEnded_) connection_->wait(3600);
    }
    while (!endKnown()) connection_->wait(3600);
    if (!exited_) throw Error(Errc::kHost, strCat(connection_->target().name, ": the end of ", program_, " is not known: ",
                                                  connection_->wait(0) ? "the server closed its channel without a word" : connection_->whyLost()));
    return {.code = code_, .errors = output_.errors()};
  }

 private:
  void open(const std::string& line, double seconds) {
    callbacks_.size = sizeof callbacks_;
    callbacks_.userdata = this;
    callbacks_.channel_exit_status_function = [](ssh_session, ssh_channel, int status, void* self) {
      static_cast<SshProcess*>(self)->code_ = status;
      static_cast<SshProcess*>(self)->exited_ = true;
    };
    callbacks_.channel_exit_signal_function = [](ssh_session, ssh_channel, const char* signal, int, const char*, const char*, void* self) {
      static_cast<SshProcess*>(self)->code_ = 128 + signalNumber(signal);
      static_cast<SshProcess*>(self)->exited_ = true;
    };
    ::ssh_set_channel_callbacks(channel_, &callbacks_);
    const auto opened = connection_->until(seconds, SSH_AGAIN, [this] { return ::ssh_channel_open_session(channel_); });
    const auto exec = [&] { return ::ssh_channel_request_exec(channel_, line.c_str()); };
    const auto started = opened != SSH_OK ? opened : connection_->until(seconds, SSH_AGAIN, exec);
    if (started == SSH_OK) return;
    if (!connection_->wait(0)) fail("");
    if (!started) fail(strCat("no answer within ", seconds, " s"));
    fail(opened == SSH_OK ? "the server refuses commands" : "the server allows no more sessions on this connection (MaxSessions in its sshd_config)");
  }

  [[noreturn]] void fail(const std::string& what) const {
    const std::string why = connection_->lost() ? connection_->whyLost() : what;
    throw Error(Errc::kHost, strCat(connection_->target().name, ": cannot start ", program_, ": ", why));
  }

  bool drainStream(bool errors) {
    char chunk[64 << 10];
    const int got = ::ssh_channel_read_nonblocking(channel_, chunk, sizeof chunk, errors ? 1 : 0);
    if (got > 0 && errors) output_.takeErrors({chunk, static_cast<std::size_t>(got)});
    else if (got > 0) output_.takeOut({chunk, static_cast<std::size_t>(got)});
    if (got == SSH_ERROR && connection_->wait(0))
      connection_->lose(strCat("the connection to ", connection_->where(), " is lost: ", ::ssh_get_error(connection_->session())));
    return got > 0;
  }

  // Takes what libssh has of ours; true when any packet came, perhaps one that opens the window.
  bool drain() {
    if (outEnded_) return false;
    bool came = false;
    std::uint64_t before = 0;
    do {
      before = connection_->packets();
      while (drainStream(false)) came = true;
      while (drainStream(true)) came = true;  // may take a packet of the other stream
      connection_->takePackets();
      came = came || connection_->packets() != before;
    } while (connection_->packets() != before);
    if (!came) outEnded_ = connection_->lost() || ::ssh_channel_is_eof(channel_) != 0 || ::ssh_channel_is_closed(channel_) != 0;
    return came;
  }

  // After its output: whether its end is known, or never will be.
  bool endKnown() {
    connection_->takePackets();
    return exited_ || ::ssh_channel_is_closed(channel_) != 0 || connection_->lost();
  }

  std::shared_ptr<SshConnection> connection_;
  std::string program_;
  ssh_channel channel_ = nullptr;
  ssh_channel_callbacks_struct callbacks_{};
  bool inputClosed_ = false, outEnded_ = false, exited_ = false;
  int code_ = 0;
  hosts::ProcessOutput output_;
};

}  // namespace

std::unique_ptr<hosts::Process> startProcess(std::shared_ptr<SshConnection> connection, const std::string& program, const std::string& line, double seconds) {
  return std::make_unique<SshProcess>(std::move(connection), program, line, seconds);
}

}  // namespace paceline::ssh

// A machine that runs nodes, one command on it to its end, and what is asked while it is connected to. This computer, one behind SSH and a
// scheduler's behave alike. Used by one thread at a time.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace paceline::hosts {

struct ProcessEnd {
  int code = 0;        // exit code; 128 + signal
  std::string errors;  // the end of what it wrote to stderr
};

// A running command with pipes. Destroying it closes the pipes and ends the command (on a host behind SSH: closes its channel).
class Process {
 public:
  virtual ~Process() = default;
  virtual std::optional<std::string> readLine(double timeoutSeconds) = 0;  // nullopt: time-out or end (see ended())
  virtual bool ended() const = 0;                                          // stdout is closed and drained
  virtual void write(std::string_view bytes) = 0;                          // waits until taken; throws Error{kHost} when it is gone
  virtual void closeInput() = 0;
  virtual ProcessEnd wait() = 0;  // drops what it still says; throws Error{kHost} when the connection is lost
  void writeLine(const std::string& line) { write(line + '\n'); }
};

class Host {
 public:
  virtual ~Host() = default;
  virtual std::string name() const = 0;
  // Program and arguments, passed on byte for byte whatever they hold (no NUL). Throws Error{kHost} naming host and program.
  // A program that is not there: throws, or (behind SSH) ends with 127 and a line of errors that names it.
  virtual std::unique_ptr<Process> start(const std::vector<std::string>& command) = 0;
};

// Where the programs lie on a host and what its nodes need in their environment.
struct Installation {
  std::string folder;                      // has paceline-agent, paceline-server and paceline-worker
  std::map<std::string, std::string> env;  // for nodes: LD_LIBRARY_PATH, PACELINE_DATA, ...
  bool aes = false;                        // its processor has instructions for AES
  std::string program(const std::string& name) const { return folder + "/" + name; }
};

// This computer. With another name and `env` added to every command it is a second "host" with a supervisor of its own
// (PACELINE_AGENT_DIR), for tests and for emulating a cluster on one machine.
std::unique_ptr<Host> localHost(const std::string& name = "local", const std::map<std::string, std::string>& env = {});

// Programs lie beside the running one ($PACELINE_BIN overrides).
Installation localInstallation();
std::string localProgram(const std::string& name);  // its path; throws Error{kHost} when it is missing

// ---- one command
struct CommandResult {
  std::vector<std::string> lines;  // of stdout
  ProcessEnd end;
  std::string text() const;  // its lines, newlines between them
  std::string said() const;  // why it failed: the last line on stderr, else its exit code
};

struct CommandOptions {
  const std::string* input = nullptr;  // for its stdin
  double silenceSeconds = 120;         // without a line and without an end, then it counts as hung
  std::stop_token stop{};
  std::function<void(const std::string& line)> onLine{};  // each as it comes
};

// Throws Error{kHost}: it cannot be started, the connection is lost, it hangs; Error{kStopped} on request.
CommandResult runOn(Host& host, const std::vector<std::string>& command, const CommandOptions& options = {});

// The one way from an argument list to the text that a login shell on the other side gets. Pure, any thread.
// One word, taken literally by sh, bash, dash, ksh, zsh and fish whatever its bytes 1..255 are (by csh too, if it has no newline).
// Throws Error{kUsage} for a NUL.
std::string shellQuote(std::string_view word);

// `exec env NAME=VALUE... program arguments...`: exec, so that signals and exit codes are the program's own.
std::string shellCommand(const std::vector<std::string>& command, const std::map<std::string, std::string>& env = {});

// ---- credential prompts: answered at a terminal, in a window, or by nobody. Any thread may ask; one question at a time.
struct HostKeyPrompt {
  std::string host, address;  // the name in our list and where it is; a jump host is asked for itself
  std::string type;           // "ssh-ed25519"
  std::string fingerprint;    // "SHA256:..."
};

class CredentialPrompts {
 public:
  virtual ~CredentialPrompts() = default;
  // Password, passphrase, keyboard-interactive answers. nullopt: nobody answers. Never stored, logged or passed on.
  virtual std::optional<std::string> secret(const std::string& /*host*/, const std::string& /*prompt*/, bool /*echo*/) { return std::nullopt; }
  virtual bool acceptKey(const HostKeyPrompt& /*question*/) { return false; }  // of a host that is not known yet; never asked for a changed key
  // Told every few seconds while a host makes us wait (a scheduler's queue), with the reason: "job 12 is pending (Resources)". false: give up.
  virtual bool mayWait(const std::string& /*host*/, const std::string& /*why*/) { return true; }
};

inline std::unique_ptr<CredentialPrompts> nobody() { return std::make_unique<CredentialPrompts>(); }  // answers nothing, accepts nothing

}  // namespace paceline::hosts

// A machine that runs nodes: this computer, one behind SSH and a scheduler's behave alike. Used by one thread at a time.
#pragma once

#include <map>
#include <memory>
#include <optional>
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
  std::string workingFolder{};             // of nodes; "": the supervisor's
  std::string program(const std::string& name) const { return folder + "/" + name; }
};

// This computer. With another name and `env` added to every command it is a second "host" with a supervisor of its own
// (PACELINE_AGENT_DIR), for tests and for emulating a cluster on one machine.
std::unique_ptr<Host> localHost(const std::string& name = "local", const std::map<std::string, std::string>& env = {});

// Programs lie beside the running one ($PACELINE_BIN overrides).
Installation localInstallation();
std::string localProgram(const std::string& name);  // its path; throws Error{kHost} when it is missing

}  // namespace paceline::hosts

// A machine that runs nodes: this computer or one behind SSH behave alike. Used by one thread at a time.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace paceline {

// A running command with line-wise pipes. Destroying it closes the pipes and, for LocalHost, ends the command.
class Process {
 public:
  virtual ~Process() = default;
  virtual std::optional<std::string> readLine(double timeoutSeconds) = 0;  // nullopt: time-out or end (see ended())
  virtual bool ended() const = 0;                                          // stdout is closed and drained
  virtual void writeLine(const std::string& line) = 0;                     // throws Error{kHost} when it is gone
  virtual void closeInput() = 0;
  virtual int wait() = 0;                                                  // exit code; 128 + signal
};

class Host {
 public:
  virtual ~Host() = default;
  virtual std::string name() const = 0;
  virtual std::unique_ptr<Process> start(const std::vector<std::string>& command) = 0;  // throws Error{kHost} naming host and program
  virtual void put(const std::vector<std::string>& files, const std::function<void(double)>& progress) = 0;  // no-op on this computer
  virtual std::string program(const std::string& name) const = 0;  // path of paceline-agent, -worker, -server there
};

// This computer; programs lie beside the running one ($PACELINE_BIN overrides).
std::unique_ptr<Host> localHost();

}  // namespace paceline

// A command on this computer with line-wise pipes. Used by one thread at a time. Destroying it kills what still runs.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "app/cluster/host.h"

namespace paceline {

class LocalProcess final : public Process {
 public:
  explicit LocalProcess(const std::vector<std::string>& command);  // throws Error{kHost} naming the program
  ~LocalProcess() override;
  LocalProcess(const LocalProcess&) = delete;
  LocalProcess& operator=(const LocalProcess&) = delete;

  std::optional<std::string> readLine(double timeoutSeconds) override;
  bool ended() const override { return out_ < 0 && begin_ == buffer_.size(); }
  void writeLine(const std::string& line) override;
  void closeInput() override;
  int wait() override;                                       // reads and drops what it still says
  const std::string& errorText() const { return errors_; }   // the end of what it wrote to stderr

 private:
  void pump(int timeoutMs, bool untilWritable);
  bool readFrom(int& fd, std::string& into);
  std::optional<std::string> bufferedLine();

  std::string program_;
  pid_t pid_ = -1;
  int in_ = -1, out_ = -1, err_ = -1, status_ = 0;
  std::string buffer_, errors_;
  std::size_t begin_ = 0, scanned_ = 0;  // in buffer_: of the next line; no newline before
};

}  // namespace paceline

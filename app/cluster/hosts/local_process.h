// A command on this computer with line-wise pipes. Used by one thread at a time. Destroying it kills what still runs.
#pragma once

#include <sys/types.h>

#include "app/cluster/hosts/host.h"
#include "engine/core/base/error.h"
#include "engine/core/base/fd.h"
#include "engine/core/base/line_splitter.h"

namespace paceline::hosts {

// A command's output so far, wherever it runs: its stdout line by line, the end of its stderr. Used by one thread.
class ProcessOutput {
 public:
  explicit ProcessOutput(std::string who) : who_(std::move(who)) {}  // "gpu1: nvidia-smi", for messages

  void takeOut(std::string_view bytes) { lines_.feed(bytes); }
  void takeErrors(std::string_view bytes) {
    errors_.append(bytes);
    if (errors_.size() > 2 * kKeptErrors) errors_.erase(0, errors_.size() - kKeptErrors);
  }
  // nullopt: no whole line is there. What stands behind the last newline is a line once the output has `ended`. Throws Error{kHost}.
  std::optional<std::string> line(bool ended) {
    auto found = lines_.next();
    if (!found && ended) found = lines_.rest();
    if (!found) return std::nullopt;
    if (found->cut) throw Error(Errc::kHost, strCat(who_, " wrote a line of more than ", kMaxLine, " bytes"));
    return std::move(found->text);
  }
  bool empty() const { return lines_.empty(); }
  void dropLines() { lines_ = LineSplitter(kMaxLine); }
  const std::string& errors() const { return errors_; }

 private:
  static constexpr std::size_t kMaxLine = std::size_t{64} << 20;
  static constexpr std::size_t kKeptErrors = 8 << 10;
  std::string who_;
  LineSplitter lines_{kMaxLine};
  std::string errors_;
};

class LocalProcess final : public Process {
 public:
  // `env` is added to ours; `host` is for messages; `folder`: where it works, "": where this process does. Throws Error{kHost} naming the program.
  explicit LocalProcess(const std::vector<std::string>& command, const std::map<std::string, std::string>& env = {}, std::string host = "local",
                        const std::string& folder = "");
  ~LocalProcess() override;
  LocalProcess(const LocalProcess&) = delete;
  LocalProcess& operator=(const LocalProcess&) = delete;

  std::optional<std::string> readLine(double timeoutSeconds) override;
  bool ended() const override { return !out_ && output_.empty(); }
  void write(std::string_view bytes) override;
  void closeInput() override;
  ProcessEnd wait() override;

 private:
  void pump(int timeoutMs, bool untilWritable);
  void readFrom(Fd& stream);

  std::string host_, program_;
  pid_t pid_ = -1;
  Fd in_, out_, err_;
  int status_ = 0;
  ProcessOutput output_;
};

}  // namespace paceline::hosts

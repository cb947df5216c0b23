// A command on this computer with line-wise pipes. Used by one thread at a time. Destroying it kills what still runs.
#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/cluster/hosts/host.h"
#include "app/cluster/hosts/process_output.h"

namespace paceline::hosts {

class LocalProcess final : public Process {
 public:
  // `env` is added to ours; `host` is for messages; `folder`: where it works, "": where this process does. Throws Error{kHost} naming the program.
  explicit LocalProcess(const std::vector<std::string>& command, const std::map<std::string, std::string>& env = {}, std::string host = "local",
                        const std::string& folder = "");
  ~LocalProcess() override;
  LocalProcess(const LocalProcess&) = delete;
  LocalProcess& operator=(const LocalProcess&) = delete;

  std::optional<std::string> readLine(double timeoutSeconds) override;
  bool ended() const override { return out_ < 0 && output_.empty(); }
  void write(std::string_view bytes) override;
  void closeInput() override;
  ProcessEnd wait() override;

 private:
  void pump(int timeoutMs, bool untilWritable);
  void readFrom(int& fd);

  std::string host_, program_;
  pid_t pid_ = -1;
  int in_ = -1, out_ = -1, err_ = -1, status_ = 0;
  ProcessOutput output_;
};

}  // namespace paceline::hosts

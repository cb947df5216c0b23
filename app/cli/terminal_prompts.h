// Whoever sits at the terminal answers what a host asks: on /dev/tty without echo, or through the program that $PACELINE_ASKPASS names (it
// gets the prompt as its argument and prints the answer, as SSH_ASKPASS does; its exit code must be 0). Without either nobody answers.
// Any thread may ask; one question at a time. Answers live in this process's memory only, for further connections to the same host.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "app/cluster/hosts/host.h"

namespace paceline::cli {

class TerminalPrompts final : public hosts::CredentialPrompts {
 public:
  // `tell`: one line about a wait, each time it changes; `stop` gives waiting up.
  explicit TerminalPrompts(std::stop_token stop = {}, std::function<void(const std::string& line)> tell = {});
  ~TerminalPrompts() override;

  std::optional<std::string> secret(const std::string& host, const std::string& prompt, bool echo) override;
  bool acceptKey(const hosts::HostKeyPrompt& question) override;
  bool mayWait(const std::string& host, const std::string& why) override;

 private:
  struct Answer {
    std::string text;
    std::map<std::thread::id, double> given;  // when, so that an answer that was refused is not given again at once
  };
  std::optional<std::string> ask(const std::string& question, bool echo);

  std::stop_token stop_;
  std::function<void(const std::string&)> tell_;
  std::mutex mutex_;  // guards what is below
  std::map<std::pair<std::string, std::string>, Answer> answers_;
  std::map<std::string, std::string> told_;
};

}  // namespace paceline::cli

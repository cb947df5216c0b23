// A person at the keyboard for tests: answers in order, remembers what was asked.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "app/cluster/hosts/host.h"
#include "engine/core/base/error.h"

namespace paceline::tests {

class Asked final : public hosts::CredentialPrompts {
 public:
  explicit Asked(std::deque<std::string> answers = {}, bool accepts = false) : answers_(std::move(answers)), accepts_(accepts) {}

  std::optional<std::string> secret(const std::string& host, const std::string& prompt, bool echo) override {
    prompts.push_back(strCat(host, ": ", prompt, echo ? " (shown)" : ""));
    if (answers_.empty()) return std::nullopt;
    std::string answer = answers_.front();
    answers_.pop_front();
    return answer;
  }
  bool acceptKey(const hosts::HostKeyPrompt& question) override {
    keys.push_back(question);
    return accepts_;
  }

  std::vector<std::string> prompts;
  std::vector<hosts::HostKeyPrompt> keys;

 private:
  std::deque<std::string> answers_;
  bool accepts_;
};

}  // namespace paceline::tests

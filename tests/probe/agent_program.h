// paceline-agent as a program: what it prints, with the environment of a test.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/cluster/hosts/host.h"
#include "tests/agent/agent_fixture.h"

namespace paceline::tests {

inline std::string agentProgram() { return std::string(PACELINE_BIN_DIR) + "/paceline-agent"; }

inline std::unique_ptr<hosts::Process> startAgent(std::vector<std::string> words, const std::map<std::string, std::string>& env = {},
                                           const std::vector<std::string>& before = {}) {
  words.insert(words.begin(), agentProgram());
  words.insert(words.begin(), before.begin(), before.end());
  return hosts::localHost("local", env)->start(words);
}

inline Json jsonLine(hosts::Process& process) {
  const auto line = process.readLine(kGuardSeconds);
  if (!line) {
    ADD_FAILURE() << "no line: " << process.wait().errors;
    return Json();
  }
  return Json::parse(*line, nullptr, false);
}

}  // namespace paceline::tests

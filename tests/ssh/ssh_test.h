// What the tests of SSH share: machines and private keys of their own.
#pragma once

#include <gmock/gmock.h>

#include <fstream>

#include "app/cluster/ssh/config.h"
#include "app/cluster/ssh/session.h"
#include "tests/ssh/asked.h"
#include "tests/ssh/sshd_fixture.h"

namespace paceline::tests {

// An agent of its own, with these keys; ends with the object.
class TestAgent {
 public:
  TestAgent(const std::filesystem::path& folder, const std::vector<std::string>& keys)
      : socket_((folder / "agent.sock").string()), agent_(std::vector<std::string>{"ssh-agent", "-D", "-a", socket_}) {
    agent_.readLine(60);  // it tells its socket when it listens
    ::setenv("SSH_AUTH_SOCK", socket_.c_str(), 1);
    for (const std::string& key : keys) EXPECT_EQ(hosts::LocalProcess({"ssh-add", "-q", key}).wait().code, 0);
  }
  ~TestAgent() { ::unsetenv("SSH_AUTH_SOCK"); }

 private:
  std::string socket_;
  hosts::LocalProcess agent_;
};

class SshTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!noTestSshd().empty()) GTEST_SKIP() << noTestSshd();
  }

  struct Refusal {
    std::string message = "it connected";
    ssh::SshStage stage = ssh::SshStage::kReach;
  };
  static Refusal refusal(const std::vector<hosts::HostEntry>& hops, hosts::CredentialPrompts& prompts, const ssh::SshTimeouts& timeouts = {}) {
    try {
      ssh::sshHost(hops, prompts, timeouts);
      return {};
    } catch (const ssh::SshError& error) {
      return {error.what(), error.stage()};
    }
  }
  static std::string run(const std::vector<hosts::HostEntry>& hops, hosts::CredentialPrompts& prompts, const std::vector<std::string>& command) {
    const auto host = ssh::sshHost(hops, prompts);
    const auto process = host->start(command);
    std::string all;
    while (const auto line = process->readLine(60)) all += *line + "\n";
    return all + process->wait().errors;
  }
  static void write(const std::filesystem::path& file, const std::string& text) { std::ofstream(file) << text; }
  static std::string read(const std::filesystem::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static std::string output(const std::vector<std::string>& command) {
    hosts::LocalProcess process(command);
    std::string all;
    while (const auto line = process.readLine(60)) all += *line + "\n";
    process.wait();
    return all;
  }
  static std::string fingerprint(const std::filesystem::path& publicKey) {
    const std::string line = output({"ssh-keygen", "-lf", publicKey.string()});
    const std::size_t begin = line.find("SHA256:");
    return line.substr(begin, line.find(' ', begin) - begin);
  }
  static std::string at(const hosts::HostEntry& entry) { return strCat(entry.address, ":", entry.port); }
};

}  // namespace paceline::tests

// Sessions whose sockets fail at every call: libssh's, those of a jump host's tunnel, those of the SSH agent.
#include "tests/ssh/ssh_test.h"
#include "tests/support/socket_walk.h"

namespace paceline::tests {
namespace {

class FailingSshSockets : public SshTest {
 protected:
  void SetUp() override {
    SshTest::SetUp();
    if (!SocketFaults::possible()) GTEST_SKIP() << "a sanitizer stands where the faults would";
  }
  static constexpr ssh::SshTimeouts kQuick{.connectSeconds = 5, .authenticateSeconds = 5, .keepAliveSeconds = 1, .keepAliveMisses = 2};

  // A command behind these hops gets 200 kB and tells how many arrived. Throws what the session says.
  static void count(const std::vector<hosts::HostEntry>& hops) {
    const auto host = ssh::sshHost(hops, *hosts::nobody(), kQuick);
    const auto process = host->start({"wc", "-c"});
    process->write(std::string(200'000, 'x'));
    process->closeInput();
    const auto line = process->readLine(60);
    const hosts::ProcessEnd end = process->wait();
    EXPECT_EQ(line, "200000");
    EXPECT_EQ(end.code, 0);
  }
  static bool says(const std::string& sentence, int reason) {
    const char* otherwise = reason == ETIMEDOUT ? "did not answer within" : reason == ECONNREFUSED ? "refuses connections" : "closed";
    const bool broken = reason == ECONNRESET && sentence.ends_with("Broken pipe");  // what is seen of it depends on who looks first
    const bool agent = sentence.find("tried: agent") != std::string::npos;
    return sentence.find(std::strerror(reason)) != std::string::npos || sentence.find(otherwise) != std::string::npos || broken || agent;
  }

  // Each fault is survived or said by a sentence with the host's name; the next session is whole. How many there were.
  static int walk(SocketFaults& faults, const std::vector<hosts::HostEntry>& hops) {
    std::string last;
    return failEverySocketCall(faults, [&] { count(hops); },
                               [&](const std::vector<SocketFaultHit>& hits, const std::string& where, const std::string& sentence) {
                                 if (sentence.empty()) return;
                                 EXPECT_THAT(sentence, ::testing::StartsWith(hops.back().name + ": ")) << where;
                                 EXPECT_TRUE(says(sentence, hits.at(0).reason)) << sentence << " at " << where;
                                 if (std::exchange(last, hits[0].where) != hits[0].where) count(hops);  // once a place
                               });
  }
};

TEST_F(FailingSshSockets, AreSaidAndTheNextSessionIsWhole) {
  TestSshd machine({.name = "gpu1"});
  SocketFaults faults({});
  EXPECT_GE(walk(faults, {machine.entry()}), 80);
  TestSshd jump({.name = "jump"});
  EXPECT_GE(walk(faults, {jump.entry(), machine.entry()}), 20) << "what only a jump host has: the others have failed";
  const std::filesystem::path key = machine.folder() / "id_ed25519";
  const TestAgent agent(machine.folder(), {key.string()});
  std::filesystem::rename(key, machine.folder() / "away");  // it stays in the agent
  EXPECT_GE(walk(faults, {machine.entry()}), 20) << "what only the agent has";
}

}  // namespace
}  // namespace paceline::tests

// The fixture itself, against OpenSSH's client.
#include "tests/ssh/sshd_fixture.h"

#include <gmock/gmock.h>

namespace paceline::tests {
namespace {

class Fixture : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!noTestSshd().empty()) GTEST_SKIP() << noTestSshd();
  }
};

std::vector<std::string> client(const TestSshd& machine, const std::string& command, const std::vector<std::string>& more = {}) {
  const hosts::HostEntry entry = machine.entry();
  std::vector<std::string> words{"ssh", "-F", "none", "-o", "BatchMode=yes", "-o", "UserKnownHostsFile=" + entry.knownHosts, "-i", entry.identity,
                                 "-p", std::to_string(entry.port)};
  words.insert(words.end(), more.begin(), more.end());
  words.insert(words.end(), {"root@" + entry.address, command});
  return words;
}

std::string output(const std::vector<std::string>& command) {
  hosts::LocalProcess process(command);
  std::string all;
  while (auto line = process.readLine(60)) all += *line + "\n";
  return all + process.wait().errors;
}

TEST_F(Fixture, MachinesHaveTheirOwnHomeNameProcessesAndEnvironment) {
  TestSshd one({.name = "one", .env = {{"PACELINE_AGENT_DIR", "/tmp/a b"}}}), two({.name = "two", .shell = "/bin/dash"});
  EXPECT_EQ(output(client(one, "hostname; echo $HOME; echo $PACELINE_AGENT_DIR; echo $0")), "one\n" + one.home().string() + "\n/tmp/a b\nbash\n");
  EXPECT_EQ(output(client(two, "hostname; echo $HOME; echo $PACELINE_AGENT_DIR; echo $0")), "two\n" + two.home().string() + "\n\ndash\n");
  hosts::LocalProcess waiter(client(one, "echo up; read line; true"));  // the shell itself waits: a command line while exec() goes on is empty
  EXPECT_EQ(waiter.readLine(60), "up");
  EXPECT_THAT(one.processes(), ::testing::Contains(::testing::HasSubstr("read line")));
  EXPECT_THAT(two.processes(), ::testing::IsEmpty());
  one.drop();
  EXPECT_EQ(waiter.wait().code, 255);
}

TEST_F(Fixture, AHostInAnotherNetworkIsReachedThroughItsJumpHostOnly) {
  TestNetwork inside;
  TestSshd jump({.name = "jump", .runNetwork = inside.path()}), behind({.name = "behind", .listenNetwork = inside.path()});
  EXPECT_THAT(output(client(behind, "hostname")), ::testing::HasSubstr("Connection refused"));
  const hosts::HostEntry entry = behind.entry();
  EXPECT_EQ(output(client(jump, "ssh -F none -o BatchMode=yes -i " + entry.identity + " -o UserKnownHostsFile=" + entry.knownHosts + " -p " +
                                    std::to_string(entry.port) + " root@127.0.0.1 hostname")), "behind\n");
}

}  // namespace
}  // namespace paceline::tests

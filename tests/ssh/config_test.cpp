// ~/.ssh/config: through `ssh -G`, and through our own reader where there is no client; the list of aliases.
#include "app/cluster/ssh/config.h"

#include "app/cluster/hosts/host.h"
#include "tests/ssh/ssh_test.h"
#include "tests/support/own_folder.h"

namespace paceline::tests {
namespace {

constexpr const char* kConfig = R"(# clusters
Include FOLDER/more.d/*.conf
Host gate
  HostName 10.0.0.1
  User ops
  Port 2222
Host gpu? !gpu9
  HostName=%h.lab.example
  ProxyJump ops@gate:2222,second
  IdentityFile "/keys/gpu key"
  IdentitiesOnly yes
  HostKeyAlias gpus
  UserKnownHostsFile /known/a /known/b
  IdentityAgent /run/agent
  ServerAliveInterval 7
  StrictHostKeyChecking yes
  Ciphers aes128-ctr
  ForwardAgent yes
Host old
  ProxyCommand nc %h %p
Host *
  User someone
)";

// Both readers: with the client, and with a PATH that has none.
class Config : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    folder_ = tests::ownFolder();
    std::filesystem::create_directories(folder_ / "more.d");
    std::string config = kConfig;
    std::ofstream(folder_ / "config") << config.replace(config.find("FOLDER"), 6, folder_.string());
    std::ofstream(folder_ / "more.d" / "a.conf") << "Host tpu1 tpu2\n  HostName 10.1.0.1\n";
    ::setenv("PACELINE_SSH_CONFIG", (folder_ / "config").c_str(), 1);
    path_ = std::getenv("PATH");
    if (!GetParam()) ::setenv("PATH", "/nowhere", 1);
    else if (hosts::LocalProcess({"sh", "-c", "command -v ssh"}).wait().code != 0) GTEST_SKIP() << "needs OpenSSH's client";
  }
  void TearDown() override {
    ::setenv("PATH", path_.c_str(), 1);
    ::unsetenv("PACELINE_SSH_CONFIG");
    std::filesystem::remove_all(folder_);
  }
  static hosts::HostEntry host(const std::string& address) {
    hosts::HostEntry entry;
    entry.name = "mine";
    entry.address = address;
    return entry;
  }
  std::filesystem::path folder_;
  std::string path_;
};

TEST_P(Config, AnAliasBringsItsSettings) {
  const ssh::ResolvedAlias gpu = ssh::resolveAlias(host("gpu1"));
  EXPECT_EQ(gpu.name, "mine");
  EXPECT_EQ(gpu.host, "gpu1.lab.example");
  EXPECT_EQ(gpu.user, "someone");
  EXPECT_EQ(gpu.port, 22);
  EXPECT_THAT(gpu.jumps, ::testing::ElementsAre("ops@gate:2222", "second"));
  EXPECT_THAT(gpu.identities, ::testing::ElementsAre("/keys/gpu key"));
  EXPECT_TRUE(gpu.identitiesOnly);
  EXPECT_EQ(gpu.hostKeyAlias, "gpus");
  EXPECT_THAT(gpu.knownHosts, ::testing::ElementsAre("/known/a", "/known/b"));
  EXPECT_EQ(gpu.agent, "/run/agent");
  EXPECT_EQ(gpu.aliveSeconds, 7);
  EXPECT_TRUE(gpu.neverAsk);
  EXPECT_EQ(ssh::knownHostsName(gpu), "gpus");
}

TEST_P(Config, WildcardsNegationAndTheFirstValueHold) {
  EXPECT_EQ(ssh::resolveAlias(host("gpu9")).host, "gpu9");
  EXPECT_EQ(ssh::resolveAlias(host("gate")).user, "ops");
  EXPECT_EQ(ssh::knownHostsName(ssh::resolveAlias(host("gate"))), "[10.0.0.1]:2222");
  EXPECT_EQ(ssh::resolveAlias(host("tpu2")).host, "10.1.0.1");
}

TEST_P(Config, TheEntrysOwnFieldsWin) {
  hosts::HostEntry entry = host("gpu1");
  entry.user = "root", entry.port = 24, entry.identity = "/my/key", entry.knownHosts = "/my/hosts", entry.jump = "other";
  const ssh::ResolvedAlias resolved = ssh::resolveAlias(entry);
  EXPECT_EQ(resolved.user, "root");
  EXPECT_EQ(resolved.port, 24);
  EXPECT_THAT(resolved.identities, ::testing::ElementsAre("/my/key"));
  EXPECT_THAT(resolved.knownHosts, ::testing::ElementsAre("/my/hosts"));
  EXPECT_TRUE(resolved.jumps.empty());
}

TEST_P(Config, AProxyCommandIsNotRun) {
  try {
    ssh::sshHost({host("old")}, *hosts::nobody());
    FAIL();
  } catch (const ssh::SshError& error) {
    EXPECT_EQ(std::string(error.what()), strCat("mine: ", (folder_ / "config").string(),
                                                " wants ProxyCommand \"nc %h %p\", which is not run here; use ProxyJump, or name a jump host in the host list"));
  }
}

TEST_P(Config, AnAddressIsNoOption) { EXPECT_THROW(ssh::resolveAlias(host("-oProxyCommand=touch /tmp/x")), ssh::SshError); }

INSTANTIATE_TEST_SUITE_P(Readers, Config, ::testing::Bool(), [](const auto& test) { return test.param ? "client" : "own"; });

TEST_P(Config, AliasesAreListedWithoutWildcards) { EXPECT_THAT(ssh::sshAliases(), ::testing::ElementsAre("tpu1", "tpu2", "gate", "old")); }

TEST(KnownHosts, APlainLineWithTheSameKeyHoldsForAnotherPort) {
  const std::string folder = tests::ownFolder();
  const std::string key = "AAAAC3NzaC1lZDI1NTE5AAAAIBR2a5ddztTpTZUQqVKRsrGiqg1HET0Jqfn+JzkN4guv";
  const std::string other = "AAAAC3NzaC1lZDI1NTE5AAAAIJR2a5ddztTpTZUQqVKRsrGiqg1HET0Jqfn+JzkN4guv";
  ssh::ResolvedAlias target;
  target.host = "GPU1", target.port = 2022, target.knownHosts = {folder + "/known"};
  EXPECT_EQ(ssh::judgeKey(ssh::readKnownHosts(target), "ssh-ed25519", key).state, ssh::KnownKey::kNotFound);
  std::ofstream(folder + "/known") << "gpu1 ssh-ed25519 " << key << "\n";
  EXPECT_EQ(ssh::judgeKey(ssh::readKnownHosts(target), "ssh-ed25519", key).state, ssh::KnownKey::kOk);
  EXPECT_EQ(ssh::judgeKey(ssh::readKnownHosts(target), "ssh-ed25519", other).state, ssh::KnownKey::kUnknown);
  target.port = 22;
  EXPECT_EQ(ssh::judgeKey(ssh::readKnownHosts(target), "ssh-ed25519", other).state, ssh::KnownKey::kChanged);
  EXPECT_EQ(ssh::judgeKey(ssh::readKnownHosts(target), "ssh-rsa", other).state, ssh::KnownKey::kOther);
}

TEST(ShellQuote, LeavesPlainWordsAndBreaksOutOfNothing) {
  EXPECT_EQ(hosts::shellQuote("/usr/bin/env"), "/usr/bin/env");
  EXPECT_EQ(hosts::shellQuote(""), "''");
  EXPECT_EQ(hosts::shellQuote("a'b\\c!"), "'a'\\''b'\\\\'c'\\!''");
  EXPECT_EQ(hosts::shellCommand({"ls", "a b"}, {{"X", "1 2"}}), "exec env 'X=1 2' ls 'a b'");
}

}  // namespace
}  // namespace paceline::tests

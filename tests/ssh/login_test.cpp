// Every way to log in, and what is said when none works.
#include "tests/ssh/ssh_test.h"

namespace paceline::tests {
namespace {

class LogIn : public SshTest {
 protected:
  static std::string newKey(const TestSshd& machine, const std::string& name, const std::string& passphrase, bool allowed) {
    const std::string file = (machine.folder() / name).string();
    output({"ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-f", file});
    if (allowed) write(machine.folder() / "authorized_keys", read(file + ".pub"));
    return file;
  }
};

TEST_F(LogIn, PasswordIsAskedFor) {
  TestSshd machine({.name = "gpu1", .methods = "password", .password = "correct horse"});
  Asked person({"correct horse"});
  EXPECT_EQ(run({machine.entry()}, person, {"hostname"}), "gpu1\n");
  EXPECT_THAT(person.prompts, ::testing::ElementsAre(strCat("gpu1: Password of root at ", at(machine.entry()))));
}

TEST_F(LogIn, AWrongPasswordIsSaid) {
  TestSshd machine({.name = "gpu1", .methods = "password", .password = "right"});
  Asked person({"a", "b", "c"});
  const Refusal refused = refusal({machine.entry()}, person);
  EXPECT_EQ(refused.message, strCat("gpu1: ", at(machine.entry()), " does not let root in: it accepts password; tried: password (wrong)"));
  EXPECT_EQ(refused.stage, ssh::SshStage::kAuthenticate);
  EXPECT_EQ(person.prompts.size(), 3u);
}

TEST_F(LogIn, WithNobodyToAskThePasswordIsNotTried) {
  TestSshd machine({.name = "gpu1", .methods = "password", .password = "right"});
  EXPECT_EQ(refusal({machine.entry()}, *hosts::nobody()).message,
            strCat("gpu1: ", at(machine.entry()), " does not let root in: it accepts password; tried: password (nobody is there to ask)"));
}

TEST_F(LogIn, AKeyThatIsNotAllowedIsNamed) {
  TestSshd machine({.name = "gpu1"});
  hosts::HostEntry entry = machine.entry();
  entry.identity = newKey(machine, "stranger", "", false);
  EXPECT_EQ(refusal({entry}, *hosts::nobody()).message,
            strCat("gpu1: ", at(entry), " does not let root in: it accepts publickey; tried: key ", entry.identity, " (not accepted)"));
  std::filesystem::permissions(entry.identity, std::filesystem::perms(0644));
  EXPECT_EQ(refusal({entry}, *hosts::nobody()).message, strCat("gpu1: ", at(entry), " does not let root in: it accepts publickey; tried: key ", entry.identity,
                                                        " (not used: others can read it; chmod 600)"));
  entry.identity += "_missing";
  EXPECT_EQ(refusal({entry}, *hosts::nobody()).message,
            strCat("gpu1: ", at(entry), " does not let root in: it accepts publickey; tried: key ", entry.identity, " (no such file)"));
}

TEST_F(LogIn, APassphraseIsAskedForUntilItFits) {
  TestSshd machine({.name = "gpu1"});
  hosts::HostEntry entry = machine.entry();
  entry.identity = newKey(machine, "locked", "open sesame", true);
  Asked person({"wrong", "open sesame"});
  EXPECT_EQ(run({entry}, person, {"hostname"}), "gpu1\n");
  EXPECT_THAT(person.prompts, ::testing::ElementsAre("gpu1: Passphrase of " + entry.identity, "gpu1: Passphrase of " + entry.identity));
  Asked forgetful({"x", "y", "z"});
  EXPECT_EQ(refusal({entry}, forgetful).message,
            strCat("gpu1: ", at(entry), " does not let root in: it accepts publickey; tried: key ", entry.identity, " (wrong passphrase)"));
}

TEST_F(LogIn, TheAgentsKeyNeedsNoPassphraseAndComesBeforeItsManyOthers) {
  TestSshd machine({.name = "gpu1", .settings = {"MaxAuthTries 2"}});
  std::vector<std::string> keys;
  for (int i = 0; i < 8; ++i) keys.push_back(newKey(machine, strCat("other", i), "", false));
  hosts::HostEntry entry = machine.entry();
  keys.push_back(entry.identity);
  TestAgent agent(machine.folder(), keys);
  std::filesystem::permissions(entry.identity, std::filesystem::perms(0));  // the agent alone has it
  std::filesystem::rename(entry.identity, entry.identity + ".away");
  EXPECT_EQ(run({entry}, *hosts::nobody(), {"hostname"}), "gpu1\n");
}

TEST_F(LogIn, KeyboardInteractiveAnswersEveryRound) {
  TestSshd machine({.name = "gpu1", .methods = "keyboard-interactive", .password = "right", .questions = 2});
  Asked person({"right", "me@example.org"});
  EXPECT_EQ(run({machine.entry()}, person, {"hostname"}), "gpu1\n");
  EXPECT_THAT(person.prompts, ::testing::ElementsAre("gpu1: Password: ", ::testing::HasSubstr("e-mail address")));
  Asked wrong({"a", "b", "c", "d", "e", "f"});
  EXPECT_EQ(refusal({machine.entry()}, wrong).message,
            strCat("gpu1: ", at(machine.entry()), " does not let root in: it accepts keyboard-interactive; tried: keyboard-interactive (wrong answer)"));
}

TEST_F(LogIn, ASecondFactorFollowsTheKey) {
  TestSshd machine({.name = "gpu1", .methods = "publickey,keyboard-interactive", .password = "right", .questions = 1});
  Asked person({"right"});
  EXPECT_EQ(run({machine.entry()}, person, {"hostname"}), "gpu1\n");
  EXPECT_EQ(person.prompts.size(), 1u);
  EXPECT_EQ(refusal({machine.entry()}, *hosts::nobody()).message,
            strCat("gpu1: ", at(machine.entry()),
                   " does not let root in: it still wants keyboard-interactive; tried: keyboard-interactive (nobody is there to ask)"));
}

TEST_F(LogIn, SecretsAreInNoCommandLineEnvironmentOrLog) {
  TestSshd machine({.name = "gpu1", .methods = "password", .password = "canary-4711"});
  Asked person({"canary-4711"});
  const auto host = ssh::sshHost({machine.entry()}, person);
  // Of all processes that live while the session does: their command lines and environments.
  for (const auto& entry : std::filesystem::directory_iterator("/proc"))
    for (const char* file : {"cmdline", "environ"}) EXPECT_THAT(read(entry.path() / file), ::testing::Not(::testing::HasSubstr("canary-4711"))) << entry;
  EXPECT_THAT(machine.log(), ::testing::Not(::testing::HasSubstr("canary-4711")));
}

}  // namespace
}  // namespace paceline::tests

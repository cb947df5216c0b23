// What every Host promises, tried on this computer, on one behind SSH, and on what a command gives a shell on.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "app/cluster/check/judge.h"
#include "app/cluster/hosts/exec_host.h"
#include "app/cluster/hosts/host.h"
#include "app/cluster/ssh/session.h"
#include "engine/core/base/error.h"
#include "tests/ssh/sshd_fixture.h"

namespace paceline::tests {
namespace {

// Every byte as an argument, there and back.
check::CheckLine quotingOf(hosts::Host& host) {
  std::string sent = "paceline ";
  for (int byte = 1; byte < 256; ++byte) sent += static_cast<char>(byte);
  return check::judgeQuoting(sent, hosts::runOn(host, {"printf", "%s\\n", sent}).text());
}

class HostContract : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string kind = GetParam();
    if (kind == "local") {
      host_ = hosts::localHost("here", {{"PACELINE_VALUE", "a 'b' \\c! $HOME"}});
      return;
    }
    if (kind.starts_with("exec")) {
      hosts::HostEntry entry;
      entry.name = "here", entry.kind = "exec", entry.env = {{"PACELINE_VALUE", "a 'b' \\c! $HOME"}};
      entry.command = kind == "exec" ? "env -i PATH=\"$PATH\"" : kind == "exec_greeting" ? "sh -c 'echo welcome; exec \"$@\"' sh" : "";
      if (entry.command.empty()) {  // ssh itself, as with keys that libssh lacks
        if (!noTestSshd().empty()) GTEST_SKIP() << noTestSshd();
        machine_ = std::make_unique<TestSshd>(SshdOptions{.shell = "/bin/sh"});
        const hosts::HostEntry there = machine_->entry();
        entry.command = strCat("ssh -T -q -F none -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o IdentitiesOnly=yes -i ", hosts::shellQuote(there.identity), " -p ", there.port, " ", there.user.empty() ? "" : there.user + "@", there.address);
      }
      host_ = hosts::execHost(entry);
      return;
    }
    if (!noTestSshd().empty()) GTEST_SKIP() << noTestSshd();
    machine_ = std::make_unique<TestSshd>(SshdOptions{.shell = kind, .settings = {"RekeyLimit 16M"}});
    hosts::HostEntry entry = machine_->entry();
    entry.env = {{"PACELINE_VALUE", "a 'b' \\c! $HOME"}};
    host_ = ssh::sshHost({entry}, *hosts::nobody());
  }

  std::unique_ptr<hosts::Process> shell(const std::string& script) { return host_->start({"/bin/sh", "-c", script}); }

  std::unique_ptr<TestSshd> machine_;
  std::unique_ptr<hosts::Host> host_;
};

TEST_P(HostContract, LinesBothWays) {
  const auto cat = host_->start({"cat"});
  cat->writeLine("one");
  EXPECT_EQ(cat->readLine(30), "one");
  cat->writeLine("");
  EXPECT_EQ(cat->readLine(30), "");
  EXPECT_FALSE(cat->ended());
  EXPECT_EQ(cat->readLine(0), std::nullopt);
  EXPECT_FALSE(cat->ended());
  cat->closeInput();
  EXPECT_EQ(cat->readLine(30), std::nullopt);
  EXPECT_TRUE(cat->ended());
  EXPECT_EQ(cat->wait().code, 0);
}

TEST_P(HostContract, TheLastLineNeedsNoNewline) {
  const auto process = shell("printf 'a\\nb'");
  EXPECT_EQ(process->readLine(30), "a");
  EXPECT_EQ(process->readLine(30), "b");
  EXPECT_TRUE(process->ended());
}

TEST_P(HostContract, SaysExitCodeAndSignal) {
  EXPECT_EQ(shell("exit 3")->wait().code, 3);
  EXPECT_EQ(shell("kill -9 $$")->wait().code, 137);
  EXPECT_EQ(shell("kill -TERM $$")->wait().code, 143);
  EXPECT_EQ(shell("yes | head -c 1000000")->wait().code, 0);
}

TEST_P(HostContract, KeepsTheEndOfItsErrors) {
  const hosts::ProcessEnd end = shell("yes x | head -c 300000 >&2; echo something bad >&2; exit 1")->wait();
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.errors, ::testing::EndsWith("x\nsomething bad\n"));
  EXPECT_LE(end.errors.size(), 128u << 10);
}

TEST_P(HostContract, ArgumentsArriveByteForByte) {
  EXPECT_EQ(quotingOf(*host_).state, check::CheckState::kGood);
  const auto process = host_->start({"printf", "[%s]", "", "a b", "'\"'", "-n", "*", "~", "$(echo no)", "`no`", "\\", "\\\\n", "!x", "{a,b}", "a;b", "#c",
                                     "=ls", "%1", "ü"});
  EXPECT_EQ(process->readLine(30), "[][a b]['\"'][-n][*][~][$(echo no)][`no`][\\][\\\\n][!x][{a,b}][a;b][#c][=ls][%1][ü]");
}

TEST_P(HostContract, ItsEnvironmentReachesCommands) {
  EXPECT_EQ(shell("printf '%s' \"$PACELINE_VALUE\"")->readLine(30), "a 'b' \\c! $HOME");
}

TEST_P(HostContract, EveryByteComesBack) {
  std::string bytes;
  for (int i = 0; i < 256 * 64; ++i) bytes += static_cast<char>(i % 256);
  const auto cat = host_->start({"cat"});
  cat->write(bytes);
  cat->closeInput();
  std::string back;
  while (const auto line = cat->readLine(30)) back += *line + "\n";
  EXPECT_EQ(back, bytes + "\n");
}

TEST_P(HostContract, FiftyMegabytesBothWaysAtOnce) {
  const auto cat = host_->start({"cat"});
  std::string line(99'999, 'x');
  for (int i = 0; i < 500; ++i) {
    line[static_cast<std::size_t>(i)] = 'y';
    cat->writeLine(line);  // nobody reads meanwhile
  }
  line.assign(99'999, 'x');
  for (int i = 0; i < 500; ++i) {
    line[static_cast<std::size_t>(i)] = 'y';
    ASSERT_EQ(cat->readLine(60), line) << i;
  }
  EXPECT_EQ(cat->wait().code, 0);
}

TEST_P(HostContract, SeveralProcessesAtOnceDoNotMixOrBlock) {
  std::vector<std::unique_ptr<hosts::Process>> cats;
  for (int i = 0; i < 5; ++i) cats.push_back(host_->start({"cat"}));
  const auto chatter = shell("yes | head -c 20000000");  // more than any window, and nobody reads it yet
  for (int round = 0; round < 20; ++round)
    for (std::size_t i = 0; i < cats.size(); ++i) cats[i]->writeLine(strCat(i, ":", round));
  for (int round = 0; round < 20; ++round)
    for (std::size_t i = 0; i < cats.size(); ++i) ASSERT_EQ(cats[i]->readLine(30), strCat(i, ":", round));
  std::size_t bytes = 0;
  while (const auto line = chatter->readLine(30)) bytes += line->size() + 1;
  EXPECT_EQ(bytes, 20'000'000u);
}

TEST_P(HostContract, WaitDropsWhatItStillSays) {
  EXPECT_EQ(shell("yes | head -c 30000000; exit 7")->wait().code, 7);
}

TEST_P(HostContract, AMegabyteOfErrorsBehindAClosedOutputDoesNotBlock) {
  EXPECT_EQ(shell("exec >&-; yes e | head -c 1000000 >&2; exit 7")->wait().code, 7);
}

TEST_P(HostContract, EndingItEndsTheProgramOrItsInput) {
  auto cat = shell("echo $$; exec cat");
  const std::string pid = cat->readLine(30).value_or("");
  cat.reset();
  // No waiting by the clock: tail ends when that process has.
  EXPECT_EQ(host_->start({"tail", "--pid=" + pid, "-f", "/dev/null"})->wait().code, 0);
}

TEST_P(HostContract, WritingToOneThatIsGoneIsAnError) {
  const auto process = shell("exit 0");
  EXPECT_EQ(process->readLine(30), std::nullopt);
  EXPECT_THROW(for (int i = 0; i < 1000; ++i) process->write(std::string(100'000, 'x')), Error);
}

TEST_P(HostContract, AMissingProgramIsSaid) {
  try {
    const hosts::ProcessEnd end = host_->start({"/no/such/program", "x"})->wait();
    EXPECT_EQ(end.code, 127);
    EXPECT_THAT(end.errors, ::testing::AllOf(::testing::HasSubstr("/no/such/program"), ::testing::HasSubstr("No such file")));
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "here: cannot start /no/such/program: No such file or directory");
  }
}

TEST_P(HostContract, ANulByteIsRefused) {
  if (std::string(GetParam()) == "local") GTEST_SKIP() << "posix_spawn ends the word there";
  EXPECT_THROW(host_->start({"printf", std::string("a\0b", 3)}), Error);
}

TEST(Quoting, ALoginShellThatChangesArgumentsIsSaid) {
  if (!noTestSshd().empty()) GTEST_SKIP() << noTestSshd();
  const auto problemWith = [](const std::string& line) {
    const std::filesystem::path shell = std::filesystem::temp_directory_path() / strCat("paceline-shell-", ::getpid());
    std::ofstream(shell) << "#!/bin/sh\n" << line << "\n";
    std::filesystem::permissions(shell, std::filesystem::perms(0755));
    const TestSshd machine({.shell = shell.string()});
    const check::CheckLine judged = quotingOf(*ssh::sshHost({machine.entry()}, *hosts::nobody()));
    std::filesystem::remove(shell);
    return strCat(check::checkStateName(judged.state), ": ", judged.found);
  };
  EXPECT_EQ(problemWith("exec sh -c \"$2\""), "good: all 264 bytes came back");
  EXPECT_EQ(problemWith("exec sh -c \"$(printf %s \"$2\" | tr '\\n' ' ')\""), "bad: byte 0x0a did not arrive as it was sent");
  EXPECT_EQ(problemWith("echo 'csh says no' >&2; exit 1"), "bad: byte 0x70 did not arrive as it was sent");
}

INSTANTIATE_TEST_SUITE_P(Hosts, HostContract, ::testing::Values("local", "/bin/sh", "/bin/bash", "/bin/dash", "exec", "exec_greeting", "exec_ssh"),
                         [](const auto& test) { const std::string name = test.param; return name.starts_with('/') ? "ssh_" + name.substr(5) : name; });

TEST(ExecHost, SaysWhyItsCommandGivesNoShell) {
  hosts::HostEntry entry;
  entry.name = "pod", entry.kind = "exec";
  const auto why = [&entry](const std::string& command) -> std::string {
    entry.command = command;
    try {
      hosts::execHost(entry)->start({"true"});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(why("sh -c 'echo \"no such container: box\" >&2; exit 1' sh"), "pod: gives no shell: no such container: box");
  EXPECT_EQ(why("false"), "pod: gives no shell: \"false /bin/sh\" ended with 1");
  EXPECT_THAT(why("/no/such/program"), ::testing::HasSubstr("/no/such/program"));
}

TEST(ExecHost, KnowsAnAddressThatIsNotItsLoopback) {
  hosts::HostEntry entry;
  entry.name = "pod", entry.kind = "exec";
  entry.command = "env PATH=/no/such/folder:/bin:/usr/bin";
  const auto host = hosts::execHost(entry);
  const std::string address = hosts::execDataAddress(*host);
  EXPECT_THAT(address, ::testing::Not(::testing::StartsWith("127.")));
}

}  // namespace
}  // namespace paceline::tests

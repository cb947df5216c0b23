// Secrets come from the terminal unseen, or from a program; a key is trusted only by the whole word.
#include "app/cli/terminal_prompts.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>

namespace paceline::tests {
namespace {

constexpr int kGuardMs = 60'000;

struct Dialogue {
  std::string seen;    // on the terminal, echo and all
  std::string answer;  // what `ask` returned
};

std::size_t countOf(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// `ask` runs in a process whose terminal this test holds; each time the prompt is there, the next of `typed` is sent.
Dialogue onTerminal(const std::function<std::string()>& ask, const std::string& prompt, const std::vector<std::string>& typed) {
  int result[2] = {-1, -1}, terminal = -1;
  EXPECT_EQ(::pipe(result), 0);
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    const std::string answer = ask();
    ::_exit(::write(result[1], answer.data(), answer.size()) == static_cast<ssize_t>(answer.size()) ? 0 : 1);
  }
  ::close(result[1]);
  Dialogue dialogue;
  std::size_t sent = 0;
  for (char chunk[512];;) {
    pollfd polled{terminal, POLLIN, 0};
    if (::poll(&polled, 1, kGuardMs) != 1) break;
    const auto got = ::read(terminal, chunk, sizeof chunk);
    if (got <= 0) break;  // EIO: the child is gone
    dialogue.seen.append(chunk, static_cast<std::size_t>(got));
    for (; sent < typed.size() && sent < countOf(dialogue.seen, prompt); ++sent)
      EXPECT_EQ(::write(terminal, typed[sent].data(), typed[sent].size()), static_cast<ssize_t>(typed[sent].size()));
  }
  char answer[512];
  const auto got = ::read(result[0], answer, sizeof answer);
  dialogue.answer.assign(answer, static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  ::waitpid(child, nullptr, 0);
  ::close(terminal), ::close(result[0]);
  return dialogue;
}

std::string secretOr(hosts::CredentialPrompts& prompts, bool echo, const std::string& prompt = "Password: ") { return prompts.secret("gpu1", prompt, echo).value_or("(nobody)"); }

class Terminal : public ::testing::Test {
 protected:
  Terminal() { ::unsetenv("PACELINE_ASKPASS"); }
};

TEST_F(Terminal, ASecretIsNotSeen) {
  const Dialogue dialogue = onTerminal([] { cli::TerminalPrompts prompts; return secretOr(prompts, false); }, "gpu1: Password: ", {"hunter2\n"});
  EXPECT_EQ(dialogue.answer, "hunter2");
  EXPECT_EQ(dialogue.seen.find("hunter2"), std::string::npos);
}

TEST_F(Terminal, MistypedLettersCanBeTakenBack) {
  const Dialogue dialogue = onTerminal([] { cli::TerminalPrompts prompts; return secretOr(prompts, true); }, "gpu1: Password: ", {"wrong\x15" "abx\x7f" "c\n"});
  EXPECT_EQ(dialogue.answer, "abc");
}

TEST_F(Terminal, EndOfInputIsNobody) {
  EXPECT_EQ(onTerminal([] { cli::TerminalPrompts prompts; return secretOr(prompts, false); }, "gpu1: Password: ", {"\x04"}).answer, "(nobody)");
}

TEST_F(Terminal, ASignalAtAQuestionBringsTheEchoBackBeforeItEndsTheProgram) {
  for (const int signal : {SIGTERM, SIGHUP}) {
    int terminal = -1;
    const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
    if (child == 0) {
      cli::TerminalPrompts prompts;
      secretOr(prompts, false);
      ::_exit(0);
    }
    termios state{};
    std::string seen;
    bool asked = false;
    for (char chunk[512];;) {
      pollfd polled{terminal, POLLIN, 0};
      if (::poll(&polled, 1, kGuardMs) != 1) break;
      const auto got = ::read(terminal, chunk, sizeof chunk);
      if (got <= 0) break;
      seen.append(chunk, static_cast<std::size_t>(got));
      if (asked || countOf(seen, "gpu1: Password: ") == 0) continue;
      asked = true;
      ASSERT_EQ(::tcgetattr(terminal, &state), 0);
      EXPECT_EQ(state.c_lflag & static_cast<tcflag_t>(ECHO | ICANON), 0U);
      ::kill(child, signal);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal) << status;
    ASSERT_EQ(::tcgetattr(terminal, &state), 0);
    EXPECT_EQ(state.c_lflag & static_cast<tcflag_t>(ECHO | ICANON), static_cast<tcflag_t>(ECHO | ICANON)) << signal;
    ::close(terminal);
  }
}

TEST_F(Terminal, APromptCannotDrawOnTheTerminal) {
  const Dialogue dialogue = onTerminal([] { cli::TerminalPrompts prompts; return secretOr(prompts, true, "\x1b[2Jevil\n"); }, "evil", {"x\n"});
  EXPECT_EQ(dialogue.seen.find("\x1b[2J"), std::string::npos);
  EXPECT_NE(dialogue.seen.find("gpu1: ?[2Jevil: "), std::string::npos);
}

TEST_F(Terminal, AnotherConnectionGetsTheSameAnswerUnasked) {
  const auto twice = [] {
    cli::TerminalPrompts prompts;
    const std::string first = secretOr(prompts, false);
    std::string second;
    std::jthread([&] { second = secretOr(prompts, false); }).join();  // another connection
    return first + second;
  };
  const Dialogue dialogue = onTerminal(twice, "gpu1: Password: ", {"one\n", "two\n"});
  EXPECT_EQ(dialogue.answer, "oneone");
  EXPECT_EQ(countOf(dialogue.seen, "Password"), 1U);
}

TEST_F(Terminal, ARefusedAnswerIsAskedForAnew) {
  const auto twice = [] {
    cli::TerminalPrompts prompts;
    const std::string first = secretOr(prompts, false);
    return first + secretOr(prompts, false);
  };
  EXPECT_EQ(onTerminal(twice, "gpu1: Password: ", {"one\n", "two\n"}).answer, "onetwo");
}

TEST_F(Terminal, AKeyIsTrustedByTheWholeWordOnly) {
  const auto ask = [] {
    cli::TerminalPrompts prompts;
    return std::string(prompts.acceptKey({.host = "gpu1", .address = "10.0.0.5:22", .type = "ssh-ed25519", .fingerprint = "SHA256:abc"}) ? "trusted" : "refused");
  };
  const Dialogue yes = onTerminal(ask, "from now on: ", {"yes\n"});
  EXPECT_EQ(yes.answer, "trusted");
  EXPECT_NE(yes.seen.find("gpu1 (10.0.0.5:22)"), std::string::npos);
  EXPECT_NE(yes.seen.find("ssh-ed25519  SHA256:abc"), std::string::npos);
  EXPECT_EQ(onTerminal(ask, "from now on: ", {"y\n"}).answer, "refused");
  EXPECT_EQ(onTerminal(ask, "from now on: ", {"\n"}).answer, "refused");
}

TEST_F(Terminal, AProgramCanAnswer) {
  const auto folder = std::filesystem::temp_directory_path() / ("paceline-askpass-" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  const auto program = folder / "askpass";
  std::ofstream(program) << "#!/bin/sh\nprintf '%s\\n' \"$1\" >>" << folder.string() << "/asked\necho secret\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  ::setenv("PACELINE_ASKPASS", program.c_str(), 1);
  cli::TerminalPrompts prompts;
  EXPECT_EQ(prompts.secret("gpu1", "Password: ", false), "secret");
  std::ifstream asked(folder / "asked");
  std::string line;
  std::getline(asked, line);
  EXPECT_EQ(line, "gpu1: Password: ");
  std::ofstream(program) << "#!/bin/sh\nexit 1\n";
  EXPECT_EQ(prompts.secret("gpu2", "Password: ", false), std::nullopt);
  ::unsetenv("PACELINE_ASKPASS");
  std::filesystem::remove_all(folder);
}

TEST_F(Terminal, WaitsAreToldWhenTheyChangeAndCanBeGivenUp) {
  std::stop_source stop;
  std::vector<std::string> told;
  cli::TerminalPrompts prompts(stop.get_token(), [&](const std::string& line) { told.push_back(line); });
  EXPECT_TRUE(prompts.mayWait("lab", "job 1 is pending: Priority"));
  EXPECT_TRUE(prompts.mayWait("lab", "job 1 is pending: Priority"));
  EXPECT_TRUE(prompts.mayWait("lab", "job 1 is pending: Resources"));
  stop.request_stop();
  EXPECT_FALSE(prompts.mayWait("lab", "job 1 is pending: Resources"));
  EXPECT_EQ(told, (std::vector<std::string>{"lab: job 1 is pending: Priority", "lab: job 1 is pending: Resources"}));
}

}  // namespace
}  // namespace paceline::tests

#include "agent/supervisor/probe/probe.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <unistd.h>

#include "engine/core/base/error.h"
#include "tests/agent/agent_fixture.h"

namespace paceline::tests {
namespace {

probe::PartAnswer answerOf(const std::function<std::string()>& answer, double seconds = kGuardSeconds) {
  return probe::askParts({{"part", seconds, answer}})["part"];
}

TEST(ProbeParts, EveryPartAnswersUnderItsName) {
  const auto answers = probe::askParts({{"a", kGuardSeconds, [] { return std::string("one"); }}, {"b", kGuardSeconds, [] { return std::string("two"); }}});
  EXPECT_EQ(answers.at("a").text, "one");
  EXPECT_EQ(answers.at("b").text, "two");
  EXPECT_EQ(answers.at("b").problem, "");
}

TEST(ProbeParts, OneThatHangsRunsOutOfItsTimeAndTheOthersAnswer) {
  const auto answers = probe::askParts({{"hangs", 0.2,
                                  []() -> std::string {
                                    for (;;) ::pause();
                                  }},
                                 {"works", kGuardSeconds, [] { return std::string("here"); }}});
  EXPECT_EQ(answers.at("hangs").problem, "no answer within 0.2 s");
  EXPECT_EQ(answers.at("works").text, "here");
}

TEST(ProbeParts, OneThatCrashesIsAProblemNotTheEnd) {
  const probe::PartAnswer answer = answerOf([]() -> std::string {
    ::signal(SIGSEGV, SIG_DFL);
    ::raise(SIGSEGV);
    return "";
  });
  EXPECT_EQ(answer.problem, "killed by signal 11");
}

TEST(ProbeParts, WhatIsThrownIsTheProblem) {
  const probe::PartAnswer answer = answerOf([]() -> std::string { throw Error(Errc::kHost, "the driver is asleep"); });
  EXPECT_EQ(answer.problem, "the driver is asleep");
  EXPECT_EQ(answer.text, "");
}

TEST(ProbeParts, AnAnswerIsAtMostOneMebibyte) {
  EXPECT_EQ(answerOf([] { return std::string(5 << 20, 'x'); }).text.size(), 1u << 20);
}

TEST(ProbeParts, WhatAHangingOneStartedIsKilledWithIt) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const auto answer = answerOf(
      [&]() -> std::string {
        if (const pid_t pid = ::fork(); pid != 0) ::write(ends[1], &pid, sizeof pid) == sizeof pid ? void() : ::_exit(9);
        for (;;) ::pause();
      },
      0.3);
  ::close(ends[1]);
  pid_t grandchild = 0;
  ASSERT_EQ(::read(ends[0], &grandchild, sizeof grandchild), static_cast<ssize_t>(sizeof grandchild));
  ::close(ends[0]);
  EXPECT_EQ(answer.problem, "no answer within 0.3 s");
  EXPECT_TRUE(waitForEnd(grandchild));
}

}  // namespace
}  // namespace paceline::tests

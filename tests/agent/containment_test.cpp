// Whatever holds the processes of a run: a child in it is an ordinary child, and ending it ends what has hidden.
#include "agent/supervisor/contain/containment.h"

#include <fcntl.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/core/base/error.h"
#include "tests/agent/agent_fixture.h"

namespace paceline::tests {
namespace {

std::string idOf(contain::ContainmentKind kind) {
  return kind == contain::ContainmentKind::kPidNamespace ? "pid_namespace" : kind == contain::ContainmentKind::kCgroup ? "cgroup" : "child_sub_reaper";
}

class Contained : public ::testing::TestWithParam<contain::ContainmentKind> {
 protected:
  void SetUp() override {
    if (!contain::works(GetParam())) GTEST_SKIP() << "this host offers no " << contain::nameOf(GetParam());
  }
  int statusOf(pid_t child) {
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    return status;
  }
  void finish(contain::Containment& containment) {
    containment.killAll();
    for (pid_t pid; (pid = ::waitpid(-1, nullptr, 0)) > 0;) containment.reaped(pid);
    EXPECT_TRUE(containment.empty());
  }
};

TEST_P(Contained, AChildEndsWithItsOwnStatus) {
  const auto containment = contain::makeContainment(GetParam(), "test");
  EXPECT_EQ(WEXITSTATUS(statusOf(containment->start([] { ::_exit(7); }))), 7);
  EXPECT_EQ(WTERMSIG(statusOf(containment->start([] { ::raise(SIGILL); }))), SIGILL);
  const pid_t waiting = containment->start([] {
    for (;;) ::pause();
  });
  ::kill(waiting, SIGKILL);
  EXPECT_EQ(WTERMSIG(statusOf(waiting)), SIGKILL);
  finish(*containment);
}

TEST_P(Contained, SignalsOfTheSupervisorAreNotIgnored) {
  const auto containment = contain::makeContainment(GetParam(), "test");
  const pid_t child = containment->start([] {
    for (;;) ::pause();
  });
  ::kill(child, SIGTERM);
  EXPECT_EQ(WTERMSIG(statusOf(child)), SIGTERM);
  finish(*containment);
}

TEST_P(Contained, NodesOfARunSeeDifferentPids) {
  const auto containment = contain::makeContainment(GetParam(), "test");
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  for (int i = 0; i < 2; ++i)
    statusOf(containment->start([&] {
      const pid_t own = ::getpid();
      ::_exit(::write(ends[1], &own, sizeof own) == sizeof own ? 0 : 1);
    }));
  pid_t seen[2] = {0, 0};
  ASSERT_EQ(::read(ends[0], seen, sizeof seen), static_cast<ssize_t>(sizeof seen));
  EXPECT_NE(seen[0], seen[1]);
  ::close(ends[0]);
  ::close(ends[1]);
  finish(*containment);
}

TEST_P(Contained, KillingAllEndsDaemons) {
  if (GetParam() == contain::ContainmentKind::kSubreaper) GTEST_SKIP() << "the supervisor finds daemons by their mark there (reap_test.cpp)";
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const auto containment = contain::makeContainment(GetParam(), "test");
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  statusOf(containment->start([] {
    ::setsid();
    if (::fork() != 0) ::_exit(0);
    for (;;) ::pause();  // holds the pipe
  }));
  ::close(ends[1]);
  containment->killAll();
  char byte;
  EXPECT_EQ(::read(ends[0], &byte, 1), 0);  // nobody holds it any more
  ::close(ends[0]);
  finish(*containment);
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
}

INSTANTIATE_TEST_SUITE_P(EveryKind, Contained,
                         ::testing::Values(contain::ContainmentKind::kPidNamespace, contain::ContainmentKind::kCgroup, contain::ContainmentKind::kSubreaper),
                         [](const auto& info) { return idOf(info.param); });

TEST(ContainmentChoice, OtherUsersNeedNoRightsForAPidNamespace) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user to see this";
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    if (::setgroups(0, nullptr) != 0 || ::setgid(kNobody) != 0 || ::setuid(kNobody) != 0) ::_exit(2);
    ::prctl(PR_SET_DUMPABLE, 1);  // as after exec: else /proc/self belongs to root
    const bool good = contain::works(contain::ContainmentKind::kPidNamespace);
    ::_exit(good ? 0 : ::unshare(CLONE_NEWUSER) == 0 ? 1 : 3);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WEXITSTATUS(status) == 3) GTEST_SKIP() << "this host lets users make no user namespaces";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(ContainmentChoice, WhatWasAskedForIsTakenOrRefused) {
  ::setenv("PACELINE_CONTAINMENT", "subreaper", 1);
  EXPECT_EQ(contain::bestContainment(), contain::ContainmentKind::kSubreaper);
  EXPECT_EQ(contain::containmentOf(), "child sub-reaper");
  ::setenv("PACELINE_CONTAINMENT", "prayer", 1);
  EXPECT_THROW(contain::bestContainment(), Error);
  EXPECT_EQ(contain::containmentOf(), "PACELINE_CONTAINMENT \"prayer\" is not known; have pidns, cgroup, subreaper");
  ::unsetenv("PACELINE_CONTAINMENT");
}

}  // namespace
}  // namespace paceline::tests

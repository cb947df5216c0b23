#include "agent/supervisor/probe/probe.h"

#include <gmock/gmock.h>
#include <sched.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "engine/core/base/error.h"

namespace paceline::tests {
namespace {

namespace fs = std::filesystem;

class ProbeCpu : public ::testing::Test {
 protected:
  ProbeCpu() : root_(fs::path(::testing::TempDir()) / strCat("paceline-cpu-", ::getpid())) { fs::create_directories(root_); }
  ~ProbeCpu() override { fs::remove_all(root_); }
  void file(const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  probe::CpuFacts facts() const { return probe::cpuFacts(root_.string()); }
  fs::path root_;
};

TEST_F(ProbeCpu, ModelAndTheFlagsThatMatter) {
  file(
      "proc/cpuinfo",
      "processor\t: 0\nmodel name\t: AMD EPYC 9354 32-Core Processor\nflags\t\t: fpu sse2 avx avx2 aes hypervisor\n\nprocessor\t: 1\nflags\t: fpu\n");
  EXPECT_EQ(facts().model, "AMD EPYC 9354 32-Core Processor");
  EXPECT_THAT(facts().flags, testing::ElementsAre("avx", "avx2", "aes"));
}

TEST_F(ProbeCpu, ArmCallsItsFlagsFeatures) {
  file("proc/cpuinfo", "processor : 0\nFeatures : fp asimd aes crc32\n\nModel : Raspberry Pi 5\n");
  EXPECT_EQ(facts().model, "Raspberry Pi 5");
  EXPECT_THAT(facts().flags, testing::ElementsAre("asimd", "aes"));
}

TEST_F(ProbeCpu, TheLeastQuotaOnTheWayUpCounts) {
  file("proc/self/cgroup", "0::/jobs/mine\n");
  file("sys/fs/cgroup/jobs/mine/cpu.max", "max 100000\n");
  file("sys/fs/cgroup/jobs/cpu.max", "150000 100000\n");
  file("sys/fs/cgroup/jobs/mine/memory.max", "max\n");
  file("sys/fs/cgroup/jobs/memory.max", "4294967296\n");
  EXPECT_DOUBLE_EQ(facts().quota, 1.5);
  EXPECT_LE(facts().usable, 2);
  EXPECT_EQ(facts().memoryLimitBytes, 4LL << 30);
}

TEST_F(ProbeCpu, VersionOneOfControlGroupsHasItsOwnFiles) {
  file("proc/self/cgroup", "7:memory:/docker/x\n4:cpu,cpuacct:/docker/x\n1:name=systemd:/docker/x\n");
  file("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "50000\n");  // in a container its own group is the root of the mount
  file("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  file("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_DOUBLE_EQ(facts().quota, 0.5);
  EXPECT_EQ(facts().usable, 1);
  EXPECT_EQ(facts().memoryLimitBytes, 0);
}

TEST_F(ProbeCpu, WithoutOrWithOddFilesThereIsNoLimit) {
  EXPECT_EQ(facts().quota, 0);
  EXPECT_GE(facts().usable, 1);
  file("proc/cpuinfo", std::string(": \n:\n\t\nflags\nmodel name:\n") + std::string(1000, '\0') + std::string(100'000, 'x'));
  file("proc/self/cgroup", "::::\n0:\n\n0::relative\n0::" + std::string(5000, '/') + "\n4:cpu:\n");
  file("sys/fs/cgroup/cpu.max", "-1 0\n");
  file("sys/fs/cgroup/memory.max", "-5\n");
  EXPECT_EQ(facts().model, "");
  EXPECT_EQ(facts().quota, 0);
  EXPECT_EQ(facts().memoryLimitBytes, 0);
  EXPECT_GE(facts().usable, 1);
}

// Every CPU of the mask, whichever they are, has been busy for so many clock ticks and idle for so many.
std::string statOf(int busy, int idle) {
  std::string text = strCat("cpu  1 2 3 4 5 6 7 8\n");
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) text += strCat("cpu", cpu, " ", busy, " 0 0 ", idle, " 0 0 0 0 0 0\n");
  return text + "intr 12345\n";
}

TEST_F(ProbeCpu, TimeOfOthersIsThatOfOurCpusLessOurOwn) {
  const double allowed = facts().allowed, ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
  file("proc/stat", statOf(1000, 5000));
  probe::CpuTimes before = probe::cpuTimes(root_.string());
  EXPECT_DOUBLE_EQ(before.busy, allowed * 1000 / ticks);
  EXPECT_DOUBLE_EQ(before.all, allowed * 6000 / ticks);
  file("proc/stat", statOf(1200, 5000));
  probe::CpuTimes after = probe::cpuTimes(root_.string());
  EXPECT_GE(after.own, before.own);
  EXPECT_GE(after.at, before.at);
  before.at = 10, before.own = 1;
  after.at = 12, after.own = 1.5;
  EXPECT_NEAR(probe::othersBetween(before, after).value(), (allowed * 200 / ticks - 0.5) / 2, 1e-9);
  after.own = 1 + allowed * 300 / ticks;  // a tick counted too late
  EXPECT_EQ(probe::othersBetween(before, after), 0);
}

TEST_F(ProbeCpu, WithoutCountsNobodyKnowsOfOthers) {
  EXPECT_EQ(probe::othersBetween({.at = 1}, {.at = 2}), std::nullopt);
  file("proc/stat", "cpu\ncpuX 1 2\ncpu99999999999999999999 3\n\ncp\n");
  EXPECT_EQ(probe::cpuTimes(root_.string()).all, 0);
}

}  // namespace
}  // namespace paceline::tests

#include "agent/supervisor/probe/probe.h"

#include <gmock/gmock.h>

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

}  // namespace
}  // namespace paceline::tests

#include <gmock/gmock.h>
#include <sys/mount.h>

#include "app/cluster/hosts/host.h"
#include "engine/core/base/text.h"
#include "tests/deploy/deploy_fixture.h"

namespace paceline::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::StartsWith;

std::size_t filesBelow(const fs::path& folder) {
  std::size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) count += entry.is_regular_file() ? 1 : 0;
  return count;
}

std::string agentSize() { return bytesText(static_cast<std::int64_t>(fs::file_size(PACELINE_BIN_DIR "/paceline-agent"))); }

TEST_F(DeployTest, TheAgentLiesWhereItsHashSaysAndAnswers) {
  const auto host = gpu1();
  const std::string path = deploy::deployAgent(*host);
  EXPECT_EQ(path, (cache() / "agents" / deploy::agentId() / "paceline-agent").string());
  EXPECT_EQ(contentOf(path), contentOf(PACELINE_BIN_DIR "/paceline-agent"));
  EXPECT_EQ(filesBelow(cache()), 1u) << "nothing else is left";
  EXPECT_EQ(hosts::runOn(*host, deploy::agentCommand({"version"})).lines, std::vector<std::string>{PACELINE_VERSION});
}

TEST_F(DeployTest, AnAgentThatIsThereIsNotSentAgain) {
  deploy::deployAgent(*gpu1());
  const auto before = fs::last_write_time(deploy::deployAgent(*gpu1()));
  const auto host = gpu1(withTools({{"cat", "#!/bin/sh\nexit 1\n"}}));  // sending would fail
  EXPECT_EQ(fs::last_write_time(deploy::deployAgent(*host)), before);
}

// As a power cut may leave a file that was not on the disk yet, or a full disk one that was copied by hand.
TEST_F(DeployTest, AnAgentThatIsNoneIsSentAgain) {
  const std::string whole = contentOf(PACELINE_BIN_DIR "/paceline-agent");
  const fs::path path = deploy::deployAgent(*gpu1());
  for (const std::string& damaged : {std::string(), std::string(whole.size(), '\0'), whole.substr(0, whole.size() / 2), whole + "more"}) {
    const auto damage = [&] {
      fs::remove(path);  // a deployment may have given its content other names
      put(path.lexically_relative(folder_), damaged, true);
    };
    damage();
    EXPECT_EQ(deploy::deployAgent(*gpu1()), path.string());
    EXPECT_TRUE(contentOf(path) == whole) << damaged.size();
    if (damaged.size() > whole.size()) continue;  // it starts
    damage();
    EXPECT_NO_THROW(deploy::cleanHost(*gpu1(), false));
    EXPECT_TRUE(contentOf(path) == whole) << damaged.size();
    damage();
    const hosts::Installation installation = deploy::deploy(*gpu1());
    EXPECT_TRUE(contentOf(path) == whole && contentOf(installation.program("paceline-agent")) == whole) << damaged.size();
  }
}

TEST_F(DeployTest, AHostWithoutTheAgentSaysSoByItsExitCode) { EXPECT_EQ(hosts::runOn(*gpu1(), deploy::agentCommand({"version"})).end.code, 127); }

TEST_F(DeployTest, AnotherArchitectureIsRefusedBeforeSending) {
  const auto host = gpu1(withTools({{"uname", "#!/bin/sh\n[ \"$1\" = -m ] && echo riscv64 || echo Linux\n"}}));
  EXPECT_THAT(failureOf([&] { deploy::deployAgent(*host); }, Errc::kHost),
              StartsWith("gpu1: it is a Linux riscv64 machine, and our programs are built for Linux "));
  EXPECT_FALSE(fs::exists(cache()));
}

TEST_F(DeployTest, NoiseOfALoginShellIsNoAnswer) {
  const auto host = gpu1(withTools({{"uname", "#!/bin/sh\necho 'Welcome!'\n"}}));
  EXPECT_THAT(failureOf([&] { deploy::deployAgent(*host); }, Errc::kHost), StartsWith("gpu1: it is a Welcome! Welcome! machine"));
}

TEST_F(DeployTest, AnAgentThatArrivesDamagedIsNotUsed) {
  const auto host = gpu1(withTools({{"cat", "#!/bin/sh\nPATH=${PATH#*:}\ncat\necho more\n"}}));
  EXPECT_EQ(failureOf([&] { deploy::deployAgent(*host); }, Errc::kHost),
            strCat("gpu1: paceline-agent arrived with another SHA-256 in ", cache().string(), "; try again"));
  EXPECT_EQ(filesBelow(cache()), 0u);
}

TEST_F(DeployTest, AFullDiskIsNamed) {
  const std::string disk = smallDisk(folder_ / "store");
  if (disk.empty()) GTEST_SKIP() << "this user may not mount a file system";
  const auto host = gpu1({{"XDG_CACHE_HOME", disk}});
  EXPECT_EQ(failureOf([&] { deploy::deployAgent(*host); }, Errc::kNoSpace),
            strCat("gpu1: the disk of ", disk, "/paceline is full; ", agentSize(), " are needed"));
  EXPECT_EQ(filesBelow(disk), 0u);
}

TEST_F(DeployTest, AUsedUpQuotaIsNamed) {
  const auto host = gpu1(withTools({{"cat", "#!/bin/sh\necho 'cat: write error: Disk quota exceeded' >&2\nexit 1\n"}}));
  EXPECT_EQ(failureOf([&] { deploy::deployAgent(*host); }, Errc::kNoSpace),
            strCat("gpu1: the quota of the disk of ", cache().string(), " is used up; ", agentSize(), " are needed"));
}

TEST_F(DeployTest, ADiskWithoutPrograms) {
  const std::string disk = smallDisk(folder_ / "store");
  if (disk.empty() || ::mount("none", disk.c_str(), nullptr, MS_REMOUNT | MS_NOEXEC, "size=64m") != 0)
    GTEST_SKIP() << "this user may not mount a file system";
  const auto host = gpu1({{"XDG_CACHE_HOME", disk}});
  EXPECT_THAT(failureOf([&] { deploy::deployAgent(*host); }, Errc::kHost),
              StartsWith(strCat("gpu1: programs cannot be started in ", disk, "/paceline (")));
}

TEST_F(DeployTest, AFolderThatCannotBeMadeIsNamed) {
  put("gpu1", "a file in the way");
  EXPECT_THAT(failureOf([&] { deploy::deployAgent(*gpu1()); }, Errc::kHost),
              StartsWith(strCat("gpu1: cannot put paceline-agent into ", cache().string(), ": mkdir: ")));
}

TEST(BytesText, SpeaksInPowersOfAThousand) {
  EXPECT_EQ(bytesText(1), "1 byte");
  EXPECT_EQ(bytesText(999), "999 bytes");
  EXPECT_EQ(bytesText(1000), "1.0 kB");
  EXPECT_EQ(bytesText(2'915'912), "2.9 MB");
  EXPECT_EQ(bytesText(999'600), "1.0 MB");
  EXPECT_EQ(bytesText(66'000'000), "66 MB");
  EXPECT_EQ(bytesText(505'000'000'000), "505 GB");
}

}  // namespace
}  // namespace paceline::tests

// What deployments leave on a host's disk, and giving it back.
#include <gmock/gmock.h>

#include <fstream>

#include "app/cluster/deploy/files.h"
#include "app/cluster/hosts/host.h"
#include "tests/deploy/deploy_fixture.h"

namespace paceline::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;

class DiskTest : public DeployTest {
 protected:
  void changeWorker(const std::string& content) {
    worker_ += content;
    fs::remove(folder_ / "bin" / "paceline-worker");
    put("bin/paceline-worker", worker_, true);
  }
  std::int64_t size(const std::string& program) const { return static_cast<std::int64_t>(fs::file_size(folder_ / "bin" / program)); }
  std::unique_ptr<hosts::Host> host() const { return gpu1({{"PACELINE_AGENT_DIR", (folder_ / "agent").string()}}); }
  std::string worker_ = contentOf(fakeNode());
};

TEST_F(DiskTest, AVersionCountsWhatItsRemovalFrees) {
  const hosts::Installation first = deploy::deploy(*host());
  const deploy::HostDisk alone = deploy::diskOf(*host());
  ASSERT_EQ(alone.versions.size(), 1u);
  EXPECT_EQ(alone.versions[0].id, fs::path(first.folder).filename());
  EXPECT_EQ(alone.versions[0].paceline, PACELINE_VERSION);
  EXPECT_EQ(alone.versions[0].createdUtc.size(), std::string("2026-01-31T12:00:00Z").size());
  EXPECT_TRUE(alone.versions[0].current);
  EXPECT_FALSE(alone.versions[0].inUse);
  EXPECT_GE(alone.versions[0].bytes, size("paceline-server") + size("paceline-worker")) << "the agent has a name outside of the version";

  changeWorker("second");
  const std::string second = fs::path(deploy::deploy(*host()).folder).filename();
  const deploy::HostDisk both = deploy::diskOf(*host());
  ASSERT_EQ(both.versions.size(), 2u);
  for (const deploy::InstalledVersion& version : both.versions) {
    EXPECT_EQ(version.current, version.id == second);
    EXPECT_LT(version.bytes, size("paceline-worker") + size("paceline-server")) << "the server is shared";
    EXPECT_GE(version.bytes, size("paceline-worker") - 16);
  }
}

TEST_F(DiskTest, CleaningKeepsWhatWeWouldDeployNow) {
  const std::string first = deploy::deploy(*host()).folder;
  changeWorker("second");
  const hosts::Installation second = deploy::deploy(*host());
  put("gpu1/paceline/partial/" + std::string(64, 'b'), "half of something");
  EXPECT_EQ(deploy::diskOf(*host()).partialBytes, 17);
  const std::int64_t freed = deploy::cleanHost(*host(), false);
  EXPECT_GT(freed, size("paceline-worker"));
  EXPECT_FALSE(fs::exists(first));
  EXPECT_EQ(deploy::diskOf(*host()).partialBytes, 0);
  EXPECT_EQ(hosts::runOn(*host(), {second.program("paceline-agent"), "version"}).end.code, 0);
  EXPECT_EQ(deploy::deploy(*host()).folder, second.folder);
  EXPECT_EQ(deploy::cleanHost(*host(), false), 0);
}

TEST_F(DiskTest, AVersionThatAProcessRunsFromStays) {
  const hosts::Installation first = deploy::deploy(*host());
  const auto running = host()->start({first.program("paceline-agent"), "receive"});  // waits for a request
  changeWorker("second");
  deploy::deploy(*host());
  const deploy::HostDisk disk = deploy::diskOf(*host());
  for (const deploy::InstalledVersion& version : disk.versions) EXPECT_EQ(version.inUse, version.id == fs::path(first.folder).filename());
  deploy::cleanHost(*host(), false, true);
  EXPECT_TRUE(fs::exists(first.program("paceline-server")));
  running->closeInput();
  EXPECT_EQ(running->wait().code, 0);
  deploy::cleanHost(*host(), false, true);
  EXPECT_FALSE(fs::exists(first.folder));
}

TEST_F(DiskTest, CleaningEverythingLeavesNoContent) {
  deploy::deploy(*host());
  deploy::cleanHost(*host(), false, true);
  for (const auto& entry : fs::recursive_directory_iterator(cache()))
    EXPECT_TRUE(!entry.is_regular_file() || entry.path().filename() == ".lock") << entry.path();
}

TEST_F(DiskTest, RecordsOfRunsAreToldAndGivenBack) {
  deploy::deploy(*host());
  Desktop desk = desktop();
  launch(desk, "run-1", {{"rounds:4"}});
  desk.followToEnd("run-1");
  const deploy::HostDisk disk = deploy::diskOf(*host());
  EXPECT_EQ(disk.spools, 1);
  EXPECT_EQ(disk.activeRuns, 0);
  EXPECT_GT(disk.spoolBytes, 0);
  deploy::cleanHost(*host(), false);
  EXPECT_EQ(deploy::diskOf(*host()).spools, 1);
  EXPECT_GE(deploy::cleanHost(*host(), true), disk.spoolBytes);
  EXPECT_EQ(deploy::diskOf(*host()).spools, 0);
}

}  // namespace
}  // namespace paceline::tests

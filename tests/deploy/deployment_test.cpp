#include <gmock/gmock.h>
#include <sys/mount.h>

#include <fstream>
#include <thread>

#include "app/cluster/deploy/files.h"
#include "app/cluster/hosts/host.h"
#include "engine/core/base/hash.h"
#include "engine/core/base/text.h"
#include "tests/deploy/deploy_fixture.h"

namespace paceline::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Counts the commands that are started.
class CountingHost final : public hosts::Host {
 public:
  explicit CountingHost(std::unique_ptr<hosts::Host> host) : host_(std::move(host)) {}
  std::string name() const override { return host_->name(); }
  std::unique_ptr<hosts::Process> start(const std::vector<std::string>& command) override {
    ++commands;
    return host_->start(command);
  }
  int commands = 0;

 private:
  std::unique_ptr<hosts::Host> host_;
};

// The sum of what a deployment sent, and what it said last.
struct Watched {
  deploy::DeployProgress last;
  int reports = 0;
  deploy::DeployOptions options(const std::vector<std::string>& datasets = {}) {
    return {.datasets = datasets, .libraries = "", .onProgress = [this](const deploy::DeployProgress& p) { last = p, ++reports; }, .stop = {}};
  }
};

std::int64_t missingBytes() {  // the agent is there before
  const deploy::FileSet programs = deploy::programFiles();
  return programs.bytes() - programs.manifest.files[0].size;
}

TEST_F(DeployTest, FilesOfADocumentAreThereUnderTheirContent) {
  const fs::path file = cache().parent_path() / "net.pt";
  fs::create_directories(file.parent_path());
  std::ofstream(file) << "a network";
  const PinnedFile pinned{.path = file.string(), .sha256 = sha256Hex("a network")};
  const auto host = gpu1();
  Watched watched;
  deploy::DeployOptions options = watched.options();
  options.files = {pinned};
  const hosts::Installation installation = deploy::deploy(*host, options);
  EXPECT_EQ(installation.env.at(kFilesVariable), installation.folder + "/data");
  EXPECT_EQ(contentOf(installation.folder + "/data/" + pinned.sha256 + "/net.pt"), "a network");
  std::int64_t before = watched.last.bytesSent;
  watched.last = {};
  deploy::deploy(*host, options);
  EXPECT_EQ(watched.last.bytesSent, 0) << "it is there already; the first time took " << before;
  std::ofstream(file) << "another one";
  try {
    deploy::deploy(*host, options);
    FAIL() << "nothing thrown";
  } catch (const Error& error) {
    EXPECT_THAT(std::string(error.what()), HasSubstr("net.pt has changed since its run was asked for: its SHA-256 is " + sha256Hex("another one")));
  }
}

TEST_F(DeployTest, AFreshHostGetsTheProgramsOnceAndTheyStart) {
  Watched watched;
  const auto host = gpu1();
  const hosts::Installation installation = deploy::deploy(*host, watched.options());
  EXPECT_EQ(installation.folder, (cache() / "versions" / deploy::programFiles().manifest.id()).string());
  EXPECT_TRUE(installation.env.empty()) << "the system's libraries do";
  for (const char* name : {"paceline-agent", "paceline-server", "paceline-worker"})
    EXPECT_EQ(contentOf(installation.program(name)), contentOf(hosts::localProgram(name)));
  EXPECT_EQ(hosts::runOn(*host, {installation.program("paceline-agent"), "version"}).lines, std::vector<std::string>{PACELINE_VERSION});
  EXPECT_EQ(watched.last.bytesDone, missingBytes());
  EXPECT_EQ(watched.last.bytesTotal, missingBytes());
  EXPECT_LT(watched.last.bytesSent, missingBytes());
  EXPECT_GT(watched.last.rateBytesPerSecond, 0);
  EXPECT_EQ(watched.last.etaSeconds, 0);
}

TEST_F(DeployTest, WhatIsThereCostsOneCommand) {
  const hosts::Installation first = deploy::deploy(*gpu1());
  CountingHost host(gpu1());
  Watched watched;
  EXPECT_EQ(deploy::deploy(host, watched.options()).folder, first.folder);
  EXPECT_EQ(host.commands, 1);
  EXPECT_EQ(watched.reports, 0);
}

TEST_F(DeployTest, WhatIsThereStartsNoWorkerAgain) {
  const std::string log = (folder_ / "described").string();
  deploy::deploy(*gpu1({{"FAKE_DESCRIBE_LOG", log}}));
  deploy::deploy(*gpu1({{"FAKE_DESCRIBE_LOG", log}}));
  EXPECT_EQ(contentOf(log), "described\n");
}

// Replaces a program by a copy that has other bytes at its end; the loader does not look there.
void change(const fs::path& program) {
  const std::string bytes = contentOf(program) + "changed";
  fs::remove(program);
  std::ofstream(program, std::ios::binary) << bytes;
  fs::permissions(program, fs::perms::owner_all);
}

TEST_F(DeployTest, AChangedProgramIsTheOnlyOneSent) {
  deploy::deploy(*gpu1());
  change(folder_ / "bin" / "paceline-worker");
  Watched watched;
  const hosts::Installation second = deploy::deploy(*gpu1(), watched.options());
  EXPECT_EQ(watched.last.file, "paceline-worker");
  EXPECT_EQ(watched.last.bytesTotal, static_cast<std::int64_t>(fs::file_size(folder_ / "bin" / "paceline-worker")));
  EXPECT_EQ(contentOf(second.program("paceline-worker")), contentOf(folder_ / "bin" / "paceline-worker"));
  EXPECT_EQ(fs::hard_link_count(second.program("paceline-server")), 3u) << "object, first and second version";
}

class BrokenOff : public DeployTest {
 protected:
  // A worker of 8 MB that does not compress, so that what is on the wire can be counted.
  void SetUp() override {
    std::string bytes = contentOf(fakeNode());
    std::uint64_t state = 1;
    while (bytes.size() < (8u << 20)) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      bytes += static_cast<char>(state >> 56);
    }
    fs::remove(folder_ / "bin" / "paceline-worker");
    put("bin/paceline-worker", bytes, true);
  }

  // Deploys until `sent` bytes of the worker have gone, then `act`.
  Watched deployUntil(std::int64_t sent, const std::function<void()>& act, Errc code, std::string& message, const std::map<std::string, std::string>& env = {}) {
    Watched watched;
    deploy::DeployOptions options{.datasets = {}, .libraries = "", .onProgress = {}, .stop = {}};
    options.onProgress = [&](const deploy::DeployProgress& p) {
      if (p.file == "paceline-worker" && p.bytesDone > sent && watched.last.bytesDone <= sent) act();
      watched.last = p;
    };
    message = failureOf([&] { deploy::deploy(*gpu1(env), options); }, code);
    return watched;
  }
};

std::int64_t partialBytes(const fs::path& cache) {
  std::int64_t sum = 0;
  for (const auto& entry : fs::directory_iterator(cache / "partial")) sum += static_cast<std::int64_t>(entry.file_size());
  return sum;
}

TEST_F(BrokenOff, AStopIsObeyedAndTheNextDeploymentGoesOn) {
  std::stop_source stop;
  Watched first;
  deploy::DeployOptions options{.datasets = {}, .libraries = "", .onProgress = {}, .stop = stop.get_token()};
  options.onProgress = [&](const deploy::DeployProgress& p) {
    first.last = p;
    if (p.bytesDone > (4 << 20)) stop.request_stop();
  };
  EXPECT_EQ(failureOf([&] { deploy::deploy(*gpu1(), options); }, Errc::kStopped), "gpu1: deploying was stopped as asked");
  Watched second;
  deploy::deploy(*gpu1(), second.options());
  EXPECT_LT(second.last.bytesTotal, missingBytes() - (2 << 20));
  EXPECT_EQ(second.last.bytesDone, second.last.bytesTotal);
}

TEST_F(BrokenOff, AKilledAgentLosesAtMostWhatWasUnderWay) {
  std::string message;
  deployUntil(4 << 20, [&] {
    const std::string agent = (cache() / "agents" / deploy::agentId() / "paceline-agent").string();
    hosts::runOn(*hosts::localHost(), {"sh", "-c", "for p in /proc/[0-9]*; do [ \"$(readlink $p/exe)\" = \"$1\" ] && kill -9 ${p#/proc/}; done", "sh", agent});
  }, Errc::kHost, message);
  EXPECT_EQ(message, "gpu1: the connection to its paceline-agent ended; the files sent so far are kept there, deploying again goes on from them");
  const std::int64_t kept = partialBytes(cache());
  EXPECT_GE(kept, 3 << 20);
  Watched again;
  const hosts::Installation installation = deploy::deploy(*gpu1(), again.options());
  const std::int64_t worker = static_cast<std::int64_t>(fs::file_size(folder_ / "bin" / "paceline-worker"));
  EXPECT_EQ(again.last.bytesTotal, worker - kept);
  EXPECT_LT(again.last.bytesSent, worker - kept + 4096) << "what is on the wire the second time";
  EXPECT_EQ(contentOf(installation.program("paceline-worker")), contentOf(folder_ / "bin" / "paceline-worker"));
}

TEST_F(BrokenOff, ADiskThatFillsUpHalfWayIsNamedAndTheNextDeploymentGoesOn) {
  const std::string disk = smallDisk(folder_ / "store");
  if (disk.empty() || ::mount("none", disk.c_str(), nullptr, MS_REMOUNT, "size=64m") != 0) GTEST_SKIP() << "this user may not mount a file system";
  std::string message;
  deployUntil(4 << 20, [&] { fillDisk(disk); }, Errc::kNoSpace, message, {{"XDG_CACHE_HOME", disk}});
  EXPECT_THAT(message, StartsWith(strCat("gpu1: the disk of ", disk, "/paceline is full; ")));
  EXPECT_THAT(message, HasSubstr(" MB have arrived and are kept for the next try"));
  const std::int64_t kept = partialBytes(fs::path(disk) / "paceline");
  EXPECT_GE(kept, 3 << 20);
  ASSERT_EQ(::mount("none", disk.c_str(), nullptr, MS_REMOUNT, "size=128m"), 0);  // the quota is raised
  Watched again;
  const hosts::Installation installation = deploy::deploy(*gpu1({{"XDG_CACHE_HOME", disk}}), again.options());
  EXPECT_EQ(again.last.bytesTotal, static_cast<std::int64_t>(fs::file_size(folder_ / "bin" / "paceline-worker")) - kept);
  EXPECT_EQ(contentOf(installation.program("paceline-worker")), contentOf(folder_ / "bin" / "paceline-worker"));
}

TEST_F(BrokenOff, ADiskThatIsTooSmallIsKnownBeforeSending) {
  const std::string disk = smallDisk(folder_ / "store");
  if (disk.empty() || ::mount("none", disk.c_str(), nullptr, MS_REMOUNT, "size=8m") != 0) GTEST_SKIP() << "this user may not mount a file system";
  const auto host = gpu1({{"XDG_CACHE_HOME", disk}});
  Watched watched;
  const std::string message = failureOf([&] { deploy::deploy(*host, watched.options()); }, Errc::kNoSpace);
  EXPECT_THAT(message, StartsWith(strCat("gpu1: the disk of ", disk, "/paceline is full; ", bytesText(missingBytes()), " are needed there and ")));
  EXPECT_EQ(watched.reports, 0);
}

TEST_F(BrokenOff, APartThatWasDamagedIsSentAnew) {
  std::string message;
  std::stop_source stop;
  deploy::DeployOptions options{.datasets = {}, .libraries = "", .onProgress = [&](const deploy::DeployProgress& p) { if (p.bytesDone > (4 << 20)) stop.request_stop(); },
                        .stop = stop.get_token()};
  failureOf([&] { deploy::deploy(*gpu1(), options); }, Errc::kStopped);
  const fs::path part = cache() / "partial" / sha256OfFile((folder_ / "bin" / "paceline-worker").string());
  ASSERT_TRUE(fs::exists(part));
  { std::fstream(part, std::ios::in | std::ios::out | std::ios::binary) << "damage"; }
  EXPECT_EQ(failureOf([&] { deploy::deploy(*gpu1()); }, Errc::kHost), "gpu1: paceline-worker arrived with another SHA-256; deploy again");
  EXPECT_FALSE(fs::exists(part));
  EXPECT_NO_THROW(deploy::deploy(*gpu1()));
}

TEST_F(DeployTest, TwoDeploymentsAtOnceSendOnce) {
  Watched watched[2];
  {
    std::jthread other([&] { deploy::deploy(*gpu1(), watched[0].options()); });
    deploy::deploy(*gpu1(), watched[1].options());
  }
  EXPECT_EQ(watched[0].last.bytesDone + watched[1].last.bytesDone, missingBytes());
}

TEST_F(DeployTest, AGivenFolderThatIsNotThereIsNamed) {
  EXPECT_EQ(failureOf([&] { deploy::deploy(*gpu1(), {.datasets = {}, .libraries = "/nowhere/lib", .onProgress = {}, .stop = {}}); }, Errc::kHost),
            "gpu1: our programs do not start with the libraries in /nowhere/lib: /nowhere/lib is no folder there; leave that folder empty and LibTorch is sent");
}

TEST_F(DeployTest, AGivenFolderGoesToTheNodes) {
  const std::string given = (folder_ / "libs").string();
  fs::create_directories(given);
  const hosts::Installation installation = deploy::deploy(*gpu1(), {.datasets = {}, .libraries = given, .onProgress = {}, .stop = {}});
  EXPECT_THAT(installation.env, ElementsAre(std::pair<const std::string, std::string>("LD_LIBRARY_PATH", given)));
}

TEST_F(DeployTest, AWorkerThatDoesNotStartIsQuoted) {
  ::setenv("FAKE_CATALOG", "no catalogue", 1);
  EXPECT_EQ(failureOf([&] { deploy::deploy(*gpu1()); }, Errc::kHost),
            "gpu1: our programs do not start there, even with the libraries that were sent: paceline-worker does not start: exit code 0");
}

}  // namespace
}  // namespace paceline::tests

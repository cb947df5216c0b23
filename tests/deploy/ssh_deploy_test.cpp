// Deployment to a machine behind a real sshd.
#include <gmock/gmock.h>

#include <fstream>

#include "app/cluster/deploy/deployment.h"
#include "app/cluster/deploy/files.h"
#include "app/cluster/hosts/host.h"
#include "app/cluster/ssh/session.h"
#include "tests/deploy/deploy_support.h"
#include "tests/ssh/sshd_fixture.h"
#include "tests/support/socket_walk.h"

namespace paceline::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class SshDeployTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = noTestSshd(); !reason.empty()) GTEST_SKIP() << reason;
    machine_ = std::make_unique<TestSshd>(SshdOptions{.name = "gpu1"});
    bin_ = machine_->folder() / "bin";
    fs::create_directories(bin_);
    fs::create_symlink(PACELINE_BIN_DIR "/paceline-agent", bin_ / "paceline-agent");
    for (const char* name : {"paceline-server", "paceline-worker"}) program(name, contentOf(PACELINE_BIN_DIR "/../tests/paceline-fake-node") + name);
    ::setenv("PACELINE_BIN", bin_.c_str(), 1);
  }
  void program(const std::string& name, const std::string& bytes) const {
    fs::remove(bin_ / name);
    std::ofstream(bin_ / name, std::ios::binary) << bytes;
    fs::permissions(bin_ / name, fs::perms::owner_all);
  }
  std::unique_ptr<hosts::Host> connected() {
    hosts::HostEntry entry = machine_->entry();
    entry.env["FAKE_CATALOG"] = "{\"datasets\":[]}";
    return ssh::sshHost({entry}, *prompts_);
  }
  fs::path versions() const { return machine_->home() / ".cache" / "paceline" / "versions"; }

  std::unique_ptr<hosts::CredentialPrompts> prompts_ = hosts::nobody();
  std::unique_ptr<TestSshd> machine_;
  fs::path bin_;
};

TEST_F(SshDeployTest, TheProgramsArriveAndStart) {
  const auto host = connected();
  const hosts::Installation installation = deploy::deploy(*host);
  EXPECT_EQ(fs::path(installation.folder).filename(), deploy::programFiles().manifest.id());
  EXPECT_EQ(contentOf(versions() / deploy::programFiles().manifest.id() / "paceline-worker"), contentOf(hosts::localProgram("paceline-worker")));
  EXPECT_EQ(hosts::runOn(*host, {installation.program("paceline-agent"), "version"}).lines, std::vector<std::string>{PACELINE_VERSION});
  int reports = 0;
  EXPECT_EQ(deploy::deploy(*host, {.datasets = {}, .libraries = "", .onProgress = [&](const deploy::DeployProgress&) { ++reports; }, .stop = {}}).folder, installation.folder);
  EXPECT_EQ(reports, 0);
}

TEST_F(SshDeployTest, ACutConnectionIsToldAndTheNextOneGoesOn) {
  std::string bytes = contentOf(hosts::localProgram("paceline-worker"));
  for (std::uint64_t state = 1; bytes.size() < (16u << 20);) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    bytes += static_cast<char>(state >> 56);
  }
  program("paceline-worker", bytes);
  deploy::DeployProgress first, second;
  deploy::DeployOptions options{.datasets = {}, .libraries = "", .onProgress = {}, .stop = {}};
  options.onProgress = [&](const deploy::DeployProgress& p) {
    if (p.bytesDone > (12 << 20) && first.bytesDone <= (12 << 20)) machine_->drop();
    first = p;
  };
  EXPECT_THAT(failureOf([&] { deploy::deploy(*connected(), options); }, Errc::kHost), StartsWith("gpu1: "));
  options.onProgress = [&](const deploy::DeployProgress& p) { second = p; };
  deploy::deploy(*connected(), options);
  EXPECT_LT(second.bytesTotal, first.bytesTotal - (4 << 20));
  EXPECT_LT(second.bytesSent, second.bytesTotal + 4096) << "what is on the wire the second time";
  EXPECT_EQ(contentOf(versions() / deploy::programFiles().manifest.id() / "paceline-worker"), bytes);
}

// The worker is a script, another one each time: little to send.
TEST_F(SshDeployTest, WhicheverCallOfTheSessionFailsTheNextDeploymentIsWhole) {
  if (!SocketFaults::possible()) GTEST_SKIP() << "a sanitizer stands where the faults would";
  int number = 0;
  auto host = connected();
  const auto action = [&] {
    program("paceline-worker", strCat("#!/bin/sh\nexec ", PACELINE_BIN_DIR, "/../tests/paceline-fake-node \"$@\" # ", ++number, "\n"));
    deploy::deploy(*host);
  };
  const auto look = [&](const std::vector<SocketFaultHit>& hits, const std::string& where, const std::string& sentence) {
    host = connected();  // also when only the farewell failed
    if (!sentence.empty()) {
      EXPECT_THAT(sentence, StartsWith("gpu1: ")) << where;
      EXPECT_THAT(sentence, testing::AnyOf(HasSubstr(std::strerror(hits.at(0).reason)), HasSubstr("closed"))) << where;
      deploy::deploy(*host);
    }
    EXPECT_EQ(contentOf(versions() / deploy::programFiles().manifest.id() / "paceline-worker"), contentOf(hosts::localProgram("paceline-worker"))) << where;
  };
  SocketFaults faults({.visits = 2});
  EXPECT_GE(failEverySocketCall(faults, action, look), 40);
}

}  // namespace
}  // namespace paceline::tests

// The host's side of a deployment, whatever its disk does and whenever it is killed: a version is there whole or not at all, and the next deployment goes on.
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "agent/supervisor/receive/installed.h"
#include "engine/core/base/hash.h"
#include "tests/deploy/deploy_support.h"
#include "tests/support/disk_faults.h"
#include "tests/support/own_folder.h"

namespace paceline::tests {
namespace {

namespace fs = std::filesystem;

// Root is asked for permissions as everybody is, from here on.
void beAnOrdinaryUser() {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  __user_cap_data_struct sets[2] = {};
  (void)::syscall(SYS_capset, &header, sets);
}

class ObjectStore : public ::testing::Test {
 protected:
  ObjectStore() {
    for (const auto& [path, content] : contents_)
      manifest_.files.push_back({.path = path, .program = path == "paceline-worker", .size = static_cast<std::int64_t>(content.size()), .sha256 = sha256Hex(content)});
    version_ = paths_.version(manifest_.id());
  }

  // As `paceline-agent receive` does it.
  void deploy() const {
    receive::ObjectStore store(paths_, [] {});
    for (const ManifestFile& file : manifest_.files) {
      if (store.has(file)) continue;
      std::int64_t done = store.arrived(file);
      store.receive(file, [&](std::int64_t left) {
        const std::string part = contents_.at(file.path).substr(static_cast<std::size_t>(done), static_cast<std::size_t>(std::min<std::int64_t>(left, 4000)));
        done += static_cast<std::int64_t>(part.size());
        return part;
      });
    }
    store.place(manifest_, version_);
  }

  void expectWholeOrNone(const std::string& where) const {
    if (!fs::exists(version_)) return;
    EXPECT_EQ(contentOf(fs::path(version_) / receive::kManifestName), toJsonText(manifest_)) << where;
    for (const ManifestFile& file : manifest_.files) {
      const std::string path = version_ + "/" + file.path;
      EXPECT_TRUE(contentOf(path) == contents_.at(file.path)) << path << " at " << where;
      struct stat there{};
      EXPECT_EQ(::stat(path.c_str(), &there), 0);
      EXPECT_EQ(there.st_mode & 07777U, file.program ? 0555U : 0444U) << path << " at " << where;
    }
  }
  // Then what the next deployment makes of it, with no leftovers.
  void expectWholeNext(const std::string& where) const {
    expectWholeOrNone(where);
    deploy();
    EXPECT_TRUE(fs::exists(version_)) << where;
    expectWholeOrNone(where + ", deployed again");
    for (const auto& entry : fs::directory_iterator(paths_.versions)) EXPECT_EQ(entry.path().string(), version_) << where;
    for (const auto& entry : fs::directory_iterator(paths_.partial)) EXPECT_EQ(entry.path().filename(), ".lock") << where;
  }
  void clear() const { fs::remove_all(paths_.folder); }

  const std::string folder_ = ownFolder().string() + "/paceline";
  const receive::InstalledPaths paths_{.folder = folder_, .agents = folder_ + "/agents", .objects = folder_ + "/objects", .partial = folder_ + "/partial", .versions = folder_ + "/versions"};
  const std::map<std::string, std::string> contents_{{"paceline-worker", std::string(10'000, 'w')}, {"lib/deep/libtorch.so", std::string(5'000, 'l')}, {"lib/empty", ""}};
  Manifest manifest_{.paceline = "0.1.0", .files = {}};
  std::string version_;
};

TEST_F(ObjectStore, EachCallThatFailsIsNamedAndTheNextDeploymentGoesOn) {
  const int calls = failEveryCall([this] { deploy(); },
                                  [this](const std::string& where, const std::string& sentence) {
                                    EXPECT_TRUE(sentence.empty() || sentence.find(folder_) != std::string::npos) << sentence;
                                    expectWholeNext(where);
                                    clear();
                                  },
                                  {ENOSPC, EIO, EINTR});
  EXPECT_GT(calls, 40);
}

TEST_F(ObjectStore, AKillBeforeEachCallLosesNothing) {
  const int calls = killBeforeEveryCall(
      [this] {
        beAnOrdinaryUser();
        deploy();
      },
      [this](const std::string& where) {
        EXPECT_EQ(killBeforeEveryCall(
                      [this] {
                        beAnOrdinaryUser();
                        disk::fault = nullptr;
                        deploy();
                      },
                      [](const std::string&) {}),
                  0)
            << where;
        expectWholeNext(where);
        clear();
      });
  EXPECT_GT(calls, 40);
}

TEST_F(ObjectStore, AReplacedVersionIsTheOldOneOrTheNewOneWhicheverCallFails) {
  deploy();
  failEveryCall([this] { deploy(); },
                [this](const std::string& where, const std::string&) {
                  EXPECT_TRUE(fs::exists(version_)) << where;
                  expectWholeNext(where);
                },
                {EIO});
}

TEST_F(ObjectStore, WhereNothingCanHaveTwoNamesContentsAreCopied) {
  const int calls = failEveryCall([this] { deploy(); },
                                  [this](const std::string& where, const std::string& sentence) {
                                    if (where.starts_with("link")) {
                                      EXPECT_EQ(sentence, "") << where;
                                    }
                                    expectWholeNext(where);
                                    clear();
                                  },
                                  {EPERM});
  EXPECT_GT(calls, 40);
}

TEST_F(ObjectStore, AnAgentThatIsThereIsTakenOverWhicheverCallFails) {
  const ManifestFile& agent = manifest_.files.back();
  ASSERT_TRUE(agent.program);
  const std::string there = paths_.agents + "/" + agent.sha256;
  const auto put = [&] {
    fs::create_directories(there);
    std::ofstream(there + "/paceline-agent") << contents_.at(agent.path);
    ::chmod((there + "/paceline-agent").c_str(), 0555);
  };
  put();
  failEveryCall([this] { deploy(); },
                [&](const std::string& where, const std::string&) {
                  expectWholeNext(where);
                  clear();
                  put();
                },
                {EIO, EPERM});
}

}  // namespace
}  // namespace paceline::tests

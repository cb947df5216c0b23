// The host's side of a deployment, whatever its disk does and whenever it is killed: a version is there whole or not at all, and the next deployment goes on.
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "agent/supervisor/receive/installed.h"
#include "engine/core/base/fd.h"
#include "engine/core/base/hash.h"
#include "engine/core/base/user_folders.h"
#include "engine/core/json/json_text.h"
#include "tests/cluster/cluster_fixture.h"
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
    part_ = version_ + "/data/mnist";
  }

  static void nobodyElse(const std::string& holder) { throw Error(Errc::kHost, holder); }

  // As `paceline-agent receive` does it.
  void deploy() const {
    receive::ObjectStore store(paths_, nobodyElse);
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

  // Parts of the version, of contents that are there.
  Manifest part(const std::string& content) const {
    Manifest made{.paceline = "0.1.0", .files = {*std::ranges::find(manifest_.files, content, &ManifestFile::path)}};
    made.files[0].path = "images";
    return made;
  }
  void placePart(const Manifest& part) const { receive::ObjectStore(paths_, nobodyElse).place(part, part_); }
  bool isPart(const Manifest& part) const { return receive::isWhole(part_) && contentOf(fs::path(part_) / receive::kManifestName) == toJsonText(part); }

  const std::string folder_ = ownFolder().string() + "/paceline";
  const receive::InstalledPaths paths_{.folder = folder_, .agents = folder_ + "/agents", .objects = folder_ + "/objects", .partial = folder_ + "/partial", .versions = folder_ + "/versions"};
  const std::map<std::string, std::string> contents_{
      {"paceline-worker", std::string(10'000, 'w')}, {"lib/deep/libtorch.so", std::string(5'000, 'l')}, {"lib/empty", ""}, {"lib/worker.txt", std::string(10'000, 'w')}};
  Manifest manifest_{.paceline = "0.1.0", .files = {}};
  std::string version_, part_;
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

TEST_F(ObjectStore, AReplacedPartIsTheOldOneOrTheNewOneWhicheverCallFails) {
  const Manifest before = part("paceline-worker"), after = part("lib/empty");
  deploy();
  placePart(before);
  bool exchanged = false;
  failEveryCall([&] { placePart(after); },
                [&](const std::string& where, const std::string& sentence) {
                  if (where.starts_with("renameat2, ") && !where.ends_with(std::strerror(EIO))) {
                    exchanged = true;
                    EXPECT_EQ(sentence, "") << where << ": file systems that cannot have two renames";
                  }
                  EXPECT_TRUE(isPart(sentence.empty() ? after : before) || isPart(after)) << where;
                  EXPECT_TRUE(receive::isWhole(version_)) << where;
                  placePart(before);
                  expectWholeNext(where);
                },
                {EIO, EINVAL, ENOSYS});
  EXPECT_TRUE(exchanged);
}

TEST_F(ObjectStore, AKillBeforeEachCallOfAReplacementLeavesOneThatStarts) {
  const Manifest before = part("paceline-worker"), after = part("lib/empty");
  deploy();
  placePart(before);
  const int calls = killBeforeEveryCall([&] { placePart(after); },
                                        [&](const std::string& where) {
                                          EXPECT_TRUE(isPart(before) || isPart(after)) << where;
                                          EXPECT_TRUE(receive::isWhole(version_)) << where;
                                          placePart(before);
                                          expectWholeNext(where);
                                        });
  EXPECT_GT(calls, 10);
}

TEST_F(ObjectStore, WhereNamesCannotBeExchangedAFailedReplacementIsTakenBack) {
  const Manifest before = part("paceline-worker"), after = part("lib/empty");
  deploy();
  placePart(before);
  static int renames;
  renames = 0;
  disk::fault = [](const char* call) {
    if (std::string_view(call) == "renameat2") return EINVAL;
    return std::string_view(call) == "rename" && ++renames == 3 ? EIO : 0;  // refused, the old one away, the new one in place
  };
  const std::string sentence = failureOf([&] { placePart(after); }, Errc::kFile);
  disk::fault = nullptr;
  EXPECT_EQ(sentence, strCat("cannot make ", part_, ": Input/output error"));
  EXPECT_TRUE(isPart(before));
}

TEST_F(ObjectStore, WhatIsThereStaysWithAllThatLiesInIt) {
  deploy();
  placePart(part("paceline-worker"));
  struct stat before{}, after{};
  ASSERT_EQ(::stat(version_.c_str(), &before), 0);
  killBeforeEveryCall([this] { deploy(); }, [&](const std::string& where) { EXPECT_TRUE(receive::isWhole(version_) && isPart(part("paceline-worker"))) << where; });
  ASSERT_EQ(::stat(version_.c_str(), &after), 0);
  EXPECT_EQ(before.st_ino, after.st_ino) << "nodes run from there";
}

TEST_F(ObjectStore, AVersionThatLostAFileIsMadeAgain) {
  deploy();
  ASSERT_TRUE(receive::isWhole(version_));
  fs::remove(version_ + "/lib/empty");
  std::ofstream(version_ + "/lib/empty") << "longer";
  EXPECT_FALSE(receive::isWhole(version_));
  fs::remove(version_ + "/lib/empty");
  EXPECT_FALSE(receive::isWhole(version_));
  deploy();
  EXPECT_TRUE(receive::isWhole(version_));
  expectWholeNext("made again");
}

TEST_F(ObjectStore, AnAgentIsOnTheDiskBeforeItHasItsName) {
  const std::string folder = paths_.agents + "/" + manifest_.files.back().sha256, part = folder + "/part.12", content = contents_.at("paceline-worker");
  const auto put = [&] {
    fs::remove_all(folder);
    fs::create_directories(folder);
    std::ofstream(part) << content;
  };
  put();
  EXPECT_FALSE(receive::keepAgent(part, sha256Hex("another")));
  EXPECT_FALSE(fs::exists(folder + "/paceline-agent"));
  static std::vector<std::string> calls;
  calls.clear();
  disk::fault = [](const char* call) { return calls.emplace_back(call), 0; };
  EXPECT_TRUE(receive::keepAgent(part, sha256Hex(content)));
  disk::fault = nullptr;
  EXPECT_EQ(calls, (std::vector<std::string>{"open", "fsync", "close", "rename", "open", "fsync"}));
  EXPECT_EQ(contentOf(folder + "/paceline-agent"), content);
  put();
  failEveryCall([&] { receive::keepAgent(part, sha256Hex(content)); },
                [&](const std::string& where, const std::string& sentence) {
                  EXPECT_TRUE(sentence.empty() || sentence.starts_with(strCat("cannot keep ", folder, "/paceline-agent: "))) << sentence;
                  EXPECT_NE(fs::exists(part), fs::exists(folder + "/paceline-agent")) << where;
                  put();
                });
}

TEST_F(ObjectStore, AContentOfBothModesIsReceivedOnce) {
  const ManifestFile &text = *std::ranges::find(manifest_.files, "lib/worker.txt", &ManifestFile::path), &program = manifest_.files.back();
  ASSERT_TRUE(program.program && !text.program && program.sha256 == text.sha256);
  fs::create_directories(paths_.partial);
  std::ofstream(paths_.partial + "/" + text.sha256) << std::string(4'000, 'w');
  receive::ObjectStore store(paths_, nobodyElse);
  EXPECT_EQ(store.arrived(text), 4'000);
  store.receive(text, [](std::int64_t left) { return std::string(static_cast<std::size_t>(left), 'w'); });
  EXPECT_TRUE(store.has(program));
  EXPECT_TRUE(store.has(text));
}

// A process that was stopped while it had this lock.
class StoppedHolder {
 public:
  explicit StoppedHolder(const std::string& partial) {
    fs::create_directories(partial);
    pid_ = ::fork();
    if (pid_ == 0) {
      const int lock = ::open((partial + "/.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
      if (::flock(lock, LOCK_EX | LOCK_NB) == 0) ::raise(SIGSTOP);
      ::_exit(1);
    }
    int status = 0;
    EXPECT_TRUE(::waitpid(pid_, &status, WUNTRACED) == pid_ && WIFSTOPPED(status));
  }
  ~StoppedHolder() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  std::string text() const { return strCat("another deployment to this host (process ", pid_, ", which is stopped; kill -CONT ", pid_, " goes on with it)"); }

 private:
  pid_t pid_ = -1;
};

// A deployment that was stopped within a file: its lock is held, and nothing comes of it.
class FrozenDeployment : public ObjectStore {
 protected:
  std::string holder() const { return stopped_.text(); }

  const StoppedHolder stopped_{paths_.partial};
};

// Two fresh file systems give their files the same inode numbers.
TEST_F(ObjectStore, AHolderIsTheOneOfItsFileSystem) {
  std::vector<receive::InstalledPaths> both;
  for (const char* name : {"one", "two"}) {
    const std::string disk = smallDisk(fs::path(folder_) / name);
    if (disk.empty()) GTEST_SKIP() << "this user cannot mount a small file system";
    both.push_back({.folder = disk, .agents = disk + "/agents", .objects = disk + "/objects", .partial = disk + "/partial", .versions = disk + "/versions"});
  }
  const StoppedHolder one(both[0].partial), two(both[1].partial);
  struct stat first{}, second{};
  ASSERT_EQ(::stat((both[0].partial + "/.lock").c_str(), &first), 0);
  ASSERT_EQ(::stat((both[1].partial + "/.lock").c_str(), &second), 0);
  if (first.st_ino != second.st_ino) GTEST_SKIP() << "this kernel numbers the files of all small file systems together";
  EXPECT_EQ(failureOf([&] { const receive::ObjectStore store(both[0], nobodyElse); }, Errc::kHost), one.text());
  EXPECT_EQ(failureOf([&] { const receive::ObjectStore store(both[1], nobodyElse); }, Errc::kHost), two.text());
}

TEST_F(FrozenDeployment, IsNamedAndWaitedForAsLongAsItHasPatience) {
  const std::string saved = environment("XDG_CACHE_HOME");
  ::setenv("XDG_CACHE_HOME", fs::path(folder_).parent_path().c_str(), 1);
  const Pipe desktop;
  const std::string request = dumped(Json{{"request", "place"}, {"version", manifest_.id()}, {"part", ""}, {"manifest", Json::parse(toJsonText(manifest_))}}) + "\n";
  ASSERT_TRUE(writeAll(request, [&](std::string_view rest) { return ::write(desktop.write.get(), rest.data(), rest.size()); }));
  std::ostringstream answers;
  const int code = receive::receive(desktop.read.get(), answers, 0.01);
  saved.empty() ? ::unsetenv("XDG_CACHE_HOME") : ::setenv("XDG_CACHE_HOME", saved.c_str(), 1);
  EXPECT_EQ(code, 1);
  EXPECT_EQ(answers.str(), strCat("{\"waiting\":\"", holder(), " is under way\"}\n{\"error\":\"", holder(), " has done nothing for 0.01 s and keeps the lock ", paths_.partial,
                                  "/.lock; end it, then deploy again\",\"no_space\":false}\n"));
}

TEST_F(FrozenDeployment, KeepsWhatItHasFromBeingRemoved) {
  EXPECT_EQ(failureOf([this] { receive::uninstall(paths_, "-"); }, Errc::kHost), strCat(holder(), " is under way; what it left can be removed when it has ended"));
}

TEST_F(ObjectStore, WhatADeploymentGetsOnChangesItsTrace) {
  std::set<std::string> traces{receive::traceOf(paths_)};
  int calls = 0;
  killBeforeEveryCall([this] { deploy(); },
                      [&](const std::string&) {
                        traces.insert(receive::traceOf(paths_));
                        ++calls;
                        clear();
                      });
  EXPECT_GT(traces.size(), 8U) << "of " << calls << " moments: files of up to 10 kB come in pieces of 4 kB, then they are linked";
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

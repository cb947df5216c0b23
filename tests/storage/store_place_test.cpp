// What becomes of a store's file while it is open, and where it cannot be read: deleted, replaced, read-only, forbidden.
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>

#include "engine/core/base/file_text.h"
#include "engine/core/base/hash.h"
#include "storage/interchange/interop.h"
#include "tests/storage/samples.h"
#include "tests/support/disk_faults.h"

namespace paceline::tests {
namespace {

namespace fs = std::filesystem;

void appendRounds(store::StoreWriter& writer, std::int64_t first, std::int64_t last) {
  std::vector<StampedEvent> events;
  for (std::int64_t seq = first; seq <= last; ++seq) events.push_back(roundEvent("r1", "w0", seq));
  writer.append(events);
}

std::vector<std::int64_t> seqsIn(const store::StoreReader& reader) {
  std::vector<std::int64_t> seqs;
  for (const store::RoundRow& row : reader.rounds("r1")) seqs.push_back(row.seq);
  return seqs;
}
std::vector<std::int64_t> seqsIn(const std::string& path) { return seqsIn(store::StoreReader(path)); }

// The exit code of `work` in a process of its own.
template <class Work>
int inChild(Work&& work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

const std::vector<std::int64_t> kThree = {1, 2, 3}, kSix = {1, 2, 3, 4, 5, 6};

// A store with run r1, open, and three of its rounds.
class OpenStore : public testing::Test {
 protected:
  OpenStore() {
    makeStoreWithRun(path_);
    writer_.emplace(path_);
    appendRounds(*writer_, 1, 3);
  }
  const TempFolder folder_{};
  const std::string path_ = folder_ / "a.db";
  std::optional<store::StoreWriter> writer_;
};

TEST_F(OpenStore, ThatWasDeletedIsPutBackWhole) {
  const store::StoreReader before(path_);
  ASSERT_EQ(seqsIn(before), kThree);
  EXPECT_EQ(writer_->takeNews(), "");
  for (const char* end : {"", "-wal", "-shm", ".lock"}) ASSERT_TRUE(fs::remove(path_ + end)) << end;
  appendRounds(*writer_, 4, 6);
  EXPECT_EQ(writer_->takeNews(), path_ + ": was deleted or replaced while it was in use; it is back, and nothing of it was lost");
  EXPECT_EQ(writer_->takeNews(), "");
  EXPECT_EQ(seqsIn(path_), kSix);
  EXPECT_EQ(seqsIn(before), kSix);  // a reader of before goes on with it
  messageOf(Errc::kLocked, [&] { store::StoreWriter second(path_); });
  writer_.reset();
  EXPECT_EQ(seqsIn(path_), kSix);
  EXPECT_FALSE(fs::exists(path_ + ".kept"));
}

// Its log stays: whoever makes a new file of that name would read it as its own.
TEST_F(OpenStore, OfWhichOnlyTheFileItselfWasDeletedIsPutBackWhole) {
  ASSERT_TRUE(fs::remove(path_));
  appendRounds(*writer_, 4, 6);
  EXPECT_EQ(seqsIn(path_), kSix);
  writer_.reset();
  EXPECT_EQ(seqsIn(path_), kSix);
}

TEST_F(OpenStore, WhoseFolderWasDeletedIsPutBackWhole) {
  writer_.reset();
  const std::string path = folder_ / "below/b.db";
  makeStoreWithRun(path);
  store::StoreWriter writer(path);
  fs::remove_all(folder_ / "below");
  appendRounds(writer, 1, 3);
  EXPECT_EQ(seqsIn(path), kThree);
}

TEST_F(OpenStore, ThatWasReplacedIsKeptBesideAndComesBack) {
  const std::string other = folder_ / "other.db", kept = path_ + ".kept", away = folder_ / "away.db";
  { store::StoreWriter(other).createRun(makeRun("theirs", "theirs", store::RunState::kFinished), {}); }
  fs::rename(other, path_);
  for (int attempt = 0; attempt < 2; ++attempt)
    EXPECT_EQ(messageOf(Errc::kStore, [&] { appendRounds(*writer_, 4, 6); }),
              strCat(path_, ": was replaced by another file while it was in use; all that was recorded is in ", kept, ", and comes back when that other file is moved away"));
  EXPECT_THROW(writer_->setState("r1", store::RunState::kFinished), store::Unavailable);
  EXPECT_EQ(seqsIn(kept), kThree);
  EXPECT_FALSE(fs::exists(kept + "2"));
  const auto standing = store::StoreReader(path_).runs();
  ASSERT_EQ(standing.size(), 1U);
  EXPECT_EQ(standing[0].id, "theirs");
  fs::rename(path_, away);
  appendRounds(*writer_, 4, 6);
  EXPECT_EQ(seqsIn(path_), kSix);
  EXPECT_FALSE(fs::exists(kept));
  EXPECT_EQ(store::StoreReader(away).runs().at(0).id, "theirs");
}

TEST_F(OpenStore, ThatWasReplacedByItsOwnCopyGoesOnInThat) {
  writeText(folder_ / "text", "no store");
  fs::rename(folder_ / "text", path_);
  EXPECT_THROW(writer_->look(), store::Unavailable);
  fs::rename(path_ + ".kept", path_);
  appendRounds(*writer_, 4, 6);
  EXPECT_EQ(seqsIn(path_), kSix);
}

TEST_F(OpenStore, OfWhichOnlyALogWasDeletedIsWholeAgain) {
  std::int64_t rounds = 3;
  for (const char* end : {"-wal", "-shm"}) {
    ASSERT_TRUE(fs::remove(path_ + end)) << end;
    appendRounds(*writer_, rounds + 1, rounds + 1);
    ++rounds;
    EXPECT_NE(writer_->takeNews(), "") << end;
    EXPECT_EQ(static_cast<std::int64_t>(seqsIn(path_).size()), rounds) << end;
    EXPECT_EQ(inChild([&] { return static_cast<int>(seqsIn(path_).size()); }), rounds) << end;
    EXPECT_FALSE(fs::exists(path_ + ".kept")) << end;
  }
  writer_.reset();
  EXPECT_EQ(static_cast<std::int64_t>(seqsIn(path_).size()), rounds);
}

// The log that still stands there has what the file lacks: until that file has it, both stay.
TEST_F(OpenStore, OfWhichOnlyTheIndexWasDeletedIsWholeWheneverItsProgramIsKilled) {
  writer_.reset();
  const int calls = killBeforeEveryCall(
      [this] {
        store::StoreWriter writer(path_);
        appendRounds(writer, 4, 6);
        fs::remove(path_ + "-shm");
        writer.look();
      },
      [this](const std::string& where) {
        EXPECT_EQ(seqsIn(path_), kSix) << where;
        for (const auto& entry : fs::directory_iterator(folder_.path())) fs::remove(entry.path());
        makeStoreWithRun(path_);
        store::StoreWriter writer(path_);
        appendRounds(writer, 1, 3);
      });
  EXPECT_GT(calls, 5);
}

// Each call on the way fails once: what was there before is back after the next attempt, under one name.
class BrokenOnTheWay : public OpenStore, public testing::WithParamInterface<std::vector<const char*>> {};
INSTANTIATE_TEST_SUITE_P(Store, BrokenOnTheWay, testing::Values(std::vector{"", "-wal", "-shm", ".lock"}, std::vector{"-wal"}));

TEST_P(BrokenOnTheWay, IsBackWholeWhicheverCallFails) {
  for (int at = 1;; ++at) {
    for (const char* end : GetParam()) ASSERT_TRUE(fs::remove(path_ + end)) << end;
    std::string hit;
    {
      const DiskFault fault(at, EIO);
      try {
        writer_->look();
      } catch (const store::Unavailable&) {
      }
      hit = fault.hit();
    }
    for (bool back = false; !back;) {
      try {
        writer_->look();
        back = true;
      } catch (const store::Unavailable&) {  // copies that fail pause
      }
    }
    EXPECT_EQ(seqsIn(path_), kThree) << hit << ", call " << at;
    for (const auto& entry : fs::directory_iterator(folder_.path())) EXPECT_EQ(entry.path().string().find(".kept"), std::string::npos) << entry.path() << " after " << hit << ", call " << at;
    if (hit.empty()) break;
    EXPECT_LT(at, 50);
  }
}

// A link to the store that is gone, too, does not lead what comes back elsewhere.
TEST_F(OpenStore, WhoseLinkIsDeletedWithItIsPutBack) {
  writer_.reset();
  const std::string link = folder_ / "link.db";
  fs::create_symlink(path_, link);
  store::StoreWriter writer(link);
  fs::remove(link);
  fs::remove(path_);
  appendRounds(writer, 4, 6);
  EXPECT_EQ(seqsIn(path_), kSix);
}

mode_t modeOf(const std::string& path) {
  struct stat found {};
  EXPECT_EQ(::stat(path.c_str(), &found), 0) << path;
  return found.st_mode & 07777;
}

TEST_F(OpenStore, IsForItsUserAlone) {
  for (const char* end : {"", "-wal", "-shm", ".lock"}) EXPECT_EQ(modeOf(path_ + end), 0600U) << end;
}

TEST_F(OpenStore, KeepsTheModeThatItsUserGaveIt) {
  writer_.reset();
  ::chmod(path_.c_str(), 0640);
  ::chmod((path_ + ".lock").c_str(), 0644);
  writer_.emplace(path_);
  EXPECT_EQ(modeOf(path_), 0640U);
  EXPECT_EQ(modeOf(path_ + ".lock"), 0600U);  // who can read the lock file can hold the lock
  fs::remove(path_);
  appendRounds(*writer_, 4, 6);
  EXPECT_EQ(modeOf(path_), 0640U);
}

// POSIX locks of this process on that file; the kernel drops them all when the process closes any descriptor of it.
std::size_t locksOn(const std::string& path) {
  struct stat found {};
  EXPECT_EQ(::stat(path.c_str(), &found), 0);
  std::istringstream lines(readText("/proc/locks"));
  const std::string process = strCat(" ", ::getpid(), " "), inode = strCat(":", found.st_ino, " ");
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line);)
    if (line.find("POSIX") != std::string::npos && line.find(process) != std::string::npos && line.find(inode) != std::string::npos) ++count;
  return count;
}

TEST(StoreLocks, StayWhenTheOpenStoreIsTakenForAFileToRead) {
  const TempFolder folder{};
  const std::string path = folder / "a.json", link = folder / "link.json";
  makeStoreWithRun(path);
  store::StoreWriter writer(path);
  appendRounds(writer, 1, 3);
  fs::create_symlink(path, link);
  const std::vector<std::string> files = {path, path + "-shm"};
  for (const std::string& file : files) ASSERT_GT(locksOn(file), 0U) << file;
  for (const std::string& name : {path, link})
    EXPECT_EQ(messageOf(Errc::kFormat, [&] { interchange::importPath(writer, name); }), name + ": is a store that is open here, not a file to import");
  for (const char* end : {"", "-wal", "-shm"}) {
    EXPECT_FALSE(fileText(path + end)) << end;
    EXPECT_EQ(errno, EBUSY);
  }
  messageOf(Errc::kFile, [&] { sha256OfFile(path); });
  for (const std::string& file : files) EXPECT_GT(locksOn(file), 0U) << file;
}

TEST(StoreLocks, AClosedStoreIsAFileAsAnyOther) {
  const TempFolder folder{};
  makeStoreWithRun(folder / "a.db");
  EXPECT_TRUE(fileText(folder / "a.db"));
}

constexpr int kCannotBeTested = 77;

// What a reader says where `folder` cannot be written: "1 run", or its message.
int readInReadOnly(const std::string& folder, const std::string& store, const std::string& expected) {
  return inChild([&] {
    if (::unshare(CLONE_NEWNS) != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return kCannotBeTested;
    ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
    if (::mount(folder.c_str(), folder.c_str(), nullptr, MS_BIND, nullptr) != 0) return kCannotBeTested;
    if (::mount("none", folder.c_str(), nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY, nullptr) != 0) return kCannotBeTested;
    std::string said;
    try {
      said = strCat(store::StoreReader(store).runs().size(), " run");
    } catch (const Error& error) {
      said = error.what();
    }
    if (said != expected) std::fprintf(stderr, "%s\n", said.c_str());
    return said == expected ? 0 : 1;
  });
}

TEST(StorePlace, AReadOnlyFolderIsListed) {
  const TempFolder folder{};
  const std::string path = folder / "a 100% odd#name?.db";
  makeStoreWithRun(path);
  const int code = readInReadOnly(folder.path(), path, "1 run");
  if (code == kCannotBeTested) GTEST_SKIP() << "this user cannot make a folder read-only for itself";
  EXPECT_EQ(code, 0);
}

TEST(StorePlace, AReadOnlyFolderWithRecordsInTheLogSaysThatTheyCannotBeRead) {
  const TempFolder folder{};
  const std::string path = folder / "a.db";
  ASSERT_EQ(inChild([&] {
    store::StoreWriter writer(path);
    writer.createRun(makeRun("r1", "r1"), {});
    ::_exit(0);  // as if it was killed: the log stays
    return 1;
  }), 0);
  fs::remove(path + "-shm");
  ASSERT_GT(fs::file_size(path + "-wal"), 0U);
  const int code = readInReadOnly(folder.path(), path,
                                  strCat(path, ": its newest records are in ", path, "-wal, which cannot be read in a folder where nothing may be written; copy both files to another folder"));
  if (code == kCannotBeTested) GTEST_SKIP() << "this user cannot make a folder read-only for itself";
  EXPECT_EQ(code, 0);
}

TEST(StorePlace, AFolderThatMayNotBeEnteredIsNoEmptyStore) {
  const TempFolder folder{};
  const std::string path = folder / "closed/a.db";
  makeStoreWithRun(path);
  ::chmod((folder / "closed").c_str(), 0);
  const int code = inChild([&] {
    if (::getuid() == 0 && ::setresuid(65534, 65534, 65534) != 0) return kCannotBeTested;
    try {
      return static_cast<int>(10 + store::StoreReader(path).runs().size());
    } catch (const Error& error) {
      const std::string said = error.what();
      return said.starts_with(path + ": cannot be read: /") && said.ends_with(": Permission denied") ? 0 : 1;
    }
  });
  ::chmod((folder / "closed").c_str(), 0700);
  if (code == kCannotBeTested) GTEST_SKIP() << "this user cannot become one who may not enter it";
  EXPECT_EQ(code, 0);
}

}  // namespace
}  // namespace paceline::tests

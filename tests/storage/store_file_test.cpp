#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <set>
#include <thread>

#include "storage/store/sqlite.h"
#include "tests/storage/samples.h"

namespace paceline::tests {
namespace {

// Opening for reading and for writing says `code` and the same message; the file stays as it was.
std::string refusedBoth(const std::string& path, Errc code) {
  const std::string before = readText(path);
  const std::string message = messageOf(code, [&] { store::StoreWriter writer(path); });
  EXPECT_EQ(messageOf(code, [&] { store::StoreReader reader(path); }), message);
  EXPECT_EQ(readText(path), before);
  EXPECT_NO_THROW(std::filesystem::remove(path));
  return message;
}

TEST(StoreFile, FromANewerVersionIsRefusedUnchanged) {
  const TempFolder folder{};
  makeStoreWithRun(folder / "a.db");
  const int newer = store::storeVersion() + 1;
  store::Database(folder / "a.db", store::Database::Mode::kWrite).execute(strCat("PRAGMA user_version = ", newer));
  EXPECT_EQ(refusedBoth(folder / "a.db", Errc::kFormat),
            strCat(folder / "a.db", ": made by a newer Paceline (schema ", newer, ", this one knows ", store::storeVersion(), "); nothing was changed"));
}

TEST(StoreFile, ThatIsNoDatabaseIsRefusedUnchanged) {
  const TempFolder folder{};
  for (const std::string& text :
       {std::string("hello\n"), std::string(100'000, 'x'), std::string("SQLite format 3\0garbage", 23)}) {
    writeText(folder / "a.db", text);
    EXPECT_NE(refusedBoth(folder / "a.db", Errc::kFormat).find("is not a Paceline store"), std::string::npos);
  }
}

TEST(StoreFile, OfAnotherProgramIsRefusedUnchanged) {
  const TempFolder folder{};
  store::Database(folder / "a.db", store::Database::Mode::kWrite).execute("CREATE TABLE theirs(x)");
  EXPECT_NE(refusedBoth(folder / "a.db", Errc::kFormat).find("another program"), std::string::npos);
}

TEST(StoreFile, ThatWasCutOffIsRefused) {
  const TempFolder folder{};
  makeStoreWithRun(folder / "a.db");
  std::filesystem::resize_file(folder / "a.db", std::filesystem::file_size(folder / "a.db") / 2);
  const std::string message = messageOf(Errc::kFormat, [&] {
    store::StoreWriter writer(folder / "a.db");
    writer.createRun(makeRun("r2", "x"), {});
  });
  EXPECT_NE(message.find("a.db: the store is damaged"), std::string::npos) << message;
  messageOf(Errc::kFormat, [&] { static_cast<void>(store::StoreReader(folder / "a.db").runs()); });
}

TEST(StoreFile, AnEmptyFileBecomesAStore) {
  const TempFolder folder{};
  writeText(folder / "a.db", "");
  EXPECT_TRUE(store::StoreReader(folder / "a.db").runs().empty());
  makeStoreWithRun(folder / "a.db");
  EXPECT_EQ(store::StoreReader(folder / "a.db").runs().size(), 1U);
}

TEST(StoreFile, AloneHasTheRunsThatEndedAndAllOnceItsWriterIsClosed) {
  const TempFolder folder{};
  const auto statesOfACopy = [&](const std::string& name) {
    std::filesystem::copy_file(folder / "a.db", folder / name);
    std::set<std::string> states;
    for (const store::RunRow& run : store::StoreReader(folder / name).runs()) states.insert(strCat(run.id, " ", stateName(run.state)));
    return states;
  };
  auto writer = std::make_unique<store::StoreWriter>(folder / "a.db");
  const store::StoreReader reader(folder / "a.db");
  writer->createRun(makeRun("r1", "x"), {});
  writer->setState("r1", store::RunState::kFinished);
  EXPECT_EQ(statesOfACopy("ended.db"), std::set<std::string>{"r1 finished"});
  writer->setText("r1", "x", "a note", {});
  writer->createRun(makeRun("r2", "y"), {});
  writer.reset();
  EXPECT_EQ(std::filesystem::file_size(folder / "a.db-wal"), 0U);
  EXPECT_EQ(statesOfACopy("closed.db"), (std::set<std::string>{"r1 finished", "r2 running"}));
}

TEST(StoreFile, AFolderIsRefused) {
  const TempFolder folder{};
  EXPECT_NE(messageOf(Errc::kStore, [&] { store::StoreWriter writer(folder.path()); }).find("is a folder"), std::string::npos);
  EXPECT_NE(messageOf(Errc::kStore, [&] { store::StoreReader reader(folder.path()); }).find("is a folder"), std::string::npos);
  writeText(folder / "file", "x");
  messageOf(Errc::kStore, [&] { store::StoreWriter writer(folder / "file/a.db"); });
}

TEST(StoreFile, HasOneWriterInThisProcess) {
  const TempFolder folder{};
  store::StoreWriter writer(folder / "a.db");
  const std::string message = messageOf(Errc::kLocked, [&] { store::StoreWriter second(folder / "a.db"); });
  EXPECT_NE(message.find("in use by process " + std::to_string(::getpid()) + " (storage_tests"), std::string::npos) << message;
  std::filesystem::create_symlink(folder / "a.db", folder / "b.db");
  messageOf(Errc::kLocked, [&] { store::StoreWriter second(folder / "b.db"); });
}

// A child that runs `work`, says so with one byte, then waits until it is killed.
class Child {
 public:
  template <class Work>
  explicit Child(Work&& work) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      auto kept = work();
      static_cast<void>(!::write(ends[1], "x", 1));
      for (;;) ::pause();
    }
    ::close(ends[1]);
    char byte = 0;
    EXPECT_EQ(::read(ends[0], &byte, 1), 1);
    ::close(ends[0]);
  }
  ~Child() { kill(); }
  void kill() {
    if (pid_ > 0) ::kill(pid_, SIGKILL), ::waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = 0;
};

TEST(StoreFile, LockedByAnotherProcessIsRefusedUntilThatDies) {
  const TempFolder folder{};
  makeStoreWithRun(folder / "a.db");
  Child other([&] { return store::StoreWriter(folder / "a.db"); });
  const std::string message = messageOf(Errc::kLocked, [&] { store::StoreWriter writer(folder / "a.db"); });
  EXPECT_TRUE(message.starts_with((folder / "a.db") + ": in use by process " + std::to_string(other.pid()) + " (")) << message;
  EXPECT_TRUE(message.ends_with("; close it or use another --store")) << message;
  EXPECT_EQ(store::StoreReader(folder / "a.db").runs().size(), 1U);  // readers need no lock
  other.kill();
  EXPECT_NO_THROW(store::StoreWriter(folder / "a.db"));
}

// A reader sees no store, or one of the newest version, whenever it looks.
TEST(StoreFile, ThatIsJustBeingMadeIsNeverAnOlderOne) {
  const TempFolder folder{};
  constexpr int kStores = 40;
  const auto path = [&](int i) { return folder / strCat(i, ".db"); };
  const std::jthread maker([&] {
    for (int i = 0; i < kStores; ++i) makeStoreWithRun(path(i));
  });
  for (int i = 0; i < kStores; ++i)
    for (std::size_t runs = 0; runs == 0;)
      if (std::filesystem::exists(path(i))) {
        ASSERT_NO_THROW(runs = store::StoreReader(path(i)).runs().size()) << i;
      }
}

}  // namespace
}  // namespace paceline::tests

// What a host is told to forget is on the disk of the store: a power cut right then loses nothing of the run.
#include <gmock/gmock.h>
#include <sqlite3.h>

#include <mutex>

#include "tests/recorder/recorder_fixture.h"

namespace paceline::tests {
namespace {

using recorder::Client;
using recorder::Entry;
using testing::Pair;
using testing::UnorderedElementsAre;

// SQLite's way to the disk, with an ear at the synchronisation of write-ahead logs.
struct Disk {
  sqlite3_vfs* real = ::sqlite3_vfs_find(nullptr);
  sqlite3_vfs ours = *real;
  const sqlite3_io_methods* files = nullptr;
  sqlite3_io_methods logs{};
  std::once_flag once;  // guards the two above
  std::function<void()> onSync;
};
Disk* disk = nullptr;

int syncLog(sqlite3_file* file, int flags) {
  const int code = disk->files->xSync(file, flags);
  disk->onSync();
  return code;
}

int openFile(sqlite3_vfs* /*ours*/, const char* name, sqlite3_file* file, int flags, int* given) {
  const int code = disk->real->xOpen(disk->real, name, file, flags, given);
  if (code != SQLITE_OK || (flags & SQLITE_OPEN_WAL) == 0) return code;
  std::call_once(disk->once, [file] {
    disk->files = file->pMethods;
    disk->logs = *file->pMethods;
    disk->logs.xSync = syncLog;
  });
  file->pMethods = &disk->logs;
  return code;
}

class PowerCut : public RecorderTest {
 protected:
  PowerCut() {
    disk = &disk_;
    disk_.onSync = [this] { keep(); };
    disk_.ours.zName = "heard";
    disk_.ours.xOpen = openFile;
    ::sqlite3_vfs_register(&disk_.ours, 1);
  }
  ~PowerCut() override { ::sqlite3_vfs_unregister(&disk_.ours); }

  // What a power cut now would leave of the only run: its state and how many rounds it has.
  std::pair<store::RunState, std::size_t> left() {
    const std::lock_guard lock(mutex_);
    const store::StoreReader store(kept_);
    const auto runs = store.runs();
    return runs.empty() ? std::pair(store::RunState::kDraft, std::size_t{0}) : std::pair(runs[0].state, store.rounds(runs[0].id).size());
  }

 private:
  void keep() {
    const std::lock_guard lock(mutex_);
    kept_ = (folder_ / strCat("kept-", ++synchronised_, ".db")).string();
    for (const char* end : {"", "-wal"}) std::filesystem::copy_file(storePath() + end, kept_ + end);
  }

  Disk disk_;
  std::mutex mutex_;  // guards what is below
  int synchronised_ = 0;
  std::string kept_;
};

TEST_F(PowerCut, LosesNothingThatAHostWasToldToForget) {
  std::mutex mutex;
  std::map<std::string, std::pair<store::RunState, std::size_t>> whenForgotten;
  for (const std::string host : {"a", "b"})
    cable(host).onSaid = [&, host](std::string_view request) {
      if (request.find(R"("request":"forget")") == std::string_view::npos) return;
      const auto kept = left();
      const std::lock_guard lock(mutex);
      whenForgotten[host] = kept;
    };
  {
    const auto serving = serve();
    Client desk = client();
    const Entry last = ended(desk, desk.submit(submission({FleetTest::spec(40)}))[0].run);
    EXPECT_EQ(last.state, store::RunState::kFinished) << last.text;
  }
  const auto whole = std::pair(store::RunState::kFinished, std::size_t{2 * 40});
  EXPECT_THAT(whenForgotten, UnorderedElementsAre(Pair("a", whole), Pair("b", whole)));
}

}  // namespace
}  // namespace paceline::tests

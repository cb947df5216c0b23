#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "storage/store/sqlite.h"
#include "tests/storage/samples.h"

namespace paceline::tests {
namespace {

constexpr std::int64_t kBatch = 20;

std::vector<StampedEvent> batchFrom(std::int64_t first) {
  std::vector<StampedEvent> events;
  for (std::int64_t seq = first; seq < first + kBatch; ++seq) events.push_back(roundEvent("r1", "w0", seq));
  return events;
}

// Appends batch after batch and tells the number of each committed one, until it is killed.
[[noreturn]] void appendForever(const std::string& path, int tell) {
  store::StoreWriter writer(path);
  for (std::int64_t first = 1;; first += kBatch) {
    writer.append(batchFrom(first));
    const std::int64_t committed = first + kBatch - 1;
    if (::write(tell, &committed, sizeof committed) != sizeof committed) ::_exit(1);
  }
}

// Kills such a child after `batches`; the last sequence number that it said was committed.
std::int64_t appendAndKill(const std::string& path, int batches) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) appendForever(path, ends[1]);
  ::close(ends[1]);
  std::int64_t committed = 0;
  for (int i = 0; i < batches; ++i)
    EXPECT_EQ(::read(ends[0], &committed, sizeof committed), static_cast<ssize_t>(sizeof committed));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  while (::read(ends[0], &committed, sizeof committed) == static_cast<ssize_t>(sizeof committed)) {
  }
  ::close(ends[0]);
  return committed;
}

TEST(StoreCrash, AKilledWriterLeavesAWholePrefixAndReplayAddsNoDuplicate) {
  const TempFolder folder{};
  for (int attempt = 0; attempt < 6; ++attempt) {
    const std::string path = folder / ("a" + std::to_string(attempt) + ".db");
    makeStoreWithRun(path);
    const std::int64_t committed = appendAndKill(path, 1 + attempt * 7);
    const auto rows = store::StoreReader(path).rounds("r1");  // a reader first: it recovers the log by itself
    ASSERT_GE(rows.size(), static_cast<std::size_t>(committed));
    ASSERT_EQ(rows.size() % kBatch, 0U);
    for (std::size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(rows[i].record, makeRound(static_cast<std::int64_t>(i + 1)));
    store::StoreWriter writer(path);
    ASSERT_EQ(writer.lastSeq("r1", "w0"), static_cast<std::int64_t>(rows.size()));
    for (std::int64_t first = 1; first <= committed + kBatch; first += kBatch) writer.append(batchFrom(first));
    const auto replayed = store::StoreReader(path).rounds("r1");
    ASSERT_EQ(replayed.size(), std::max(rows.size(), static_cast<std::size_t>(committed + kBatch)));
    for (std::size_t i = 0; i < replayed.size(); ++i) ASSERT_EQ(replayed[i].seq, static_cast<std::int64_t>(i + 1));
    EXPECT_EQ(store::Database(path, store::Database::Mode::kRead).text("PRAGMA integrity_check"), "ok");
  }
}

// In a child: file sizes are limited for the whole process. The exit code is the number of the check that failed.
int fillUp(const std::string& path) {
  ::signal(SIGXFSZ, SIG_IGN);
  store::StoreWriter writer(path);
  const rlimit small{.rlim_cur = 400'000, .rlim_max = RLIM_INFINITY};
  if (::setrlimit(RLIMIT_FSIZE, &small) != 0) return 2;
  std::int64_t first = 1;
  try {
    for (; first < 1'000'000; first += kBatch) writer.append(batchFrom(first));
    return 3;
  } catch (const Error& error) {
    if (error.code() != Errc::kNoSpace) return 4;
    if (std::string(error.what()).find(path + ": no space left") != 0) return 5;
  }
  if (writer.lastSeq("r1", "w0") != first - 1) return 6;  // the batch that failed left nothing
  const rlimit large{.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
  if (::setrlimit(RLIMIT_FSIZE, &large) != 0) return 7;
  if (writer.append(batchFrom(first)) != kBatch) return 8;  // there is room again: it goes on
  return store::StoreReader(path).rounds("r1").size() == static_cast<std::size_t>(first + kBatch - 1) ? 0 : 9;
}

TEST(StoreCrash, NoSpaceLeftIsSaidAndWhatWasCommittedIsKept) {
  const TempFolder folder{};
  makeStoreWithRun(folder / "a.db");
  const pid_t child = ::fork();
  if (child == 0) ::_exit(fillUp(folder / "a.db"));
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(StoreCrash, AFullDatabaseIsNoSpaceToo) {
  const TempFolder folder{};
  store::Database database(folder / "a.db", store::Database::Mode::kWrite);
  database.execute("PRAGMA max_page_count = 8; CREATE TABLE t(x)");
  messageOf(Errc::kNoSpace, [&] { database.execute("INSERT INTO t VALUES(zeroblob(100000))"); });
}

}  // namespace
}  // namespace paceline::tests

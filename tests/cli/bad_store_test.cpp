// Databases that cannot be used. Nothing of them may change.
#include <filesystem>
#include <fstream>
#include <iterator>

#include "storage/store/schema.h"
#include "storage/store/sqlite.h"
#include "storage/store/store.h"
#include "tests/cli/program.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

class BadStore : public Desk {
 protected:
  static std::string bytesOf(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string writers() { return writeSpec("tiny.json"); }
};

TEST_F(BadStore, FromANewerVersion) {
  { store::StoreWriter made(store()); }
  {
    std::fstream file(store(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(60);  // user_version in SQLite's header, big-endian
    file.write("\0\0\0\x63", 4);
  }
  const std::string before = bytesOf(store());
  const std::string expected =
      "paceline: " + store() + ": made by a newer Paceline \\(schema 99, this one knows [0-9]+\\); nothing was changed\n";
  for (const auto& command :
       std::vector<std::vector<std::string>>{{"runs"}, {"simulate", writers()}, {"summary", "x"}, {"purge", "x"}}) {
    const Outcome outcome = paceline(command);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, MatchesRegex(expected));
    EXPECT_EQ(outcome.out, "");
  }
  EXPECT_EQ(bytesOf(store()), before);
}

// Whatever is typed first after an update, a reading command, too.
TEST_F(BadStore, AnOlderOneIsUpgradedBeforeItIsReadAndSaysSo) {
  const std::vector<std::vector<std::string>> commands = {{"runs"}, {"show", "kept"}, {"tag", "kept", "--add", "seen"}, {"summary", "kept"}, {"simulate", writers(), "--in-process", "--resume"}};
  for (auto command : commands) {
    const std::string old = path(command.front() + ".db");
    {
      store::Database database(old, store::Database::Mode::kWrite);
      store::migrate(database, 3);
      std::ifstream rows(PACELINE_SOURCE_DIR "/tests/storage/fixtures/store_v3.sql");
      database.execute(std::string(std::istreambuf_iterator<char>(rows), {}));
    }
    command.insert(command.end(), {"--store", old});
    const Outcome outcome = paceline(command);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, StartsWith("paceline: " + old + " was of an older Paceline and is upgraded; that version can open the copy " + old + ".v3\n"));
    EXPECT_TRUE(std::filesystem::exists(old + ".v3"));
    EXPECT_EQ(paceline({"runs", "kept", "--store", old}).err, "");
  }
}

TEST_F(BadStore, NotADatabase) {
  const std::string text(4096, 'x');
  const std::string file = write("notes.txt", text);
  expectRefusal({"runs", "--store", file}, file + ": is not a Paceline store (file is not a database); nothing was changed");
  expectRefusal({"simulate", writers(), "--store", file},
                file + ": is not a Paceline store (file is not a database); nothing was changed");
  EXPECT_EQ(bytesOf(file), text);
}

TEST_F(BadStore, LockedByAnotherProcess) {
  const store::StoreWriter holder(store());
  const Outcome outcome = paceline({"simulate", writers()});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err,
              MatchesRegex("paceline: .*store.db: in use by process [0-9]+ \\(.*\\); close it or use another --store\n"));
  EXPECT_EQ(paceline({"runs"}).code, 0);  // reading goes on
}

TEST_F(BadStore, NoSpaceLeft) {
  const std::string disk = path("disk");
  const std::string mounted = "mkdir -p " + disk + " && mount -t tmpfs -o size=96k tmpfs " + disk;
  if (shell("unshare -rm sh -c '" + mounted + "'").code != 0) GTEST_SKIP() << "this system lets nobody mount a small disk";
  const Outcome outcome = shell("unshare -rm sh -c '" + mounted + " && exec $PACELINE simulate " + writers() +
                                " --set /stop/rounds=400 --store " + disk + "/store.db'");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("paceline: "));
  EXPECT_THAT(outcome.err, HasSubstr("no space left"));
}

TEST_F(BadStore, NoSpaceForADocument) {
  ASSERT_EQ(paceline({"simulate", writers()}).code, 0);
  expectRefusal({"summary", "tiny", "-o", "/dev/full"}, "cannot write /dev/full: No space left on device");
  const Outcome outcome = shell("$PACELINE runs --json > /dev/full");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err, "paceline: cannot write standard output: No space left on device\n");
}

TEST_F(BadStore, HasNoSuchRun) {
  expectRefusal({"show", "nothing"}, "no run \"nothing\" in " + store() + "; `paceline runs` lists what is there");
}

TEST_F(BadStore, ThatIsMissingIsEmpty) {
  EXPECT_EQ(json({"runs", "--json"}), (nlohmann::json{{"runs", nlohmann::json::array()}}));
}

}  // namespace
}  // namespace paceline::tests

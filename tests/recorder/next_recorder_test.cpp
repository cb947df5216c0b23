// One recorder after another: an update, a reboot, a log-out, a run that ended while nobody was there.
#include <gmock/gmock.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "app/cluster/recorder/protocol.h"
#include "app/cluster/recorder/reach.h"
#include "engine/core/base/error.h"
#include "storage/store/owner.h"
#include "storage/store/schema.h"
#include "tests/recorder/recorder_fixture.h"

namespace paceline::tests {
namespace {

using recorder::Channel;
using recorder::Client;
using recorder::Entry;
using recorder::Hello;
using testing::HasSubstr;

namespace fs = std::filesystem;

// What clients see of a recorder of another version. It holds the store until it is asked to leave.
class OtherRecorder {
 public:
  OtherRecorder(const std::string& store, Hello hello)
      : lock_(std::in_place, (fs::create_directories(fs::path(store).parent_path()), store)), listener_(std::in_place, store), hello_(std::move(hello)), thread_([this](const std::stop_token& stop) { serve(stop); }) {}
  bool left() const { return left_; }

 private:
  void serve(const std::stop_token& stop) {
    while (!stop.stop_requested() && !left_) {
      pollfd polled{listener_->fd(), POLLIN, 0};
      ::poll(&polled, 1, 50);
      if (auto socket = listener_->accept()) answer(Channel(std::move(*socket)));
    }
  }

  void answer(Channel client) {
    nextLine(client);
    client.send(toLine(hello_));
    for (std::string line; !(line = nextLine(client)).empty();) {
      const Json request = Json::parse(line);
      if (request["request"] == "leave") {
        left_ = true;
        listener_.reset();
        client.close();
        lock_.reset();
        return;
      }
      client.send(Json{{"id", request["id"]}, {"ok", true}, {"result", Json::array()}}.dump());
    }
  }

  std::optional<store::LockFile> lock_;
  std::optional<recorder::Listener> listener_;
  Hello hello_;
  std::atomic<bool> left_ = false;
  std::jthread thread_;
};

class NextRecorder : public RecorderTest {
 protected:
  void killRecorder() const {
    const pid_t pid = recorderPid();
    ASSERT_EQ(::kill(pid, SIGKILL), 0);
    ASSERT_TRUE(waitForEnd(pid));
  }

  // The store as the version before made it, with the rows that it has.
  int makeOlder() const {
    const std::string newer = storePath() + ".newer";
    for (const char* end : {"", "-wal"}) fs::rename(storePath() + end, newer + end);
    fs::remove(storePath() + "-shm");
    store::Database database(storePath(), store::Database::Mode::kWrite);
    store::migrate(database, store::latestVersion() - 1);
    database.execute("ATTACH '" + newer + "' AS newer");
    database.execute(database.text(R"(
      SELECT group_concat('INSERT INTO main.' || t.name || ' SELECT ' || (SELECT group_concat('"' || c.name || '"') FROM pragma_table_info(t.name) c) ||
                          ' FROM newer.' || t.name, ';')
      FROM main.sqlite_schema t WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'
    )"));
    return store::latestVersion() - 1;
  }

  static Entry entryOf(Client& desk, const std::string& run) {
    for (const Entry& entry : desk.queue())
      if (entry.run == run) return entry;
    ADD_FAILURE() << "the queue has no run " << run;
    return {};
  }
};

TEST_F(NextRecorder, GoesOnWhereTheOneLeftThatANewerClientAskedToLeave) {
  Client desk = client();
  const std::string run = desk.submit(submission({spec(600)}))[0].run;
  awaited(desk, run, [](const Entry& entry) { return entry.progress.round > 20; });
  const pid_t first = recorderPid();

  Channel newer(recorder::connectTo(storePath()).value());
  Hello hello = recorder::ourHello(false);
  hello.version = "99.0.0";
  newer.send(toLine(hello));
  EXPECT_TRUE(recorder::helloOf(nextLine(newer)));
  newer.send(R"({"id": 0, "request": "leave"})");
  while (!nextLine(newer).empty()) continue;
  EXPECT_TRUE(waitForEnd(first));

  const store::StoreReader store(storePath());
  EXPECT_GT(roundsOf(run, "w0").size(), 20U);  // what was told was committed
  EXPECT_FALSE(store::isEnded(store.find(run)->state));
  ASSERT_EQ(store.queue().size(), 1U);
  EXPECT_TRUE(store.queue()[0].begun);
  allEnded(desk);
  EXPECT_NE(recorderPid(), first);
  EXPECT_EQ(row(run).state, store::RunState::kFinished) << row(run).error;
  expectAllRoundsOnce(run, 600);
  expectNothingLeft();
}

TEST_F(NextRecorder, OfANewerVersionCopiesTheStoreAndFollowsItsRuns) {
  std::string run;
  {
    Client desk = client();
    run = desk.submit(submission({spec(600)}))[0].run;
    awaited(desk, run, [](const Entry& entry) { return entry.progress.round > 20; });
    const store::StoreReader reader(storePath());
    awaited(desk, run, [&](const Entry&) { return reader.rounds(run).size() > 20; });  // told before it is committed
  }
  killRecorder();
  const int version = makeOlder();
  const OtherRecorder older(storePath(), {.schema = version, .version = "0.0.1", .pid = ::getpid()});

  Client desk = client();
  allEnded(desk);
  EXPECT_TRUE(older.left());
  EXPECT_EQ(row(run).state, store::RunState::kFinished) << row(run).error;
  expectAllRoundsOnce(run, 600);
  store::Database copy(strCat(storePath(), ".v", version), store::Database::Mode::kRead);
  EXPECT_EQ(store::checkedVersion(copy), version);
  EXPECT_EQ(copy.text("SELECT id FROM run"), run);
  EXPECT_GT(copy.number("SELECT count(*) FROM round"), 20);
}

TEST_F(NextRecorder, OfAnOlderStoreSaysWhichProgramToUse) {
  const OtherRecorder newer(storePath(), {.schema = store::latestVersion() + 1, .version = "99.0.0", .pid = ::getpid()});
  Client desk = client();
  try {
    desk.queue();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kStore);
    EXPECT_EQ(error.what(), strCat(storePath(), ": its recorder is Paceline 99.0.0, this is ", recorder::ourHello(false).version, "; use that one"));
  }
  EXPECT_FALSE(newer.left());
}

TEST_F(NextRecorder, IsNotNeededWhereOnlyTheNumberIsNewer) {
  const OtherRecorder newer(storePath(), {.schema = store::latestVersion(), .version = "99.0.0", .pid = ::getpid()});
  EXPECT_TRUE(client().queue().empty());
  EXPECT_FALSE(newer.left());
}

TEST_F(NextRecorder, AfterARebootHoldsWhatOnlyWaitedAndFollowsWhatRan) {
  Client desk = client();
  RunSpec long_ = spec(100'000);
  long_.name = "long";
  const std::vector<Entry> entries = desk.submit(submission({long_, spec(5)}));
  const std::string running = entries[0].run, waiting = entries[1].run;
  awaited(desk, running, [](const Entry& entry) { return entry.progress.round > 20; });
  killRecorder();
  store::Database(storePath(), store::Database::Mode::kWrite).execute("UPDATE queue SET boot = 'of the day before'");

  const Entry held = entryOf(desk, waiting);
  EXPECT_TRUE(held.held);
  EXPECT_EQ(held.text, "held since this computer was started again; paceline queue go lets it run");
  EXPECT_FALSE(entryOf(desk, running).held);
  const std::size_t rounds = roundsOf(running, "w0").size();
  awaited(desk, running, [&](const Entry& entry) { return entry.progress.round > static_cast<std::int64_t>(rounds); });
  desk.stop(running);
  EXPECT_EQ(ended(desk, running).state, store::RunState::kStopped);
  EXPECT_TRUE(entryOf(desk, waiting).held);  // although its host is free

  killRecorder();
  EXPECT_TRUE(entryOf(desk, waiting).held);  // of the same day
  EXPECT_FALSE(store::StoreReader(storePath()).find(waiting));
  EXPECT_EQ(runProgram({std::string(PACELINE_BIN_DIR) + "/paceline", "--store", storePath(), "queue", "go"}), 0);
  EXPECT_EQ(ended(desk, waiting).state, store::RunState::kFinished);
}

TEST_F(NextRecorder, GoesOnServingAfterARequestThatMakesNoSense) {
  const auto serving = serve();
  Channel line(recorder::connectTo(storePath()).value());
  line.send(toLine(recorder::ourHello(false)));
  EXPECT_TRUE(recorder::helloOf(nextLine(line)));
  line.send(R"({"id": 1, "request": "stop", "run": 5})");
  EXPECT_FALSE(Json::parse(nextLine(line)).at("ok"));
  line.send(R"({"id": 2, "request": "queue"})");
  EXPECT_TRUE(Json::parse(nextLine(line)).at("ok"));
}

TEST_F(NextRecorder, EndsAnEntryWhoseContextCannotBeRead) {
  Client desk = client();
  const std::vector<Entry> entries = desk.submit(submission({spec(100'000), spec(5)}));
  const std::string running = entries[0].run, damaged = entries[1].run;
  awaited(desk, running, [](const Entry& entry) { return entry.progress.round > 20; });
  killRecorder();
  store::Database(storePath(), store::Database::Mode::kWrite).execute("UPDATE queue SET context = '[' WHERE entry = (SELECT max(entry) FROM queue)");
  desk.stop(running);
  EXPECT_EQ(ended(desk, running).state, store::RunState::kStopped);
  EXPECT_EQ(ended(desk, damaged).state, store::RunState::kFailed);
}

TEST_F(NextRecorder, IsReachedAgainWhenALogOutRemovedItsFolder) {
  const fs::path login = folder_ / "login";
  const auto logIn = [&login] {
    fs::create_directory(login);
    fs::permissions(login, fs::perms::owner_all);
  };
  ::setenv("XDG_RUNTIME_DIR", login.c_str(), 1);
  logIn();
  Client desk = client();
  const std::string run = desk.submit(submission({spec(1'000'000)}))[0].run;
  const pid_t pid = recorderPid();
  EXPECT_TRUE(fs::exists(login / "paceline" / recorder::socketName(storePath())));

  fs::remove_all(login);
  EXPECT_EQ(client().queue().at(0).run, run);
  logIn();
  while (!fs::exists(login / "paceline" / recorder::socketName(storePath()))) desk.next(0.05);
  fs::remove_all(login / "paceline");
  EXPECT_EQ(client().queue().at(0).run, run);
  EXPECT_EQ(recorderPid(), pid);
  desk.stop(run);
  EXPECT_EQ(ended(desk, run).state, store::RunState::kStopped);
}

TEST_F(NextRecorder, TakesARunsTimesFromTheNodesOfItsCoordinatorsHost) {
  auto serving = serve();
  Client desk = client();
  const std::string run = desk.submit(submission({FleetTest::spec(300)}))[0].run;
  awaited(desk, run, [](const Entry& entry) { return entry.progress.round > 5; });
  serving.reset();
  const auto active = [this](const std::string& host) { return std::ranges::any_of(runsOn(host), &run::AgentRun::active); };
  while (active("a") || active("b")) continue;
  const double later = unixNow();
  serving = serve();
  allEnded(desk);

  double started = later, ended = 0;
  for (const store::NoticeRow& notice : store::StoreReader(storePath()).notices(run)) {
    if (notice.node == "w1") continue;  // on another host
    if (notice.record.kind == "started") started = std::min(started, notice.record.unixTime);
    if (notice.record.kind == "exit") ended = std::max(ended, notice.record.unixTime);
  }
  EXPECT_EQ(row(run).state, store::RunState::kFinished) << row(run).error;
  EXPECT_EQ(row(run).startedUtc, started);
  EXPECT_EQ(row(run).endedUtc, ended);
  EXPECT_LT(ended, later);
}

}  // namespace
}  // namespace paceline::tests

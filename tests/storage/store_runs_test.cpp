#include <sys/wait.h>
#include <unistd.h>

#include <set>

#include "tests/storage/samples.h"

namespace paceline::tests {
namespace {

TEST(StoreRuns, GiveBackEveryField) {
  const TempFolder folder{};
  store::RunRow run = makeRun("r1", "name", store::RunState::kFailed);
  run.error = "e", run.reason = "why", run.specText = "{\"a\":1}", run.seed = 18446744073709551615U, run.configHash = "c";
  run.groupHash = "g", run.tags = {"one", "two, three"}, run.notes = "n", run.createdUtc = 1.5, run.startedUtc = 2.5,
  run.endedUtc = 3.5;
  run.source = "simulated", run.versions = "{}";
  store::NodeRow server;
  server.run = "r1", server.id = "s0", server.role = "server", server.host = "h", server.device = "cpu";
  store::StoreWriter writer(folder / "sub/folder/a.db");
  writer.createRun(run, std::vector{server, makeWorker("r1", "w0", 0)});
  const store::StoreReader reader(writer.path());
  const store::RunRow got = reader.find("r1").value();
  EXPECT_EQ(got.name, run.name);
  EXPECT_EQ(got.state, run.state);
  EXPECT_EQ(got.error, run.error);
  EXPECT_EQ(got.reason, run.reason);
  EXPECT_EQ(got.specText, run.specText);
  EXPECT_EQ(got.algorithm + got.model + got.dataset + got.partition, "ssgdlenetsyntheticiid");
  EXPECT_EQ(got.seed, run.seed);
  EXPECT_EQ(got.configHash + got.groupHash, "cg");
  EXPECT_EQ(got.tags, run.tags);
  EXPECT_EQ(got.notes, run.notes);
  EXPECT_EQ(got.createdUtc, 1.5);
  EXPECT_EQ(got.startedUtc, 2.5);
  EXPECT_EQ(got.endedUtc, 3.5);
  EXPECT_EQ(got.source + got.versions, "simulated{}");
  const auto nodes = reader.nodes("r1");
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes[0].id + nodes[0].role + nodes[0].host + nodes[0].device, "s0serverhcpu");
  EXPECT_EQ(nodes[0].rank, -1);
  EXPECT_EQ(nodes[1].rank, 0);
}

TEST(StoreRuns, IdsAreTwentyCharactersUniqueAndGrow) {
  std::set<std::string> ids;
  std::string before;
  for (int i = 0; i < 1000; ++i) {
    const std::string id = store::newRunId();
    EXPECT_EQ(id.size(), 20U);
    EXPECT_LT(before, id);
    ids.insert(before = id);
  }
  EXPECT_EQ(ids.size(), 1000U);
}

TEST(StoreRuns, AMissingFileIsAnEmptyStoreThatMayAppearLater) {
  const TempFolder folder{};
  const store::StoreReader reader(folder / "a.db");
  EXPECT_TRUE(reader.runs().empty());
  EXPECT_FALSE(reader.find("r1").has_value());
  EXPECT_FALSE(std::filesystem::exists(folder / "a.db"));
  makeStoreWithRun(folder / "a.db");
  EXPECT_EQ(reader.runs().size(), 1U);
}

TEST(StoreRuns, AnIdThatIsTakenIsRefused) {
  const TempFolder folder{};
  makeStoreWithRun(folder / "a.db");
  store::StoreWriter writer(folder / "a.db");
  const std::string message = messageOf(Errc::kStore, [&] { writer.createRun(makeRun("r1", "again"), {}); });
  EXPECT_NE(message.find("run r1 is already in this store"), std::string::npos) << message;
  messageOf(Errc::kStore, [&] {
    writer.createRun(makeRun("r2", "x"), std::vector{makeWorker("r2", "w0", 0), makeWorker("r2", "w0", 1)});
  });
  EXPECT_FALSE(store::StoreReader(folder / "a.db").find("r2").has_value());
}

TEST(StoreRuns, StatesKeepTimeErrorAndReason) {
  const TempFolder folder{};
  makeStoreWithRun(folder / "a.db");
  store::StoreWriter writer(folder / "a.db");
  const store::StoreReader reader(folder / "a.db");
  writer.setState("r1", store::RunState::kRunning);
  const double started = reader.find("r1")->startedUtc;
  EXPECT_GT(started, 0);
  EXPECT_EQ(reader.find("r1")->endedUtc, 0);
  writer.setState("r1", store::RunState::kStopping, "", "asked");
  writer.setState("r1", store::RunState::kFailed, "worker w1 was killed");
  const store::RunRow run = reader.find("r1").value();
  EXPECT_EQ(run.state, store::RunState::kFailed);
  EXPECT_EQ(run.error, "worker w1 was killed");
  EXPECT_EQ(run.reason, "asked");
  EXPECT_EQ(run.startedUtc, started);
  EXPECT_GE(run.endedUtc, started);
  messageOf(Errc::kStore, [&] { writer.setState("nope", store::RunState::kRunning); });
}

TEST(StoreRuns, EveryStateHasItsWordAndBack) {
  for (int i = 0; i <= static_cast<int>(store::RunState::kImported); ++i) {
    const auto state = static_cast<store::RunState>(i);
    EXPECT_EQ(store::stateFromName(store::stateName(state)), state);
  }
  EXPECT_FALSE(store::stateFromName("asleep").has_value());
}

TEST(StoreRuns, ARunWhoseRecorderIsGoneReadsStale) {
  const TempFolder folder{};
  makeStoreWithRun(folder / "a.db");
  store::StoreWriter writer(folder / "a.db");
  const store::StoreReader reader(folder / "a.db");
  EXPECT_EQ(reader.find("r1")->state, store::RunState::kRunning);  // this process owns it
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  store::RunRow lost = makeRun("r2", "lost");
  lost.ownerPid = child, lost.ownerStart = 1;
  writer.createRun(lost, {});
  const store::RunRow got = reader.find("r2").value();
  EXPECT_EQ(got.state, store::RunState::kStale);
  EXPECT_NE(got.error.find(std::to_string(child)), std::string::npos) << got.error;
  lost.id = "r3", lost.state = store::RunState::kFinished;
  writer.createRun(lost, {});
  EXPECT_EQ(reader.find("r3")->state, store::RunState::kFinished);
  EXPECT_EQ(reader.runs({.text = "stale"}).size(), 1U);
  writer.adopt("r2");
  EXPECT_EQ(reader.find("r2")->state, store::RunState::kRunning);
}

TEST(StoreRuns, AProcessIdUsedAgainIsNotTheOwner) {
  const TempFolder folder{};
  store::StoreWriter writer(folder / "a.db");
  store::RunRow run = makeRun("r1", "x");
  run.ownerPid = ::getpid(), run.ownerStart = 1;  // some earlier process of that number
  writer.createRun(run, {});
  EXPECT_EQ(store::StoreReader(folder / "a.db").find("r1")->state, store::RunState::kStale);
}

TEST(StoreRuns, AreFoundByIdPrefixOrNewestOfAName) {
  const TempFolder folder{};
  store::StoreWriter writer(folder / "a.db");
  double created = 0;
  for (const char* id : {"aa1", "aa2", "ab3"}) {
    store::RunRow run = makeRun(id, id == std::string("ab3") ? "other" : "same", store::RunState::kFinished);
    run.createdUtc = ++created;
    writer.createRun(run, {});
  }
  const store::StoreReader reader(folder / "a.db");
  EXPECT_EQ(reader.find("aa1")->id, "aa1");
  EXPECT_EQ(reader.find("ab")->id, "ab3");
  EXPECT_EQ(reader.find("same")->id, "aa2");
  EXPECT_FALSE(reader.find("none").has_value());
  EXPECT_FALSE(reader.find("").has_value());
  const std::string message = messageOf(Errc::kUsage, [&] { static_cast<void>(reader.find("aa")); });
  EXPECT_NE(message.find("aa1 (same)"), std::string::npos) << message;
  EXPECT_NE(message.find("aa2 (same)"), std::string::npos) << message;
  writer.trash("aa2");
  EXPECT_EQ(reader.find("same")->id, "aa1");
}

TEST(StoreRuns, AreListedNewestFirstAndFilteredByEveryWord) {
  const TempFolder folder{};
  store::StoreWriter writer(folder / "a.db");
  for (int i = 0; i < 3; ++i) {
    store::RunRow run = makeRun("id" + std::to_string(i), "Run " + std::to_string(i), store::RunState::kFinished);
    run.createdUtc = i + 1;
    writer.createRun(run, {});
  }
  writer.setText("id1", "Renamed", "slow network", {"Paper"});
  const store::StoreReader reader(folder / "a.db");
  ASSERT_EQ(reader.runs().size(), 3U);
  EXPECT_EQ(reader.runs()[0].id, "id2");
  EXPECT_EQ(reader.runs({.text = "SLOW paper renamed lenet"}).size(), 1U);
  EXPECT_TRUE(reader.runs({.text = "slow none"}).empty());
  EXPECT_EQ(reader.runs({.text = "finished ssgd"}).size(), 3U);
  const auto titles = [](const store::RunRow& run) { return run.id == "id0" ? std::string("LeNet-5 on MNIST") : std::string(); };
  EXPECT_EQ(reader.runs({.text = "lenet-5 mnist", .titles = titles}).size(), 1U);
  EXPECT_EQ(reader.runs({.text = "ssgd", .titles = titles}).size(), 3U);
}

TEST(StoreRuns, TrashCanBeUndoneAndPurgeFreesTheSpace) {
  const TempFolder folder{};
  makeStoreWithRun(folder / "a.db");
  store::StoreWriter writer(folder / "a.db");
  const store::StoreReader reader(folder / "a.db");
  EXPECT_NE(messageOf(Errc::kStore, [&] { writer.trash("r1"); }).find("still going on"), std::string::npos);
  writer.createRun(makeRun("r2", "kept", store::RunState::kFinished), {});
  std::vector<StampedEvent> events;
  for (std::int64_t seq = 1; seq <= 20'000; ++seq) events.push_back(roundEvent("r1", "w0", seq));
  events.push_back(roundEvent("r2", "w0", 1));
  writer.append(events);
  writer.setState("r1", store::RunState::kFinished);
  messageOf(Errc::kStore, [&] { writer.purge("r1"); });  // not in the trash
  writer.trash("r1");
  EXPECT_EQ(reader.runs().size(), 1U);
  EXPECT_EQ(reader.runs({.text = "", .trashed = true}).size(), 1U);
  writer.restore("r1");
  EXPECT_EQ(reader.rounds("r1").size(), 20'000U);
  writer.trash("r1");
  writer.purge("r1");
  EXPECT_FALSE(reader.find("r1").has_value());
  EXPECT_TRUE(reader.rounds("r1").empty());
  EXPECT_EQ(reader.rounds("r2").size(), 1U);
  EXPECT_LT(std::filesystem::file_size(folder / "a.db"), 240'000U);
  EXPECT_EQ(std::filesystem::file_size(folder / "a.db-wal"), 0U);
}

TEST(StoreRuns, DefaultPathFollowsTheEnvironment) {
  ::setenv("XDG_DATA_HOME", "/data", 1);
  ::unsetenv("PACELINE_STORE");
  EXPECT_EQ(store::defaultStorePath(), "/data/paceline/paceline.db");
  ::setenv("PACELINE_STORE", "/x/y.db", 1);
  EXPECT_EQ(store::defaultStorePath(), "/x/y.db");
  ::unsetenv("PACELINE_STORE");
  ::unsetenv("XDG_DATA_HOME");
  ::setenv("HOME", "/home/someone", 1);
  EXPECT_EQ(store::defaultStorePath(), "/home/someone/.local/share/paceline/paceline.db");
}

}  // namespace
}  // namespace paceline::tests

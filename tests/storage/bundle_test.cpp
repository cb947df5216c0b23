#include <gmock/gmock.h>

#include <malloc.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "engine/core/json/json_text.h"
#include "storage/interchange/interop.h"
#include "tests/storage/two_workers.h"

namespace paceline::tests {
namespace {

using testing::HasSubstr;

summary::RunData fullRun() {
  summary::RunData data = twoWorkers();
  data.run.specText = R"({"paceline":1,"seed":3})", data.run.tags = {"a"}, data.run.notes = "n\n", data.run.createdUtc = 5.25;
  data.run.seed = 18446744073709551615U;
  data.rounds[0].record.loss = std::numeric_limits<double>::quiet_NaN();
  data.notices = {
      {.node = "w0",
       .seq = 20,
       .record = {.kind = "finished", .text = "done", .level = "info", .reason = "rounds", .code = 0, .unixTime = 7}}};
  HostLoad load;
  load.cpu = 0.5;
  data.hostLoads = {{.node = "local", .seq = 1, .record = load}};
  EdgeRecord edge;
  edge.peer = "w1", edge.exchanges = 3, edge.age = 2.5;
  data.edges = {{.node = "w0", .seq = 21, .record = edge}};
  data.labels = {{.node = "w0", .seq = 22, .record = {.counts = {6000, 0, 12}}}, {.node = "w1", .seq = 22, .record = {.counts = {}}}};
  return data;
}

TEST(Bundle, AFolderOfThemIsTakenAsAWholeOrNot) {
  const TempFolder folder{};
  summary::RunData data = twoWorkers();
  for (const char* id : {"r1", "r2"}) {
    data.run.id = id;
    for (store::NodeRow& node : data.nodes) node.run = id;
    writeText(folder / strCat("all/", id, ".json"), interchange::runToJson(data));
  }
  writeText(folder / "all/words.txt", "Some words.");
  store::StoreWriter writer(folder / "a.db");
  EXPECT_EQ(interchange::importPath(writer, folder / "all"), (std::vector<std::string>{"r1", "r2"}));
  store::StoreWriter other(folder / "b.db");
  std::string broken = readText(folder / "all/r2.json");
  broken.resize(broken.size() / 2);
  writeText(folder / "all/r2.json", broken);
  EXPECT_THROW(interchange::importPath(other, folder / "all"), Error);
  EXPECT_TRUE(store::StoreReader(folder / "b.db").runs().empty());
}

TEST(Bundle, GivesBackEverything) {
  const TempFolder folder{};
  const summary::RunData data = fullRun();
  for (const int indent : {-1, 2}) {
    writeText(folder / "run.json", interchange::runToJson(data, indent));
    const std::string path = folder / strCat("a", indent, ".db");
    store::StoreWriter writer(path);
    EXPECT_EQ(interchange::importPath(writer, folder / "run.json"), std::vector<std::string>{"r1"});
    const store::StoreReader reader(path);
    const summary::RunData got = summary::loadRun(reader, reader.find("r1").value());
    EXPECT_EQ(got.run.specText, data.run.specText);
    EXPECT_EQ(got.run.seed, data.run.seed);
    EXPECT_EQ(got.run.state, store::RunState::kFinished);
    EXPECT_EQ(got.run.createdUtc, 5.25);
    EXPECT_EQ(got.nodes.size(), 3U);
    ASSERT_EQ(got.rounds.size(), data.rounds.size());
    EXPECT_TRUE(std::isnan(got.rounds[0].record.loss));
    for (std::size_t i = 1; i < got.rounds.size(); ++i) EXPECT_EQ(got.rounds[i].record, data.rounds[i].record);
    EXPECT_EQ(got.evaluations.at(1).record, data.evaluations[1].record);
    EXPECT_EQ(got.notices.at(0).record, data.notices[0].record);
    EXPECT_EQ(got.hostLoads.at(0).record, data.hostLoads[0].record);
    EXPECT_EQ(got.edges.at(0).record, data.edges[0].record);
    ASSERT_EQ(got.labels.size(), 2U);
    EXPECT_EQ(got.labels[0].record, data.labels[0].record);
    EXPECT_EQ(interchange::runToJson(got, indent), interchange::runToJson(data, indent));
  }
}

TEST(Bundle, FromBeforeLabelsWereRecordedIsRead) {
  const TempFolder folder{};
  Json document = Json::parse(interchange::runToJson(fullRun()));
  document.erase("labels");
  writeText(folder / "run.json", document.dump());
  store::StoreWriter writer(folder / "a.db");
  interchange::importPath(writer, folder / "run.json");
  EXPECT_TRUE(store::StoreReader(folder / "a.db").records<LabelsRecord>("r1").empty());
}

summary::RunData manyRounds(int rounds) {
  summary::RunData data = fullRun();
  data.rounds.resize(1);
  for (int i = 1; i < rounds; ++i) {
    data.rounds.push_back(data.rounds.front());
    data.rounds.back().seq = 1000 + i;
    data.rounds.back().record.round = i;
  }
  return data;
}

std::size_t memoryMb(const char* which) {  // VmRSS now, VmHWM at most
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(which)) return static_cast<std::size_t>(std::stoul(line.substr(line.find_first_of("0123456789")))) / 1024;
  return 0;
}

TEST(Bundle, IsReadRecordByRecordWhereverItsRunStands) {
  const TempFolder folder{};
  constexpr int kRounds = 12'345;  // more than two batches
  const std::string text = interchange::runToJson(manyRounds(kRounds));
  Json other = Json::parse(text);
  other["run"]["id"] = "r2";
  Json third = other;
  third["run"]["id"] = "r3";
  writeText(folder / "one.json", text);
  writeText(folder / "two.json", "[" + other.dump() + "," + third.dump() + "]");  // keys in order of the alphabet: the run comes last
  store::StoreWriter writer(folder / "a.db");
  EXPECT_EQ(interchange::importPath(writer, folder / "one.json"), std::vector<std::string>{"r1"});
  EXPECT_EQ(interchange::importPath(writer, folder / "two.json"), (std::vector<std::string>{"r2", "r3"}));
  const store::StoreReader reader(folder / "a.db");
  for (const char* id : {"r1", "r2", "r3"}) EXPECT_EQ(reader.rounds(id).size(), static_cast<std::size_t>(kRounds)) << id;
}

TEST(Bundle, ALargeOneTakesLittleMemory) {
#ifdef PACELINE_SANITIZED
  GTEST_SKIP() << "a sanitizer keeps what is freed";
#endif
  const TempFolder folder{};
  std::size_t bytes = 0;
  {
    const std::string text = interchange::runToJson(manyRounds(100'000));
    bytes = text.size();
    writeText(folder / "run.json", text);
  }
  ::malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << 5;  // the peak is what is in use now
  const std::size_t before = memoryMb("VmRSS");
  if (memoryMb("VmHWM") > before + 1) GTEST_SKIP() << "the peak of a process is not set back here";
  store::StoreWriter writer(folder / "a.db");
  interchange::importPath(writer, folder / "run.json");
  EXPECT_LT(memoryMb("VmHWM") - before, bytes / 1'000'000) << "less than its text, and its values would take eight times that";
}

TEST(Bundle, WhatIsNoRecordIsNamedByItsPlaceInTheFile) {
  const TempFolder folder{};
  Json document = Json::parse(interchange::runToJson(manyRounds(50)));
  std::string text = document.dump();
  const std::size_t at = text.find("\"seq\":1040");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 10, "\"node\":1040");
  writeText(folder / "bad.json", text);
  store::StoreWriter writer(folder / "a.db");
  EXPECT_THAT(messageOf(Errc::kFormat, [&] { interchange::importPath(writer, folder / "bad.json"); }), HasSubstr("bad.json: is not a Paceline bundle: /rounds/40/node occurs twice"));
  text.erase(at, 1);
  writeText(folder / "bad.json", text);
  EXPECT_THAT(messageOf(Errc::kFormat, [&] { interchange::importPath(writer, folder / "bad.json"); }), HasSubstr(strCat("is not JSON: line 1, column ", at + 2, ": ")));
  writeText(folder / "bad.json", "{\"paceline_bundle\": 1, \"run\": {\"notes\": \"" + std::string(65 << 20, 'x') + "\"}}");
  EXPECT_THAT(messageOf(Errc::kFormat, [&] { interchange::importPath(writer, folder / "bad.json"); }), HasSubstr("it has more than 67 MB beside its lists of records"));
  EXPECT_TRUE(store::StoreReader(folder / "a.db").runs().empty());
}

TEST(Bundle, IsOneJsonDocument) {
  const Json document = Json::parse(interchange::runToJson(fullRun()));
  EXPECT_EQ(document["paceline_bundle"], 1);
  EXPECT_EQ(document["run"]["spec"]["seed"], 3);
  EXPECT_EQ(document["rounds"][0]["event"]["kind"], "round");
}

TEST(Bundle, OfARunThatWasNotOverIsImportedAsSuch) {
  const TempFolder folder{};
  summary::RunData data = fullRun();
  data.run.state = store::RunState::kRunning;
  writeText(folder / "run.json", interchange::runToJson(data));
  store::StoreWriter writer(folder / "a.db");
  interchange::importPath(writer, folder / "run.json");
  EXPECT_EQ(store::StoreReader(folder / "a.db").find("r1")->state, store::RunState::kImported);
}

TEST(Bundle, WhatIsThereAlreadyOrDamagedIsRefusedWhole) {
  const TempFolder folder{};
  const std::string text = interchange::runToJson(fullRun());
  writeText(folder / "run.json", text);
  store::StoreWriter writer(folder / "a.db");
  interchange::importPath(writer, folder / "run.json");
  EXPECT_THAT(messageOf(Errc::kStore, [&] { interchange::importPath(writer, folder / "run.json"); }),
              HasSubstr("run r1 is already in this store"));
  Json other = Json::parse(text);
  other["run"]["id"] = "r2";
  Json newer = other, wrong = other, lacking = other;
  Json older = other, word = other, deep = other;
  older["paceline_bundle"] = 0;
  word["paceline_bundle"] = "one";
  deep["rounds"][1]["event"] = 7;
  newer["paceline_bundle"] = 2;
  wrong["rounds"][1]["event"]["samples"] = "many";
  lacking["run"].erase("state");
  const std::pair<std::string, const char*> cases[] = {{newer.dump(), "newer Paceline (bundle 2"},
                                                       {older.dump(), "bad.json: \"paceline_bundle\" must be 1, it is 0"},
                                                       {word.dump(), "bad.json: \"paceline_bundle\" must be 1, it is \"one\""},
                                                       {std::string(100000, '['), "bad.json: is not a Paceline bundle: it is nested deeper than 64 levels"},
                                                       {deep.dump(), "event"},
                                                       {wrong.dump(), "samples must be"},
                                                       {lacking.dump(), "run/state must be a text"},
                                                       {"{}", "is not a Paceline bundle"},
                                                       {"{\"paceline_bundle\": 1", "is not a Paceline bundle"},
                                                       {"[" + other.dump() + ", 3]", "is not a Paceline bundle"}};
  for (const auto& [bad, says] : cases) {
    writeText(folder / "bad.json", bad);
    EXPECT_THAT(messageOf(Errc::kFormat, [&] { interchange::importPath(writer, folder / "bad.json"); }), HasSubstr(says));
    EXPECT_EQ(store::StoreReader(folder / "a.db").runs().size(), 1U);
  }
}

}  // namespace
}  // namespace paceline::tests

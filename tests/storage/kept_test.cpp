// What programs of schema version 3 recorded (fixtures/kept, made by its make.sh) opens unchanged: the same summaries, the same bundles and
// tables, the same lines.
#include <algorithm>
#include <filesystem>
#include <sstream>

#include "engine/core/json/json_text.h"
#include "storage/interchange/interop.h"
#include "tests/storage/samples.h"

namespace paceline::tests {
namespace {

std::string kept(const std::string& name) { return strCat(PACELINE_SOURCE_DIR, "/tests/storage/fixtures/kept/", name); }

// What an earlier version said is said again; a newer one may say more.
void expectWithin(const Json& before, const Json& now, const std::string& at) {
  if (before.is_object() && now.is_object()) {
    for (const auto& [key, value] : before.items()) {
      ASSERT_TRUE(now.contains(key)) << at << "/" << key;
      expectWithin(value, now[key], strCat(at, "/", key));
    }
  } else if (before.is_array() && now.is_array()) {
    ASSERT_EQ(before.size(), now.size()) << at;
    for (std::size_t i = 0; i < before.size(); ++i) expectWithin(before[i], now[i], strCat(at, "/", i));
  } else {
    EXPECT_EQ(before, now) << at;
  }
}

summary::RunData dataOf(const store::StoreReader& reader, const std::string& run) { return summary::loadRun(reader, reader.find(run).value()); }

// Columns that came later stand at the end of a row and are empty for what was recorded before.
std::string withLaterColumns(const std::string& csv, const std::string& names) {
  std::string text, line;
  std::istringstream lines(csv);
  for (const std::string* more = &names; std::getline(lines, line, '\r') && lines.get(); more = nullptr)
    text += line + (more ? *more : std::string(static_cast<std::size_t>(std::ranges::count(names, ',')), ',')) + "\r\n";
  return text;
}

std::string withoutLastColumns(const std::string& csv, int count) {
  std::string text, line;
  std::istringstream lines(csv);
  while (std::getline(lines, line, '\r') && lines.get()) {
    for (int i = 0; i < count; ++i) line.resize(line.rfind(','));
    text += line + "\r\n";
  }
  return text;
}

TEST(Kept, StoreHasTheSummariesOfTheVersionThatRecordedIt) {
  const TempFolder folder{};
  const std::string path = folder / "store.db";
  std::filesystem::copy_file(kept("store.db"), path);
  { const store::StoreWriter migrated(path); }
  const store::StoreReader reader(path);
  const Json before = Json::parse(readText(kept("summary.json")));
  ASSERT_EQ(before["runs"].size(), 11U);
  std::vector<summary::RunSummary> summaries;
  for (const Json& run : before["runs"]) summaries.push_back(summary::summarise(dataOf(reader, run["id"].get<std::string>())));
  expectWithin(before, Json::parse(summary::summariesToJson(summaries)), "");
  EXPECT_EQ(withoutLastColumns(summary::summariesToCsv(summaries), 2), readText(kept("summary.csv")));  // "source" and "validation_best" came later
  EXPECT_EQ(reader.find("failed")->state, store::RunState::kFailed);
  EXPECT_EQ(reader.find("left")->state, store::RunState::kStale);
  EXPECT_EQ(reader.runs({.text = "", .trashed = true}).size(), 1U);
  EXPECT_EQ(interchange::recordsToCsv(dataOf(reader, "dgs"), "rounds"), withLaterColumns(readText(kept("dgs.rounds.csv")), ",longest_wait_for,longest_wait_s,exchange_begin_s,exchange_end_s"));
  EXPECT_EQ(interchange::recordsToCsv(dataOf(reader, "pdmm"), "edges"), readText(kept("pdmm.edges.csv")));
}

TEST(Kept, BundlesGiveBackTheirRunAndTheirText) {
  const TempFolder folder{};
  store::StoreWriter writer(folder / "store.db");
  const store::StoreReader reader(folder / "store.db");
  const Json before = Json::parse(readText(kept("summary.json")))["runs"];
  for (const char* name : {"dgs", "pdmm", "failed"}) {
    const std::string file = kept(strCat(name, ".bundle.json"));
    const std::string id = interchange::importPath(writer, file).at(0);
    const std::string now = interchange::runToJson(dataOf(reader, id));
    EXPECT_TRUE(now.substr(0, now.rfind(",\n\"sha256\"")) + "\n}\n\n" == readText(file)) << name;  // before bundles had a checksum
    const auto run = std::ranges::find_if(before, [&](const Json& each) { return each["id"] == id; });
    ASSERT_NE(run, before.end());
    expectWithin(*run, Json::parse(summary::summariesToJson({summary::summarise(dataOf(reader, id))}))["runs"][0], name);
  }
}

TEST(Kept, LinesOfASpoolAreReadAndWrittenTheSame) {
  int lines = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(kept("runs"))) {
    if (file.path().extension() != ".spool") continue;
    std::istringstream spool(readText(file.path().string()));
    for (std::string number, sum, line; spool >> number >> sum && spool.get() && std::getline(spool, line); ++lines)
      EXPECT_EQ(toLine(parseEvent(line)), line);
  }
  EXPECT_GT(lines, 20);
}

}  // namespace
}  // namespace paceline::tests

// The trace by the rules of its format (Trace Event Format, Google 2016): what each kind of event must have, slices of a track nest, arrows end in slices.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "app/figures/lanes/lanes.h"
#include "engine/core/base/error.h"
#include "engine/core/json/json_text.h"
#include "tests/figures/made_lanes.h"

namespace paceline::tests {
namespace {

Json traceOf(const lanes::Timeline& timeline) {
  std::string text;
  lanes::writeTrace(timeline, "made", [&](std::string_view piece) { text += piece; });
  return Json::parse(text);
}

struct Slice {
  double begin, end;
};
using Track = std::pair<int, int>;  // pid, tid

bool insideOne(const std::vector<Slice>& slices, double ts) {
  return std::ranges::any_of(slices, [ts](const Slice& slice) { return slice.begin <= ts && ts <= slice.end; });
}

void expectValid(const Json& trace) {
  std::map<Track, std::vector<Slice>> slices;
  std::map<Track, std::string> names;
  std::map<std::int64_t, std::vector<std::string>> arrows;  // by id: phases in order
  for (const Json& event : trace.at("traceEvents")) {
    const std::string ph = event.at("ph");
    const Track track(event.at("pid").get<int>(), event.at("tid").get<int>());
    EXPECT_TRUE(event.at("name").is_string());
    if (ph == "M") {
      EXPECT_TRUE((std::set<std::string>{"process_name", "thread_name", "thread_sort_index"}.contains(event["name"])));
      if (event["name"] == "thread_name") {
        EXPECT_TRUE(names.emplace(track, event.at("args").at("name")).second);
      }
      continue;
    }
    EXPECT_TRUE(event.at("ts").is_number());
    EXPECT_GE(event["ts"].get<double>(), 0);
    EXPECT_TRUE(event.at("cat").is_string());
    if (ph == "X") {
      EXPECT_GE(event.at("dur").get<double>(), 0);
      slices[track].push_back({event["ts"], event["ts"].get<double>() + event["dur"].get<double>()});
    } else {
      EXPECT_TRUE(ph == "s" || ph == "f") << ph;
      arrows[event.at("id").get<std::int64_t>()].push_back(ph);
      if (ph == "f") {
        EXPECT_EQ(event.at("bp"), "e");
      }
    }
  }
  for (auto& [track, own] : slices) {
    EXPECT_TRUE(names.contains(track)) << track.second;
    std::ranges::sort(own, {}, &Slice::begin);
    for (std::size_t i = 1; i < own.size(); ++i) EXPECT_LE(own[i - 1].end, own[i].begin + 1e-3) << names[track];
  }
  for (const auto& [id, phases] : arrows) EXPECT_EQ(phases, (std::vector<std::string>{"s", "f"})) << id;
  for (const Json& event : trace["traceEvents"])
    if (event["ph"] == "s" || event["ph"] == "f") {
      EXPECT_TRUE(insideOne(slices[{event["pid"], event["tid"]}], event["ts"])) << event.dump();
    }
}

TEST(Trace, HasATrackForEachNodeAndLinkAndAnArrowForEachWait) {
  const Json trace = traceOf(lanes::timelineOf(evaluatedRun()));
  expectValid(trace);
  std::map<std::string, int> kinds;
  std::string arrow;
  for (const Json& event : trace["traceEvents"]) {
    ++kinds[event["ph"]];
    if (event["ph"] == "f") arrow = event["args"]["what"];
  }
  EXPECT_EQ(kinds["X"], 9);  // three spans of each worker, one of the server, two exchanges
  EXPECT_EQ(kinds["s"], 1);
  EXPECT_EQ(arrow, "w1 waited 0.50 s for w0: it was computing");
  EXPECT_EQ(trace["otherData"]["clocks"], "all lanes have one clock");
}

TEST(Trace, OfMergedRoundsTellsWhichTheyAre) {
  summary::RunData data = evaluatedRun();
  data.rounds[3].record.round = 32, data.rounds[3].merged = 31;
  const Json trace = traceOf(lanes::timelineOf(data));
  expectValid(trace);
  int several = 0;
  for (const Json& event : trace["traceEvents"]) {
    EXPECT_NE(event["ph"], "s");  // when in those rounds the wait was is not known
    if (event["ph"] != "X" || !event["args"].contains("first_round")) continue;
    EXPECT_EQ(event["args"]["first_round"], 2);
    EXPECT_EQ(event["args"]["last_round"], 32);
    EXPECT_FALSE(event["args"].contains("round"));
    ++several;
  }
  EXPECT_EQ(several, 3);  // compute, wait, and what was under way
  EXPECT_TRUE(trace["otherData"].contains("detail"));
}

TEST(Trace, OfNothingIsValid) {
  expectValid(traceOf({}));
  summary::RunData data;
  data.nodes = {nodeRow("w0", "worker", 0)};
  expectValid(traceOf(lanes::timelineOf(data)));
}

TEST(Trace, TextsOfStrangersAreEscaped) {
  summary::RunData data = evaluatedRun();
  data.nodes[0].id = "w\"0\n";
  for (store::RoundRow& row : data.rounds)
    if (row.node == "w0") row.node = data.nodes[0].id;
  data.clocks[0].node = data.nodes[0].id;
  expectValid(traceOf(lanes::timelineOf(data)));
}

}  // namespace
}  // namespace paceline::tests

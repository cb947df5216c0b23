#include "app/cluster/recorder/protocol.h"

#include <gtest/gtest.h>

#include "engine/core/json/json_text.h"

namespace paceline::recorder {
namespace {

TEST(Protocol, AnEntryArrivesAsItWasSent) {
  Entry entry{.id = 7, .kind = EntryKind::kResume, .run = "r", .name = "a \"name\"", .suite = "s", .state = store::RunState::kRunning};
  entry.waiting = false, entry.held = true, entry.text = "t", entry.reason = "rounds";
  entry.progress = {.fraction = 0.25, .round = 9, .seconds = 1.5, .accuracy = 0.5, .leftLowSeconds = 1, .leftHighSeconds = 2};
  const auto arrived = noticeOf(Json::parse(toLine(Notice(entry))));
  ASSERT_TRUE(arrived);
  EXPECT_EQ(written(std::get<Entry>(*arrived)), written(entry));
}

TEST(Protocol, ASubmissionArrivesAsItWasSent) {
  const Submission sent{.kind = EntryKind::kSimulation, .points = {{.name = "a", .spec = "{}"}, {.name = "b", .spec = "{}"}}, .suite = "s", .now = true, .skipFinished = true};
  EXPECT_EQ(written(readFrom<Submission>(written(sent))), written(sent));
}

TEST(Protocol, HellosTellWhichIsOlder) {
  const Hello ours{.schema = 4, .version = "0.10.0"};
  EXPECT_TRUE(isOlder({.schema = 4, .version = "0.9.1"}, ours));
  EXPECT_TRUE(isOlder({.schema = 3, .version = "0.10.0"}, ours));
  EXPECT_FALSE(isOlder(ours, ours));
  EXPECT_FALSE(helloOf("{\"hello\": 3}"));
}

}  // namespace
}  // namespace paceline::recorder

#include "engine/core/record/event.h"

#include <bit>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"
#include "tests/support/failure.h"

namespace paceline::tests {
namespace {

RoundRecord round() {
  return {.round = 3, .t = 1.5, .fetch = 0.1, .compute = 0.2, .update = 0.3, .send = 0.4, .wait = 0.5, .receive = 0.6, .query = 0.7,
          .evaluate = 0.8, .total = 4.25, .localSteps = 9, .samples = 576, .bytesSent = 1LL << 40, .bytesReceived = 2, .messagesSent = 3,
          .messagesReceived = 4, .staleness = 2.5, .loss = 1.0 / 3, .learningRate = 1e-300, .kept = 0.01};
}

std::string eventFailure(std::string_view line) { return failureOf([&] { parseEvent(line); }, Errc::kFormat); }

TEST(Event, EveryKindSurvivesALine) {
  const std::vector<Event> events = {
      round(), EvaluationRecord{.round = 3, .t = 2, .accuracy = 0.1, .loss = 2.3, .samples = 640, .seconds = 0.01},
      HostLoad{.t = 1.7e9, .cpu = 0.5, .memoryUsedBytes = 1, .memoryTotalBytes = 2, .networkSentBytes = 3, .networkReceivedBytes = 4},
      NoticeRecord{.kind = "exit", .text = "ended \"by\"\na signal", .level = "error", .reason = "killed", .code = 9, .unixTime = 1.7e9},
      EdgeRecord{.round = 3, .t = 2, .peer = "w1", .exchanges = 4, .age = 1.5, .bytesSent = 5, .bytesReceived = 6, .lost = 1}, LabelsRecord{.counts = {3, 0}},
      MetricRecord{.round = 3, .t = 2, .name = "dual norm", .value = 0.5}};
  for (const Event& event : events) {
    const std::string line = toLine(event);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_EQ(parseEvent(line), event) << line;
  }
}

TEST(Event, KeysAreTheOnesOthersRead) {
  const std::string line = toLine(round());
  for (const char* key : {"\"kind\":\"round\"", "\"round\":3", "\"t_s\":1.5", "\"fetch_s\":0.1", "\"compute_s\":0.2", "\"update_s\":0.3",
                          "\"send_s\":0.4", "\"wait_s\":0.5", "\"receive_s\":0.6", "\"query_s\":0.7", "\"evaluate_s\":0.8", "\"total_s\":4.25",
                          "\"local_steps\":9", "\"samples\":576", "\"bytes_sent\":1099511627776", "\"bytes_received\":2",
                          "\"messages_sent\":3", "\"messages_received\":4", "\"staleness\":2.5", "\"loss\":0.3333333333333333",
                          "\"learning_rate\":1e-300", "\"kept\":0.01"})
    EXPECT_THAT(line, testing::HasSubstr(key));
  EXPECT_EQ(toLine(EvaluationRecord{.round = 1, .t = 2, .accuracy = 0.5, .loss = 1.5, .samples = 64, .seconds = 0.25}),
            R"({"accuracy":0.5,"evaluate_s":0.25,"kind":"evaluation","loss":1.5,"round":1,"samples":64,"t_s":2.0})");
  EXPECT_EQ(toLine(NoticeRecord{.kind = "listening", .text = "tcp://127.0.0.1:40123"}),
            R"({"code":0,"kind":"listening","level":"","reason":"","text":"tcp://127.0.0.1:40123","unix_s":0.0})");
}

TEST(Event, ALineIsWhatTheJsonLibraryWouldWrite) {
  RoundRecord withoutKept = round();
  withoutKept.kept.reset();
  for (const Event& event : {Event(round()), Event(withoutKept), Event(NoticeRecord{.kind = "log", .text = "\xe2\x82\xac \"5\"", .unixTime = 1.7e9}),
                             Event(EvaluationRecord{.round = 3, .t = 2, .of = "mean", .consensus = 1e-7}), Event(LabelsRecord{}), Event(LabelsRecord{.counts = {3, 0}})})
    EXPECT_EQ(toLine(event), Json::parse(toLine(event)).dump());
  Rng rng(1);
  for (int i = 0; i < 10'000; ++i) {
    const double value = std::bit_cast<double>(rng.next());  // of any size, also none
    EXPECT_EQ(toLine(MetricRecord{.name = "n", .value = value}), strCat(R"({"kind":"metric","name":"n","round":0,"t_s":0.0,"value":)", dumped(jsonNumber(value)), "}"));
  }
}

TEST(Event, KeptIsLeftOutWhereThereIsNone) {
  RoundRecord record = round();
  record.kept.reset();
  EXPECT_EQ(toLine(record).find("kept"), std::string::npos);
  EXPECT_EQ(parseEvent(toLine(record)), Event(record));
}

TEST(Event, NonFiniteNumbersTravelAsTexts) {
  RoundRecord record = round();
  record.loss = std::numeric_limits<double>::quiet_NaN();
  record.kept = std::numeric_limits<double>::infinity();
  record.staleness = -std::numeric_limits<double>::infinity();
  const std::string line = toLine(record);
  EXPECT_THAT(line, testing::HasSubstr(R"("loss":"NaN")"));
  EXPECT_THAT(line, testing::HasSubstr(R"("kept":"Infinity")"));
  EXPECT_THAT(line, testing::HasSubstr(R"("staleness":"-Infinity")"));
  const auto back = std::get<RoundRecord>(parseEvent(line));
  EXPECT_TRUE(std::isnan(back.loss));
  EXPECT_EQ(back.kept, record.kept);
  EXPECT_EQ(back.staleness, record.staleness);
}

TEST(Event, TextThatIsNoUtf8IsMendedNotThrownAt) {
  const std::string line = toLine(NoticeRecord{.kind = "log", .text = "bad \xff byte"});
  EXPECT_EQ(std::get<NoticeRecord>(parseEvent(line)).text, "bad \xEF\xBF\xBD byte");
}

TEST(Event, KeysOfNewerAgentsArePassedOver) {
  std::string line = toLine(round());
  line.insert(1, R"("power_w":12.5,)");
  EXPECT_EQ(parseEvent(line), Event(round()));
}

TEST(Event, ANoticeMayBeShort) { EXPECT_EQ(parseEvent(R"({"kind":"started"})"), Event(NoticeRecord{.kind = "started"})); }

TEST(Event, ReservedKindsAreNoNotices) {
  for (const char* kind : {"", "round", "evaluation", "host", "edge", "labels", "metric"}) EXPECT_THROW(toLine(NoticeRecord{.kind = kind}), InvariantError);
}

TEST(Event, MistakesQuoteTheStartOfTheLine) {
  EXPECT_THAT(eventFailure("Segmentation fault"), testing::HasSubstr("event line \"Segmentation fault\": is not JSON: line 1, column 1"));
  EXPECT_THAT(eventFailure(""), testing::HasSubstr("event line \"\": is not JSON"));
  EXPECT_THAT(eventFailure("[1]"), testing::HasSubstr("must be an object, got an array"));
  EXPECT_THAT(eventFailure("{}"), testing::HasSubstr("kind is missing"));
  EXPECT_THAT(eventFailure(R"({"kind":""})"), testing::HasSubstr("kind is empty"));
  EXPECT_THAT(eventFailure(R"({"kind":7})"), testing::HasSubstr("kind must be a text, got 7"));
  EXPECT_THAT(eventFailure(R"({"kind":"round"})"), testing::HasSubstr("round is missing"));
  EXPECT_THAT(eventFailure(R"({"kind":"round","round":1.5})"), testing::HasSubstr("round must be a whole number, got 1.5"));
  EXPECT_THAT(eventFailure(R"({"kind":"round","round":18446744073709551615})"), testing::HasSubstr("round must be a whole number"));
  EXPECT_THAT(eventFailure(R"({"kind":"host","unix_s":"soon"})"), testing::HasSubstr("unix_s must be a number, got \"soon\""));
  EXPECT_THAT(eventFailure(R"({"kind":"log","text":[]})"), testing::HasSubstr("text must be a text, got an array"));
  const std::string endless = eventFailure("{" + std::string(5000, 'x'));
  EXPECT_LT(endless.size(), 400u);
}

TEST(Event, UnixNowIsThisCentury) {
  EXPECT_GT(unixNow(), 1.6e9);
  EXPECT_LT(unixNow(), 4.2e9);
}

}  // namespace
}  // namespace paceline::tests

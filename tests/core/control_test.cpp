#include "engine/core/record/control.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/base/error.h"
#include "tests/core/sample.h"
#include "tests/support/failure.h"

namespace paceline::tests {
namespace {

std::string controlFailure(std::string_view line) { return failureOf([&] { parseControl(line); }, Errc::kFormat); }

TEST(Control, PrepareCarriesTheWholeSpec) {
  const Prepare prepare{.run = "r1", .spec = parseRunSpec(sample::kDocument).spec, .node = 2, .bind = "ipc"};
  const std::string line = toLine(prepare);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto back = std::get<Prepare>(parseControl(line));
  EXPECT_EQ(back.run, "r1");
  EXPECT_EQ(back.spec, prepare.spec);
  EXPECT_EQ(back.node, 2);
  EXPECT_EQ(back.bind, "ipc");
}

TEST(Control, StartAndStopSurviveALine) {
  const Start start{.endpoints = {"tcp://127.0.0.1:40123", "ipc:///tmp/x"}};
  EXPECT_EQ(std::get<Start>(parseControl(toLine(start))).endpoints, start.endpoints);
  EXPECT_TRUE(std::holds_alternative<Stop>(parseControl(toLine(Stop{}))));
  EXPECT_EQ(toLine(Stop{}), R"({"kind":"stop"})");
}

TEST(Control, MistakesNameTheMember) {
  EXPECT_THAT(controlFailure("quit"), testing::HasSubstr("control line \"quit\": is not JSON: line 1, column 1"));
  EXPECT_THAT(controlFailure(R"({"kind":"pause"})"), testing::HasSubstr("/kind: \"pause\" is not known; have prepare, start, stop"));
  EXPECT_THAT(controlFailure(R"({"kind":"start"})"), testing::HasSubstr("/endpoints: is required"));
  EXPECT_THAT(controlFailure(R"({"kind":"start","endpoints":[1]})"), testing::HasSubstr("/endpoints/0: Item 1 of \"endpoints\" must be a text; it is 1."));
  EXPECT_THAT(controlFailure(R"({"kind":"prepare","run":"r","bind":"ipc","node":0})"), testing::HasSubstr("/spec: is required"));
  EXPECT_THAT(controlFailure(R"({"kind":"prepare","run":"r","bind":"ipc","node":0,"spec":{}})"), testing::HasSubstr("/spec/paceline: is required"));
  Prepare prepare{.run = "r1", .spec = parseRunSpec(sample::kSmallest).spec, .node = 3};
  EXPECT_THAT(controlFailure(toLine(prepare)), testing::HasSubstr("/node: \"node\" must be at most 2; it is 3."));
  prepare.node = -1;
  EXPECT_THAT(controlFailure(toLine(prepare)), testing::HasSubstr("/node: \"node\" must be at least 0; it is -1."));
}

}  // namespace
}  // namespace paceline::tests

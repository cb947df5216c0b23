// The timeline as a figure: its rows, spans and notes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/base/error.h"
#include "tests/figures/made_lanes.h"
#include "tests/figures/made_runs.h"

namespace paceline::tests {
namespace {

summary::RunSummary runWithLanes() {
  summary::RunSummary run = madeRun("ssgd");
  run.timeline = std::make_shared<const summary::RunData>(evaluatedRun());
  return run;
}

TEST(TimelineFigure, HasALaneANodeAndASetAPhase) {
  const Figure figure = built("timeline", {runWithLanes()});
  EXPECT_EQ(figure.y.categories, (std::vector<std::string>{"w0", "w1", "s0"}));
  std::vector<std::string> drawn;
  for (const SpanSet& set : figure.spans)
    for (std::size_t i = 0; i < set.rows.size(); ++i) drawn.push_back(strCat(figure.y.categories[set.rows[i]], ' ', set.label, ' ', set.begin[i], '-', set.end[i]));
  // Two steps of w1 follow each other: one span.
  EXPECT_THAT(drawn, ::testing::UnorderedElementsAre("w0 compute 0-1", "w0 compute 1.5-2.5", "w1 compute 0-2", "w1 wait 2-2.5", "w0 evaluate 1-1.5", "s0 serve 0.5-2.5", "w0 exchange 1-1", "w1 exchange 2-2.5"));
  EXPECT_TRUE(figure.spans.back().thin);
  EXPECT_EQ(parseFigure(figureToJson(figure)).spans.back().thin, true);
  EXPECT_EQ(figure.x.max, 2.5);
  EXPECT_THAT(figure.notes, ::testing::Contains("the longest wait: w1 waited 0.50 s for w0: it was computing (round 2)"));
  EXPECT_NE(figureToCsv(figure).find("w1 wait,2,2.5\r\n"), std::string::npos);
}

TEST(TimelineFigure, IsOfOneRunAndNamesTheOthers) {
  const Figure figure = built("timeline", {madeRun("esync"), runWithLanes()});
  EXPECT_FALSE(figure.empty());
  EXPECT_THAT(figure.notes, ::testing::Contains(::testing::HasSubstr("left out, a timeline is of one run")));
}

TEST(TimelineFigure, DocumentsOfBeforeHaveNoSpans) {
  const Figure figure = built("throughput", {madeRun("esync")});
  const std::string text = figureToJson(figure);
  EXPECT_EQ(text.find("spans"), std::string::npos);
  EXPECT_TRUE(parseFigure(text).spans.empty());
}

}  // namespace
}  // namespace paceline::tests

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/base/error.h"
#include "tests/figures/made_runs.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;

Figure rich() {
  FigureOptions options;
  options.smoothing = 2;
  options.standaloneAccuracy = 0.9;
  Figure figure = built(
      "accuracy", {withCurve(madeRun("esync", 1), {{1, 0.25}, {2, NAN}}), withCurve(madeRun("esync", 2), {{1, 0.75}, {2, 0.5}})},
      options);
  figure.lines.back().markers = {0, 1};
  return figure;
}

template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kFormat);
    return error.what();
  }
  return "";
}

TEST(FigureJson, ComesBackTheSame) {
  for (const Figure& figure :
       {rich(), built("speedup", {withCurve(madeRun("ssgd"), {{9, 0.1}})}), built("computing_ratio", {}, published())}) {
    const std::string text = figureToJson(figure);
    EXPECT_EQ(figureToJson(parseFigure(text)), text);
  }
  const Figure back = parseFigure(figureToJson(rich()));
  EXPECT_TRUE(std::isnan(back.lines[0].y[1]));
  EXPECT_EQ(back.lines.back().markers.size(), 2u);
  EXPECT_TRUE(back.lines.front().faint);
}

TEST(FigureJson, RefusesWhatIsNoFigure) {
  EXPECT_THAT(refusal([] { parseFigure("no json"); }), HasSubstr("figure: "));
  EXPECT_EQ(refusal([] { parseFigure(std::string(100000, '[')); }), "figure: is nested deeper than 64 levels");
  EXPECT_EQ(refusal([] { parseFigure("{}"); }).find("json.exception"), std::string::npos);
  EXPECT_THAT(refusal([] { parseFigure("{}"); }), HasSubstr("'id' not found"));
  EXPECT_THAT(refusal([] { parseFigure("[1]"); }), HasSubstr("figure: "));
}

TEST(FigureJson, RefusesPointsWithoutPartners) {
  Figure figure = rich();
  figure.lines[0].y.pop_back();
  EXPECT_EQ(refusal([&] { parseFigure(figureToJson(figure)); }), "figure: \"ESync, seed 1\" has 2 x and 1 y");
  figure = rich();
  figure.lines[0].markers = {7};
  EXPECT_EQ(refusal([&] { parseFigure(figureToJson(figure)); }), "figure: \"ESync, seed 1\" has a marker at point 7 of 2");
  figure = rich();
  figure.lines[0].series = -1;
  EXPECT_EQ(refusal([&] { parseFigure(figureToJson(figure)); }), "figure: series must be >= 0, got -1");
}

// Found by made-up figures: a number for which an int has no room was undefined behaviour.
TEST(FigureJson, RefusesCountsThatAreNone) {
  const std::string text = figureToJson(rich());
  const auto with = [&text](const char* key, const char* value) {
    Json json = Json::parse(text);
    json["lines"][0][key] = Json::parse(value);
    return refusal([&] { parseFigure(json.dump()); });
  };
  EXPECT_EQ(with("series", "7.7e27"), "figure: series holds 7.7e+27, not a whole number");
  EXPECT_EQ(with("series", "1.5"), "figure: series holds 1.5, not a whole number");
  EXPECT_EQ(with("series", "2147483648"), "figure: series must be at most 2147483647, got 2147483648");
  EXPECT_EQ(with("markers", "[-1]"), "figure: markers must be >= 0, got -1");
  EXPECT_EQ(with("markers", "[1e30]"), "figure: markers holds 1e+30, not a whole number");
}

TEST(FigureCsv, IsLongAndExact) {
  FigureOptions options;
  options.standaloneAccuracy = 0.9;
  const Figure figure = built("accuracy", {withCurve(madeRun("esync"), {{1, 0.1}, {2, NAN}})}, options);
  EXPECT_EQ(figureToCsv(figure), "series,x,y\r\nESync,1,0.1\r\nESync,2,NaN\r\nstand-alone,,0.9\r\n");
}

TEST(FigureCsv, WritesBarsByCategoryAndWordsWhereThereIsNoNumber) {
  const Figure figure = built("speedup", {withCurve(madeRun("ssgd"), {{10, 0.9}}), withCurve(madeRun("esync"), {{10, 0.1}})});
  EXPECT_EQ(figureToCsv(figure), "series,x,y\r\nESync,ESync,not reached\r\nSSGD,SSGD,1\r\n");
}

TEST(FigureCsv, QuotesAsRfc4180) {
  summary::RunSummary run = withCurve(madeRun("my,\"own\""), {{1, 0.5}});
  EXPECT_EQ(figureToCsv(built("accuracy", {run})), "series,x,y\r\n\"my,\"\"own\"\"\",1,0.5\r\n");
}

TEST(FigureCsv, NamesTheBand) {
  const std::string csv =
      figureToCsv(built("accuracy", {withCurve(madeRun("esync", 1), {{1, 0.25}}), withCurve(madeRun("esync", 2), {{1, 0.25}})}));
  EXPECT_THAT(csv, HasSubstr("\"ESync, seed 2\",1,0.25\r\n\"ESync, 2 seeds\",1,0.25\r\n\"ESync, 2 seeds ± std lower\",1,0.25\r\n"));
}

}  // namespace
}  // namespace paceline::tests

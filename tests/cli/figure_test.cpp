#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/cli/program.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class FigureCommand : public Desk {
 protected:
  FigureCommand() { EXPECT_EQ(paceline({"simulate", writeSpec("tiny.json")}).code, 0); }
  static std::string textOf(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
};

TEST_F(FigureCommand, WritesCsvAndJsonWithoutAWindow) {
  const Outcome outcome =
      paceline({"figure", "accuracy", "tiny", "-o", path("figures"), "--format", "csv,json", "--x", "rounds"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, path("figures/accuracy.csv") + "\n" + path("figures/accuracy.json") + "\n");
  EXPECT_THAT(textOf(path("figures/accuracy.csv")), StartsWith("series,x,y\r\nSSGD,0,"));
  const auto figure = nlohmann::json::parse(textOf(path("figures/accuracy.json")));
  EXPECT_EQ(figure["lines"][0]["x"], nlohmann::json({0.0, 2.0, 4.0, 6.0}));
}

TEST_F(FigureCommand, AllLeavesOutWhatHasNothingToDraw) {
  const Outcome outcome = paceline({"figure", "all", "tiny", "-o", path("figures"), "--format", "csv"});
  EXPECT_EQ(outcome.code, 0);
  for (const char* id : {"accuracy", "loss", "throughput", "traffic", "computing_ratio", "speedup", "local_steps"})
    EXPECT_TRUE(std::filesystem::exists(path(std::string("figures/") + id + ".csv"))) << id;
  EXPECT_THAT(outcome.err, StartsWith("nothing to draw for accuracy_non_iid, "));
  EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
}

TEST_F(FigureCommand, PublishedFilesHaveTheirOwnName) {
  ASSERT_EQ(paceline({"figure", "throughput", "tiny", "-o", path("f"), "--format", "csv", "--style", "published"}).code, 0);
  EXPECT_TRUE(std::filesystem::exists(path("f/throughput-published.csv")));
}

TEST_F(FigureCommand, UnknownFigure) {
  const Outcome outcome = paceline({"figure", "pie", "tiny", "-o", path("f"), "--format", "csv"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, StartsWith("paceline: figure \"pie\" is not known; have accuracy, "));
}

TEST_F(FigureCommand, SaysWhenThereIsNothingToDraw) {
  const Outcome outcome = paceline({"figure", "accuracy_non_iid", "tiny", "-o", path("f"), "--format", "csv"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("no run has a partition that is not i.i.d."));
}

TEST_F(FigureCommand, PicturesNeedTheWorkbench) {
  environment_["PACELINE_BIN"] = path("");  // a folder without programs
  expectRefusal(
      {"figure", "accuracy", "tiny", "-o", path("f"), "--format", "png"},
      "paceline-workbench is not in " + path("") + ": it was not built; csv and json figures need no window");
}

TEST_F(FigureCommand, PicturesAreDrawnByTheWorkbench) {
  if (::access((std::string(PACELINE_BIN_DIR) + "/paceline-workbench").c_str(), X_OK) != 0)
    GTEST_SKIP() << "built without the workbench";
  const Outcome outcome = paceline({"figure", "accuracy", "tiny", "-o", path("f"), "--format", "png,svg,pdf"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(textOf(path("f/accuracy.png")), StartsWith("\x89PNG"));
  EXPECT_THAT(textOf(path("f/accuracy.pdf")), StartsWith("%PDF"));
  EXPECT_THAT(textOf(path("f/accuracy.svg")), HasSubstr("<svg"));
}

}  // namespace
}  // namespace paceline::tests

// A search as the window says it: labels in place of keys, in English and in Chinese.
#include <gtest/gtest.h>

#include "app/models/runs/search_table.h"
#include "app/models/words.h"
#include "tests/gui/gui_support.h"
#include "tests/gui/language/chinese.h"

namespace paceline::tests {
namespace {

const Titles kTitles = {{"/algorithm/params/local_lr", "Local learning rate"}};

recorder::SearchStory searched() {
  recorder::SearchStory story;
  story.suite = "s", story.name = "sweep", story.goal = "last accuracy";
  story.axes = {"algorithm", "slowdown", "slowdown", "local_lr"};
  story.keys = {"/algorithm/id", "/nodes/1/emulate/slowdown", "/nodes/2/emulate/slowdown", "/algorithm/params/local_lr"};
  story.nodes = {"", "w0", "w1", ""};
  story.points = {{.values = {"ssgd", "1", "2", "0.001"}, .result = "81.2 %", .state = "done", .why = "Drawn at random: the model needs 8 points that have ended, and there are 3.", .note = "", .runs = {}},
                  {.values = {"esync", "4", "8", "0.1"}, .result = "no accuracy", .state = "given up",
                   .why = "The 2 best of 10 points have algorithm ssgd or esync, slowdown 1 to 4, slowdown 8, local_lr 0.001 to 0.1; this point is 1.4 times as likely among them as among the other 8.",
                   .note = "below the best half after 40 rounds (31.2 %; 52.4 % was needed)", .runs = {}}};
  story.best = 0;
  return story;
}

std::vector<std::string> sentences() {
  return {searched().points[0].why, searched().points[1].why, searched().points[1].note,
          "Point 2 (algorithm esync, slowdown 4, slowdown 8, local_lr 0.1): Drawn at random.",
          "Held: no further run begins until it is let go. Point 2 (algorithm esync, slowdown 4, slowdown 8, local_lr 0.1): Drawn at random: all that the model would try was tried.",
          "The best of 20 points is algorithm ssgd, slowdown 1, slowdown 2, local_lr 0.001: 84.1 %. 20 runs took 14 min; 12 stopped early, 1 failed, 1 stopped by a person. The budget of 20 runs is used up.",
          "The best of 1 point is algorithm ssgd, slowdown 1, slowdown 2, local_lr 0.001: 80 % after 12.3 s. 1 run took 9.5 s. Ended on request.",
          "None of 3 points came to its end. 3 runs took 2 min; 3 failed. Every point was tried.", "The best of 5 points, compared after 40 rounds, has algorithm ssgd, slowdown 1, slowdown 2, local_lr 0.1; this point is 2 times as likely beside it as among the other 4.",
          "It will try 20 runs for last accuracy, bayesian, the best 1/2 go on after 40, 80, ... rounds."};
}

TEST(SearchWords, CallFieldsAndValuesAsTheFormDoes) {
  application();
  runs::SearchTable table;
  table.present(searched(), kTitles);
  const auto head = [&](int column) { return table.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(); };
  EXPECT_EQ(head(1), "Algorithm");
  EXPECT_EQ(head(2), "Slowdown of w0");
  EXPECT_EQ(head(3), "Slowdown of w1");
  EXPECT_EQ(head(4), "Local learning rate");
  EXPECT_EQ(table.index(0, 1).data().toString(), "SSGD");
  EXPECT_EQ(table.index(0, 4).data().toString(), "0.001");
  EXPECT_EQ(table.whyOf(1), "Point 2. The 2 best of 10 points have algorithm SSGD or ESync, slowdown of w0 1 to 4, slowdown of w1 8, local learning rate 0.001 to 0.1; this point is 1.4 times as likely among them as among the other 8. "
                            "It was given up: below the best half after 40 rounds (31.2 %; 52.4 % was needed).");
}

TEST(SearchWords, ARunOfAPointKeepsItsNumbersApartFromProse) {
  application();
  recorder::SearchStory story = searched();
  story.axes = {"rounds"}, story.keys = {"/stop/rounds"}, story.nodes = {""};
  story.points = {{.values = {"40"}, .result = "", .state = "going", .why = "", .note = "", .runs = {}}};
  EXPECT_EQ(runs::searchSentence(story, "below the best half after 40 rounds (31 %; 52 % was needed)", {}), "below the best half after 40 rounds (31 %; 52 % was needed)");
  EXPECT_EQ(runs::searchSentence(story, "Point 1 (rounds 40): Drawn at random.", {}).toLower(), QString("point 1 (%1 40): drawn at random.").arg(runs::searchedField(story, 0, {}).toLower()));
}

TEST(SearchWords, AreChineseInAChineseWindow) {
  const InChinese chinese;
  for (const std::string& sentence : sentences()) {
    const QString told = runs::searchSentence(searched(), sentence, kTitles);
    EXPECT_EQ(englishIn(told), QStringList()) << told.toStdString();
    EXPECT_NE(told, qtext(sentence));
  }
  EXPECT_TRUE(runs::searchSentence(searched(), sentences()[3], kTitles).contains("算法 ESync")) << runs::searchSentence(searched(), sentences()[3], kTitles).toStdString();
  runs::SearchTable table;
  table.present(searched(), kTitles);
  for (int column = 0; column < table.columnCount(); ++column) {
    EXPECT_EQ(englishIn(table.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()), QStringList());
    for (int row = 0; row < table.rowCount(); ++row) EXPECT_EQ(englishIn(table.index(row, column).data().toString()), QStringList());
  }
}

}  // namespace
}  // namespace paceline::tests

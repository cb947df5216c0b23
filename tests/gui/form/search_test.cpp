// A search instead of all combinations: ranges typed into fields, the settings in the strip, undone, saved and opened again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QPushButton>
#include <QTest>
#include <QUndoStack>

#include "app/models/experiment/draft_vary.h"
#include "tests/gui/form/vary_fixture.h"

namespace paceline::tests {
namespace {

using testing::HasSubstr;

struct SearchForm : VaryFixture {
  void vary(const char* pointer, const char* words) { press(pointer), keep(words); }
  void set(const char* name, const char* words) { write(strip.findChild<QLineEdit*>(name), words); }
  QPushButton* button(const char* name) { return strip.findChild<QPushButton*>(name); }
};

TEST_F(SearchForm, ARangeIsTypedWhereAListWouldStand) {
  vary("/batch_size", "search 16..256 log");
  EXPECT_EQ(dumped(draft.state().search["over"]), R"({"/batch_size":{"from":16.0,"integer":true,"scale":"log","to":256.0}})");
  EXPECT_TRUE(draft.state().vary.empty());
  ASSERT_NE(draft.search(), nullptr);
  EXPECT_EQ(draft.errorCount(), 0);
  EXPECT_EQ(the<QLineEdit>("batchSize")->text(), "search 16..256 log");
  EXPECT_EQ(sentence().toStdString(), "Search over Batch size: 20 runs for last accuracy, bayesian, about 3 min 20 s (by emulated step times)");
  undo.undo();
  EXPECT_TRUE(draft.state().search.empty());
}

TEST_F(SearchForm, ItsGoalIsWhatADocumentWithoutOneMeans) {
  vary("/batch_size", "search 16..256 log");
  EXPECT_EQ(draft.search()->spec().goal, SearchSpec().goal);
  EXPECT_EQ(strip.findChild<QComboBox*>("searchGoal")->currentData().toString(), "accuracy_last");
}

// Drawn steps count with their mean, and samples end a run as rounds do.
TEST_F(SearchForm, ItsTimeIsKnownFromEveryKindOfEmulatedSteps) {
  draft.edit([](RunSpec& spec) {
    spec.nodes[2].emulate.stepSeconds.reset(), spec.nodes[2].emulate.steps = {0.1, 0.3};
    spec.stop = {}, spec.stop.samples = 50 * 2 * 32;
  });
  vary("/optimizer/momentum", "search 0..0.9");
  EXPECT_THAT(sentence().toStdString(), HasSubstr(", about 3 min 20 s (by emulated step times)"));
  draft.edit([](RunSpec& spec) { spec.stop = {}, spec.stop.accuracy = 0.9; });
  draft.validateNow();
  EXPECT_THAT(sentence().toStdString(), HasSubstr("their time is not known: no like run in the store, no stop rule of rounds, samples or seconds"));
}

TEST_F(SearchForm, WhatIsNoRangeIsSaidAndStays) {
  vary("/batch_size", "search 16 to 256");
  ASSERT_EQ(draft.errorCount(), 1);
  EXPECT_EQ(draft.findings()[0].message, "Batch size must be a range to search, such as search 0.001..1 log or search 16..256; it is \"search 16 to 256\".");
  keep("search 16..8");
  ASSERT_EQ(draft.errorCount(), 1);
  EXPECT_EQ(draft.findings()[0].message, "The range must lead upwards; it leads from 16 to 8.");
}

TEST_F(SearchForm, ItsSettingsAreInTheStrip) {
  vary("/batch_size", "search 16..256 log");
  button("suiteGridButton")->click();
  EXPECT_FALSE(strip.findChild<QWidget*>("searchSettings")->isHidden());
  set("searchRuns", "12");
  set("searchMinutes", "5");
  auto* early = strip.findChild<QComboBox*>("searchEarly");
  early->setCurrentIndex(1);
  emit early->activated(1);
  set("searchFirst", "20");
  EXPECT_EQ(dumped(draft.state().search["budget"]), R"({"runs":12,"minutes":5})");
  EXPECT_EQ(dumped(draft.state().search["halving"]), R"({"by":"rounds","first":20,"eta":2})");
  EXPECT_EQ(sentence().toStdString(), "Search over Batch size: 12 runs or 5 min for last accuracy, bayesian, the best 1/2 go on after 20, 40, ... rounds");
  set("searchRuns", "many");
  ASSERT_EQ(draft.errorCount(), 1);
  EXPECT_EQ(draft.findings()[0].message, "\"runs\" must be a whole number; it is \"many\".");
  EXPECT_EQ(strip.findChild<QLineEdit*>("searchRuns")->text(), "many");
}

TEST_F(SearchForm, ListsAreSearchedAndGoBackToAllCombinations) {
  vary("/batch_size", "16, 32, 64");
  button("searchButton")->click();
  draft.validateNow();
  ASSERT_NE(draft.search(), nullptr);
  EXPECT_THAT(sentence().toStdString(), HasSubstr("Search over 3 batch sizes: "));
  the<QLineEdit>("batchSize")->setFocus();
  keep("search 8..64");
  button("searchButton")->click();
  draft.validateNow();
  EXPECT_EQ(draft.search(), nullptr);
  EXPECT_EQ(dumped(draft.state().vary), R"({"/batch_size":[8,64]})");
  EXPECT_EQ(draft.runnable().size(), 2u);
}

TEST_F(SearchForm, ADocumentWithASearchOpensAndSavesAsItIs) {
  const std::string text = std::string(R"({"base": )") + kVaried + R"(, "vary": {"/seed": [1, 2]}, "search": {"over": {"/optimizer/momentum": {"from": 0, "to": 0.9}}, "goal": "samples_per_s", "budget": {"minutes": 3}}})";
  ASSERT_EQ(draft.loadText(text), "");
  ASSERT_NE(draft.search(), nullptr);
  EXPECT_EQ(draft.search()->seeds(), 2u);
  const ParsedSuite again = parseSuite(draft.json().toStdString());
  ASSERT_TRUE(again.search);
  EXPECT_EQ(again.search->spec(), draft.search()->spec());
  EXPECT_EQ(sentence().toStdString(), "Search over Momentum: 3 min for samples/s, bayesian, 2 seeds a point");
}

TEST_F(SearchForm, RowsThatGoTakeTheirRangesAlong) {
  experiment::DraftState state = draft.state();
  experiment::setRange(state, "/nodes/1/emulate/step_s", {.from = 0.1, .to = 1});
  experiment::setRange(state, "/nodes/2/emulate/step_s", {.from = 0.2, .to = 2});
  experiment::forgetRows(state, "/nodes", {1});
  EXPECT_EQ(dumped(state.search["over"]), R"({"/nodes/1/emulate/step_s":{"from":0.2,"integer":false,"scale":"linear","to":2.0}})");
}

}  // namespace
}  // namespace paceline::tests

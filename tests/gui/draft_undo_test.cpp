// A draft as a document: every change is a step that says what it was, suites are suites, and the next start of the window has it again.
#include <gtest/gtest.h>

#include <QFile>
#include <QLineEdit>
#include <QTest>
#include <QUndoStack>

#include "app/models/experiment/draft_file.h"
#include "app/models/experiment/draft_words.h"
#include "app/ui/experiment/draft_undo.h"
#include "app/ui/experiment/experiment_form.h"
#include "tests/gui/fake_hosts.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

constexpr const char* kQuickRun = R"({"paceline": 1, "name": "quick", "algorithm": {"id": "ssgd"}, "model": {"id": "logistic"}, "dataset": {"id": "synthetic"},
  "batch_size": 32, "nodes": [{"id": "s0", "role": "server"}, {"id": "w0"}, {"id": "w1"}], "evaluate": {"on": "w0"}, "stop": {"rounds": 10}})";

std::string suiteText() { return strCat(R"({"base": )", kQuickRun, R"(, "vary": {"/algorithm/id": ["ssgd", "esync"], "/seed": [1, 2, 3]}})"); }

struct Draft : ::testing::Test {
  QApplication& application = tests::application();  // first: widgets are members
  void SetUp() override {
    draft.setCatalog(std::make_shared<const Catalog>(smallCatalog()));
    EXPECT_EQ(draft.loadText(kQuickRun), "");
    undo.clear();
  }

  experiment::ExperimentDraft draft;
  QUndoStack undo;
  experiment::DraftUndo steps{draft, undo};
};

TEST_F(Draft, AChangeIsUndoneAndSaysWhatItWas) {
  const experiment::DraftState before = draft.state();
  draft.edit([](RunSpec& spec) { spec.batchSize = 64; });
  ASSERT_EQ(undo.count(), 1);
  EXPECT_TRUE(undo.undoText().endsWith("from 32 to 64")) << undo.undoText().toStdString();
  undo.undo();
  EXPECT_EQ(draft.state(), before);
  undo.redo();
  EXPECT_EQ(draft.spec().batchSize, 64);
}

TEST_F(Draft, AChangeOfANodeNamesIt) {
  draft.edit([](RunSpec& spec) { spec.nodes[2].host = "gpu1"; });
  EXPECT_TRUE(undo.undoText() == "changing host of w1 from local to gpu1") << undo.undoText().toStdString();
}

TEST_F(Draft, OneMoreInAListIsAChangeOfTheList) {
  draft.edit([](RunSpec& spec) { spec.nodes.push_back(spec.nodes.back()); });
  EXPECT_EQ(undo.undoText(), "changing 1 place in nodes");
  draft.edit([](RunSpec& spec) { spec.tags = {"new"}; });
  EXPECT_EQ(undo.undoText(), "changing 1 place in tags");
}

TEST_F(Draft, AnotherAlgorithmIsOneStepWithItsParameters) {
  draft.edit([](RunSpec& spec) { spec.algorithm.params.set("learning_rate", 0.5); });
  draft.edit([](RunSpec& spec) { spec.algorithm = {.id = "esync", .params = {}}; });
  EXPECT_TRUE(undo.undoText() == "changing algorithm from SSGD to ESync") << undo.undoText().toStdString();
  undo.undo();
  EXPECT_EQ(draft.spec().algorithm.params.real("learning_rate"), 0.5);
}

TEST_F(Draft, OpeningAnotherDocumentIsUndone) {
  draft.edit([](RunSpec& spec) { spec.notes = "a week's work"; });
  const experiment::DraftState mine = draft.state();
  EXPECT_EQ(draft.loadText(suiteText(), "opening the suite"), "");
  EXPECT_EQ(undo.undoText(), "opening the suite");
  undo.undo();
  EXPECT_EQ(draft.state(), mine);
}

TEST_F(Draft, WhatCannotBeReadChangesNothing) {
  const experiment::DraftState before = draft.state();
  for (const char* bad : {"{ \"paceline\": 1, ", "[1, 2]", R"({"vary": {}})", R"({"base": 3})"}) {
    EXPECT_NE(draft.loadText(bad), "") << bad;
    EXPECT_EQ(draft.state(), before) << bad;
  }
  EXPECT_EQ(undo.count(), 0);
}

TEST_F(Draft, TextThatCannotBeReadIsUndoneToo) {
  const QString before = draft.json();
  draft.setJson("{ \"paceline\": 1, ");
  undo.undo();
  EXPECT_EQ(draft.json(), before);
  draft.validateNow();
  EXPECT_EQ(draft.errorCount(), 0);
}

TEST_F(Draft, ASuiteOpensAsASuite) {
  EXPECT_EQ(draft.loadText(suiteText()), "");
  EXPECT_EQ(draft.spec().batchSize, 32);
  ASSERT_EQ(draft.errorCount(), 0) << draft.findings().front().message;
  EXPECT_EQ(draft.runnable().size(), 6u);
  EXPECT_EQ(experiment::varyText(draft.state(), draft.catalog()), "Algorithm: SSGD, ESync; Seed: 1, 2, 3");
  draft.edit([](RunSpec& spec) { spec.batchSize = 16; });
  draft.validateNow();
  ASSERT_EQ(draft.runnable().size(), 6u);
  for (const RunSpec& run : draft.runnable()) EXPECT_EQ(run.batchSize, 16);
  EXPECT_EQ(draft.runnable()[1].algorithm.id, "esync");
  EXPECT_EQ(draft.runnable()[5].seed, 3u);
}

TEST_F(Draft, ASuiteMayVaryWhatItsBaseLeavesOut) {
  std::string text = suiteText();
  const std::string left = R"("algorithm": {"id": "ssgd"}, )";
  text.erase(text.find(left), left.size());
  EXPECT_EQ(draft.loadText(text), "");
  EXPECT_EQ(draft.errorCount(), 0) << draft.findings().front().message;
  EXPECT_EQ(draft.runnable().size(), 6u);
}

TEST_F(Draft, AMistakeOfOneRunOfASuiteIsAFindingOfItsField) {
  EXPECT_EQ(draft.loadText(strCat(R"({"base": )", kQuickRun, R"(, "vary": {"/batch_size": [32, 0]}})")), "");
  EXPECT_TRUE(draft.findingAt("/batch_size").has_value());
  EXPECT_TRUE(draft.runnable().empty());
}

TEST_F(Draft, SeveralSeedsAreInTheDocument) {
  draft.setSeeds("1-3");
  EXPECT_EQ(undo.undoText(), "changing the seeds from 1 to 1, 2, 3");
  draft.edit([](RunSpec& spec) { spec.optimizer.momentum = 1; });
  EXPECT_EQ(undo.undoText(), "changing momentum from 0 to 1");
  undo.undo();
  experiment::ExperimentDraft other;
  EXPECT_EQ(other.loadText(draft.json().toStdString()), "");
  EXPECT_EQ(experiment::seedsText(other.state()), "1, 2, 3");
  draft.setSeeds("4");
  EXPECT_EQ(experiment::varyText(draft.state(), draft.catalog()), "");
  EXPECT_EQ(draft.spec().seed, 4u);
}

struct Typing : Draft {
  void SetUp() override {
    Draft::SetUp();
    form.resize(760, 900);
    form.show();
    form.activateWindow();
    ASSERT_TRUE(waitFor([this] { return form.isActiveWindow(); }));
  }
  QLineEdit* typed(const char* name, const char* text) {
    auto* field = form.findChild<QLineEdit*>(name);
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, text);
    return field;
  }

  clusters::HostsModel hosts{servicesOf(fakeHosts())};
  experiment::ExperimentForm form{draft, hosts};
};

TEST_F(Typing, IntoOneFieldIsOneStep) {
  typed("batchSize", "128");
  ASSERT_EQ(undo.count(), 1);
  EXPECT_TRUE(undo.undoText().endsWith("from 32 to 128")) << undo.undoText().toStdString();
  typed("momentum", "0.9");
  EXPECT_EQ(undo.count(), 2);
  typed("batchSize", "256");
  EXPECT_EQ(undo.count(), 3);
}

TEST_F(Typing, UndoShowsInTheFieldThatIsTypedInto) {
  QLineEdit* field = typed("batchSize", "128");
  ASSERT_TRUE(field->hasFocus());
  undo.undo();
  EXPECT_EQ(field->text(), "32");
  QTest::keyClicks(field, "7");  // before the 3: 732
  EXPECT_EQ(draft.spec().batchSize, 732);
  undo.undo();
  EXPECT_EQ(draft.spec().batchSize, 32);
}

struct Kept : Draft {
  std::unique_ptr<experiment::DraftFile> keep(experiment::ExperimentDraft& of) {
    auto file = std::make_unique<experiment::DraftFile>(folder, of);
    problem = file->restore();
    return file;
  }
  std::unique_ptr<experiment::DraftFile> keep(experiment::ExperimentDraft& of, experiment::DraftUndo& by) {
    auto file = std::make_unique<experiment::DraftFile>(
        folder, of, experiment::StepKeeper{.steps = [&by] { return by.kept(); }, .take = [&by](const experiment::KeptSteps& all) { by.take(all); }});
    problem = file->restore();
    return file;
  }

  TempFolder place;
  QString folder = QString::fromStdString(place.path("drafts")), problem;
};

TEST_F(Kept, TheNextStartHasIt) {
  auto file = keep(draft);
  EXPECT_EQ(draft.loadText(suiteText()), "");
  draft.edit([](RunSpec& spec) { spec.notes = "a week's work"; });
  const experiment::DraftState mine = draft.state();
  file.reset();
  experiment::ExperimentDraft next;
  const auto again = keep(next);
  EXPECT_EQ(problem, "");
  EXPECT_EQ(next.state(), mine);
}

// As after a kill: nothing of the window's end is needed.
TEST_F(Kept, IsWrittenWhileTheWindowIsOpen) {
  const auto file = keep(draft);
  draft.edit([](RunSpec& spec) { spec.notes = "a week's work"; });
  const auto written = [&] {
    QFile kept(folder + "/draft-1.json");
    return kept.open(QIODevice::ReadOnly) && kept.readAll().contains("a week's work");
  };
  EXPECT_TRUE(waitFor(written));
}

TEST_F(Kept, TheNextStartCanUndoAndDoAgain) {
  auto file = keep(draft, steps);
  draft.edit([](RunSpec& spec) { spec.batchSize = 64; });
  draft.setJson("{ \"paceline\": 1, ");
  EXPECT_EQ(draft.loadText(suiteText(), "opening the suite"), "");
  draft.edit([](RunSpec& spec) { spec.batchSize = 16; });
  draft.edit([](RunSpec& spec) { spec.batchSize = 8; });
  undo.undo();
  undo.undo();
  file.reset();
  experiment::ExperimentDraft next;
  QUndoStack again;
  experiment::DraftUndo nextSteps(next, again);
  int shown = 0;
  QObject::connect(&next, &experiment::ExperimentDraft::specChanged, &next, [&shown] { ++shown; });
  const auto nextFile = keep(next, nextSteps);
  EXPECT_EQ(shown, 1);  // the draft as it was left, none of its steps
  EXPECT_EQ(again.count(), 5);
  const auto same = [&] { return next.state() == draft.state() && again.undoText() == undo.undoText() && again.redoText() == undo.redoText(); };
  for (; undo.canUndo(); undo.undo(), again.undo()) EXPECT_TRUE(same()) << again.undoText().toStdString();
  EXPECT_FALSE(again.canUndo());
  for (; undo.canRedo(); undo.redo(), again.redo()) EXPECT_TRUE(same()) << again.redoText().toStdString();
  EXPECT_FALSE(again.canRedo());
  EXPECT_TRUE(same());
}

TEST_F(Kept, AChangeAfterTheNextStartEndsWhatCanBeDoneAgain) {
  auto file = keep(draft, steps);
  draft.edit([](RunSpec& spec) { spec.batchSize = 64; });
  undo.undo();
  file.reset();
  experiment::ExperimentDraft next;
  QUndoStack again;
  experiment::DraftUndo nextSteps(next, again);
  auto nextFile = keep(next, nextSteps);
  ASSERT_TRUE(again.canRedo());
  next.edit([](RunSpec& spec) { spec.batchSize = 16; });
  EXPECT_FALSE(again.canRedo());
  again.undo();
  EXPECT_EQ(next.state(), draft.state());
  nextFile.reset();
  QFile kept(folder + "/draft-1.json");
  ASSERT_TRUE(kept.open(QIODevice::ReadOnly));
  const experiment::KeptSteps now = experiment::stepsOf(kept.readAll().toStdString());
  EXPECT_TRUE(now.back.empty());
  ASSERT_EQ(now.again.size(), 1u);
  EXPECT_TRUE(now.again.front().what.endsWith("from 32 to 16")) << now.again.front().what.toStdString();
}

// As after a kill: what a template replaced is in the file while the window is open.
TEST_F(Kept, WhatWasReplacedIsWrittenWhileTheWindowIsOpen) {
  const auto file = keep(draft, steps);
  draft.edit([](RunSpec& spec) { spec.notes = "a week's work"; });
  EXPECT_EQ(draft.loadText(suiteText(), "opening the suite"), "");
  const auto written = [&] {
    QFile kept(folder + "/draft-1.json");
    if (!kept.open(QIODevice::ReadOnly)) return false;
    const std::vector<experiment::KeptStep> back = experiment::stepsOf(kept.readAll().toStdString()).back;
    return !back.empty() && back.front().what == "opening the suite" && back.front().draft->find("a week's work") != std::string::npos;
  };
  EXPECT_TRUE(waitFor(written));
}

TEST_F(Kept, ADraftOfAnOlderFileHasNoPast) {
  keep(draft).reset();
  QFile kept(folder + "/draft-1.json");
  ASSERT_TRUE(kept.open(QIODevice::WriteOnly | QIODevice::Truncate));
  kept.write(experiment::stored(draft.state()).c_str());
  kept.close();
  experiment::ExperimentDraft next;
  QUndoStack again;
  experiment::DraftUndo nextSteps(next, again);
  const auto file = keep(next, nextSteps);
  EXPECT_EQ(problem, "");
  EXPECT_EQ(next.state(), draft.state());
  EXPECT_EQ(again.count(), 0);
}

experiment::KeptStep step(const char* what, const std::string& text) { return {what, std::make_shared<const std::string>(text)}; }

TEST_F(Kept, AStepThatCannotBeReadEndsThem) {
  const std::string now = experiment::stored(draft.state());
  const std::string text = experiment::withSteps(now, {.back = {step("third", now), step("second", "{"), step("first", now)}, .again = {step("fourth", now), step("fifth", "{"), step("sixth", now)}});
  ASSERT_EQ(experiment::stepsOf(text).back.size(), 3u);
  ASSERT_EQ(experiment::stepsOf(text).again.size(), 3u);
  steps.take(experiment::stepsOf(text));
  ASSERT_EQ(undo.count(), 2);
  EXPECT_EQ(undo.undoText(), "third");
  EXPECT_EQ(undo.redoText(), "fourth");
  EXPECT_TRUE(experiment::stepsOf(R"({"past": [3, {"what": "x", "before": "y"}]})").back.empty());
  EXPECT_TRUE(experiment::stepsOf(R"({"past": 3, "next": 3})").again.empty());
}

TEST_F(Kept, AnOlderFileHasStepsThatCanBeUndoneAlone) {
  EXPECT_EQ(experiment::stepsOf(R"({"past": [{"what": "x", "before": "y"}]})").back.size(), 1u);
  EXPECT_TRUE(experiment::stepsOf(R"({"past": [{"what": "x", "before": "y"}]})").again.empty());
}

TEST_F(Kept, OfManyStepsTheNextAreKept) {
  const std::string large(400'000, 'x');
  const std::vector<experiment::KeptStep> many = {step("1", large), step("2", large), step("3", large)};
  const experiment::KeptSteps kept = experiment::stepsOf(experiment::withSteps("{}", {.back = many, .again = many}));
  for (const auto& some : {kept.back, kept.again}) {
    ASSERT_EQ(some.size(), 2u);
    EXPECT_EQ(some[0].what, "1");
    EXPECT_EQ(some[1].what, "2");
  }
  const std::vector<experiment::KeptStep> huge = {step("1", std::string(2'000'000, 'x')), step("2", "small")};
  EXPECT_EQ(experiment::stepsOf(experiment::withSteps("{}", {.back = huge, .again = {}})).back.size(), 1u);  // what was replaced last, whatever its size
}

TEST_F(Kept, TextThatCannotBeReadIsKeptWithTheForm) {
  auto file = keep(draft);
  draft.edit([](RunSpec& spec) { spec.batchSize = 48; });
  draft.setJson("{ \"paceline\": 1, ");
  file.reset();
  experiment::ExperimentDraft next;
  const auto again = keep(next);
  EXPECT_EQ(next.json(), "{ \"paceline\": 1, ");
  EXPECT_EQ(next.spec().batchSize, 48);
}

TEST_F(Kept, EachWindowHasItsOwn) {
  auto first = keep(draft);
  experiment::ExperimentDraft other;
  EXPECT_EQ(other.loadText(suiteText()), "");
  const auto second = keep(other);
  EXPECT_EQ(experiment::varyText(other.state(), nullptr), "Algorithm: ssgd, esync; Seed: 1, 2, 3");
  draft.edit([](RunSpec& spec) { spec.notes = "mine"; });
  first.reset();
  experiment::ExperimentDraft next;
  const auto again = keep(next);
  EXPECT_EQ(next.spec().notes, "mine");
}

TEST_F(Kept, AFileThatIsNoDraftIsPutAside) {
  keep(draft).reset();
  QFile kept(folder + "/draft-1.json");
  ASSERT_TRUE(kept.open(QIODevice::WriteOnly | QIODevice::Truncate));
  kept.write("{");
  kept.close();
  const experiment::DraftState before = draft.state();
  const auto file = keep(draft);
  EXPECT_TRUE(problem.contains("holds no draft")) << problem.toStdString();
  EXPECT_EQ(draft.state(), before);
  EXPECT_TRUE(QFile::exists(folder + "/draft-1.json.bad"));
}

}  // namespace
}  // namespace paceline::tests

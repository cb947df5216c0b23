// The form as a whole: its rail of sections, what is folded away, the help of the field with the keyboard.
#include <gtest/gtest.h>

#include <QScrollBar>

#include "app/models/experiment/split_preview.h"
#include "app/ui/experiment/experiment_page.h"
#include "app/ui/widgets/fold.h"
#include "engine/core/base/file_text.h"
#include "tests/gui/form/form_fixture.h"

namespace paceline::tests {
namespace {

constexpr const char* kDocument = R"({"paceline": 1, "name": "t", "algorithm": {"id": "ssgd"}, "model": {"id": "logistic"}, "dataset": {"id": "synthetic"},
  "nodes": [{"id": "s0", "role": "server"}, {"id": "w0", "role": "worker"}, {"id": "w1", "role": "worker"}], "stop": {"rounds": 5}})";

struct FormRail : FormFixture {
  void SetUp() override {
    show(smallCatalog(), kDocument);
    for (widgets::Fold* each : folds()) each->setOpen(false);
  }
  std::vector<widgets::Fold*> folds() {
    std::vector<widgets::Fold*> all;
    for (QWidget* each : form.findChildren<QWidget*>())
      if (auto* fold = dynamic_cast<widgets::Fold*>(each)) all.push_back(fold);
    return all;
  }
  QPushButton* section(const char* name) { return the<QPushButton>(strCat("section:", name).c_str()); }
  QPushButton* more(const char* card) { return the<QPushButton>(strCat("more:", card).c_str()); }
  QScrollBar* bar() { return form.findChild<QScrollArea*>()->verticalScrollBar(); }
};

TEST_F(FormRail, SaysTheErrorsOfASection) {
  EXPECT_EQ(section("Method")->accessibleName(), "Method: no findings");
  type("momentum", "fast");
  EXPECT_EQ(section("Method")->accessibleName(), "Method: 1 error");
  EXPECT_TRUE(section("Method")->text().endsWith("1"));
  EXPECT_EQ(section("Problem")->accessibleName(), "Problem: no findings");
  type("momentum", "0.9");
  EXPECT_EQ(section("Method")->accessibleName(), "Method: no findings");
}

TEST_F(FormRail, HasOnlySectionsThatBelong) {
  EXPECT_FALSE(section("Groups")->isVisible());
  EXPECT_FALSE(section("Topology")->isVisible());
  choose("algorithmList", "grouping_sgd");
  EXPECT_TRUE(section("Groups")->isVisible());
}

TEST_F(FormRail, ReturnGoesIntoASectionAndToItsError) {
  section("Method")->setFocus();
  QTest::keyClick(section("Method"), Qt::Key_Return);
  EXPECT_EQ(QApplication::focusWidget(), the<QComboBox>("algorithmList"));
  draft.edit([](RunSpec& spec) { spec.optimizer.clipNorm = -1; });
  draft.validateNow();
  EXPECT_FALSE(the<QLineEdit>("clipNorm")->isVisible());  // folded away
  EXPECT_EQ(more("Method")->text(), "More: 1 set, 1 error");
  QTest::keyClick(section("Method"), Qt::Key_Return);
  EXPECT_EQ(QApplication::focusWidget(), the<QLineEdit>("clipNorm"));
}

TEST_F(FormRail, KeysGoFromSectionToSection) {
  the<QLineEdit>("name")->setFocus();
  for (const char* next : {"modelList", "nodeTable", "algorithmList", "evaluateEvery"}) {
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_PageDown, Qt::ControlModifier);
    ASSERT_NE(QApplication::focusWidget(), nullptr);
    const QString now = QApplication::focusWidget()->objectName();
    EXPECT_EQ(now.toStdString(), next);
  }
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_PageUp, Qt::ControlModifier);
  EXPECT_EQ(QApplication::focusWidget(), the<QComboBox>("algorithmList"));
}

TEST_F(FormRail, FollowsWhatIsSeenAndScrollsToWhatIsChosen) {
  form.resize(760, 420);
  QCoreApplication::processEvents();
  ASSERT_GT(bar()->maximum(), 0);
  QTest::mouseClick(section("Method"), Qt::LeftButton);
  EXPECT_TRUE(section("Method")->isChecked());
  EXPECT_GT(bar()->value(), 0);
  bar()->setValue(0);
  EXPECT_TRUE(section("Experiment")->isChecked());
  bar()->setValue(bar()->maximum());
  EXPECT_TRUE(section("Stop")->isChecked());
}

TEST_F(FormRail, StandsAboveWhereTheRoomIsNarrow) {
  const auto beside = [this] { return the<QWidget>("sectionRail")->geometry().bottom() > form.height() / 2; };
  form.resize(1000, 700);
  QCoreApplication::processEvents();
  EXPECT_TRUE(beside());
  form.resize(form.minimumSizeHint().width(), 700);
  QCoreApplication::processEvents();
  EXPECT_FALSE(beside());
  EXPECT_LE(form.findChild<QScrollArea*>()->widget()->minimumSizeHint().width(), form.findChild<QScrollArea*>()->viewport()->width());
}

TEST_F(FormRail, WhatIsFoldedAwayIsCountedWhereItIsSet) {
  EXPECT_EQ(more("Method")->text(), "More");
  draft.edit([](RunSpec& spec) { spec.wire.format = "fp16", spec.optimizer.clipNorm = 5; });
  EXPECT_EQ(more("Method")->text(), "More: 2 set");
  draft.edit([](RunSpec& spec) { spec.tags = {"a"}; });
  EXPECT_EQ(more("Experiment")->text(), "More: 1 set");
  draft.edit([](RunSpec& spec) { spec.wire.format = "fp32", spec.optimizer.clipNorm.reset(); });
  EXPECT_EQ(more("Method")->text(), "More");
}

TEST_F(FormRail, AMarkedFieldIsNotLeftFoldedAway) {
  const RunSpec before = draft.spec();
  draft.edit([](RunSpec& spec) { spec.wire.format = "fp16"; });
  form.mark(experiment::changesOf(before, draft.spec(), draft.catalog()));
  EXPECT_TRUE(the<QComboBox>("wireFormat")->isVisible());
}

// Nothing moves while one goes through the fields: what is about to be pressed stays where it is.
TEST_F(FormRail, TheHelpOfTheFieldWithTheKeyboardStandsBelow) {
  ASSERT_TRUE(waitFor([this] { return std::ranges::none_of(form.findChildren<experiment::SplitPreview*>(), [](const experiment::SplitPreview* each) { return each->due() || each->asking(); }); }));
  QCoreApplication::processEvents();
  const auto places = [this] {
    std::vector<QPoint> all;
    for (const QLineEdit* each : form.findChildren<QLineEdit*>()) all.push_back(each->mapTo(&form, QPoint()));
    return all;
  };
  const std::vector<QPoint> before = places();
  the<QLineEdit>("momentum")->setFocus(Qt::MouseFocusReason);
  EXPECT_EQ(the<QLabel>("formHelp")->text(), help("momentum"));
  EXPECT_FALSE(help("momentum").isEmpty());
  the<QComboBox>("modelList")->setFocus(Qt::MouseFocusReason);
  EXPECT_EQ(the<QLabel>("formHelp")->text(), help("modelList"));
  QCoreApplication::processEvents();
  EXPECT_EQ(places(), before);
  EXPECT_EQ(note("momentum"), "");
}

TEST_F(FormRail, ATemplateFitsThreeScreens) {
  for (const experiment::Template& each : experiment::templates()) {
    QFile file(each.path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    open(file.readAll().toStdString());
    form.resize(764, 715);  // in a window of 1280x800
    QCoreApplication::processEvents();
    const QScrollArea* scroll = form.findChild<QScrollArea*>();
    EXPECT_LE(scroll->widget()->height(), 3 * scroll->viewport()->height()) << each.title.toStdString();
  }
}

}  // namespace
}  // namespace paceline::tests

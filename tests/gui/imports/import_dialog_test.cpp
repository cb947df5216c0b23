// Tables whose columns are not known are asked about before they are imported; what still grows is followed. The terminal's profile, the recorder's import.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTest>

#include <filesystem>
#include <fstream>

#include "app/ui/imports/import_dialog.h"
#include "app/ui/intake.h"
#include "app/ui/main_window.h"
#include "engine/core/json/json_text.h"
#include "storage/store/store.h"
#include "tests/gui/fake_hosts.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;

constexpr const char* kTable = "at,acc_1,l\n1,0.25,2.3\n2,0.5,1.9\n";

struct Imports : ::testing::Test {
  void SetUp() override {
    application();
    window = std::make_unique<MainWindow>(QString::fromStdString(store), servicesOf(fakeHosts()));
    window->resize(1280, 800);
    window->show();
  }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder.path(name)) << text;
    return folder.path(name);
  }
  ImportDialog* dialog() const { return window->findChild<ImportDialog*>(); }
  ImportDialog& asked(const std::string& path) {
    window->intake().take({QString::fromStdString(path)});
    EXPECT_TRUE(waitFor([this] { return dialog() != nullptr && dialog()->isVisible(); }));
    return *dialog();
  }
  QComboBox* list(const char* role) const { return dialog()->findChild<QComboBox*>(QString("import-") + role); }
  void choose(const char* role, const QString& column) const { list(role)->setCurrentIndex(list(role)->findData(column)); }
  std::string problem() const {
    const auto* line = dialog()->findChild<QLabel*>("importProblem");
    return line->isHidden() ? "" : line->text().toStdString();
  }
  QPushButton* go() const { return dialog()->findChild<QPushButton*>("importGo"); }
  std::size_t evaluations() const {
    const store::StoreReader reader(store);
    const auto runs = reader.runs();
    return runs.empty() ? 0 : reader.records<EvaluationRecord>(runs.front().id).size();
  }

  TempFolder folder;
  const std::string store = folder.path("store.db");
  std::unique_ptr<MainWindow> window;
};

TEST_F(Imports, ATableWhoseColumnsAreNotKnownIsAskedAbout) {
  asked(write("theirs.csv", kTable));
  const auto* preview = dialog()->findChild<QTableWidget*>("importPreview");
  EXPECT_EQ(preview->horizontalHeaderItem(1)->text(), "acc_1");
  EXPECT_EQ(preview->item(1, 2)->text(), "1.9");
  EXPECT_EQ(problem(), "Choose the column of the step; no name says which it is");
  EXPECT_FALSE(go()->isEnabled());
}

TEST_F(Imports, WhatIsChosenIsWhatTheColumnsMean) {
  asked(write("theirs.csv", kTable));
  choose("step", "at"), choose("accuracy", "acc_1"), choose("loss", "l");
  EXPECT_EQ(problem(), "");
  go()->click();
  ASSERT_TRUE(waitFor([this] { return window->bannerText().contains("Imported 1 run from theirs.csv."); })) << window->bannerText().toStdString();
  const store::StoreReader reader(store);
  const auto found = reader.records<EvaluationRecord>(reader.runs().front().id);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[1].record.accuracy, 0.5);
}

TEST_F(Imports, WhatTheImportRefusesIsSaidInTheDialog) {
  asked(write("theirs.csv", "at,acc_1\n1,0.25\nword,0.5\n"));
  choose("step", "at");
  go()->click();
  ASSERT_TRUE(waitFor([this] { return !problem().empty(); }));
  EXPECT_THAT(problem(), HasSubstr("line 3, column \"at\": must be a whole number, it is \"word\""));
  EXPECT_TRUE(dialog()->isVisible());
}

TEST_F(Imports, AProfileIsThatOfTheTerminal) {
  asked(write("theirs.csv", kTable));
  choose("step", "at"), choose("accuracy", "acc_1");
  const QString file = QString::fromStdString(folder.path("profile.json"));
  dialog()->save(file);
  std::ifstream text(file.toStdString());
  EXPECT_EQ(jsonOrNull(std::string{std::istreambuf_iterator<char>(text), {}}), (Json{{"step", "at"}, {"accuracy", "acc_1"}}));
  choose("step", "l");
  dialog()->load(file);
  EXPECT_EQ(list("step")->currentText(), "at");
  write("profile.json", R"({"step": "elsewhere"})");
  dialog()->load(file);
  EXPECT_EQ(problem(), "The table has no column \"elsewhere\" for Steps");
  write("profile.json", R"({"stepp": "at"})");
  dialog()->load(file);
  EXPECT_THAT(problem(), HasSubstr("stepp"));
}

TEST_F(Imports, AFileThatIsFollowedIsTakenUpAgainWhenItGrows) {
  const std::string file = write("theirs.csv", kTable);
  asked(file);
  choose("step", "at"), choose("accuracy", "acc_1");
  dialog()->findChild<QCheckBox*>("importFollow")->setChecked(true);
  go()->click();
  ASSERT_TRUE(waitFor([this] { return window->bannerText().contains("which is followed as it grows"); })) << window->bannerText().toStdString();
  EXPECT_EQ(evaluations(), 2U);
  std::ofstream(file, std::ios::app) << "3,0.75,1.2\n";
  ASSERT_TRUE(waitFor([this] { return evaluations() == 3; }));
  EXPECT_TRUE(waitFor([this] { return window->shell().runs.item(0)->accuracyBest == 0.75; })) << "the table of runs shows it";
  auto* menu = window->findChild<QMenu*>("followedFiles");
  emit menu->aboutToShow();
  ASSERT_EQ(menu->actions().size(), 1);
  menu->actions().front()->trigger();
  emit menu->aboutToShow();
  EXPECT_FALSE(menu->actions().front()->isCheckable()) << "none is followed";
}

TEST_F(Imports, AFileThatStaysDamagedIsNotFollowedAnyMore) {
  const std::string file = write("theirs.csv", kTable);
  asked(file);
  choose("step", "at");
  dialog()->findChild<QCheckBox*>("importFollow")->setChecked(true);
  go()->click();
  ASSERT_TRUE(waitFor([this] { return window->bannerText().contains("which is followed as it grows"); }));
  write("theirs.csv", "at,acc_1,l\nword,0.25,2.3\n");
  EXPECT_TRUE(waitFor([this] { return window->bannerText().contains("theirs.csv is not followed any more: "); })) << window->bannerText().toStdString();
}

TEST_F(Imports, AKnownTableIsImportedWithoutAQuestion) {
  window->intake().take({QString::fromStdString(write("known.csv", "step,accuracy\n1,0.5\n2,0.6\n"))});
  EXPECT_TRUE(waitFor([this] { return window->bannerText().contains("Imported 1 run from known.csv"); })) << window->bannerText().toStdString();
  EXPECT_EQ(dialog(), nullptr);
}

}  // namespace
}  // namespace paceline::tests

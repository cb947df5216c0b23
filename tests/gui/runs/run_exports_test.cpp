// Runs as files: what the window's export writes is what the terminal's writes.
#include "app/models/runs/run_exports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "app/ui/main_window.h"
#include "app/ui/runs/export_menu.h"
#include "storage/interchange/interop.h"
#include "storage/store/store.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;

struct Exports : ::testing::Test {
  Exports() {
    application();
    for (const int number : {1, 2}) storeRun(store, madeRow(number), 3);
    QObject::connect(&exports, &runs::RunExports::ended, &exports, [this](const QString& words, const QString& error) { said = words, failed = error, ended = true; });
  }
  static runs::ExportFormat format(const std::string& id, bool summary) {
    return *std::ranges::find_if(runs::exportFormats(), [&](const runs::ExportFormat& each) { return each.id == id && each.summary == summary; });
  }
  bool run(const runs::RunExport& what) {
    ended = false;
    return exports.start(what) && waitFor([this] { return ended; });
  }
  std::string text(const std::string& name) const {
    std::ifstream file(folder.path(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }

  TempFolder folder;
  const std::string store = folder.path("store.db"), first = madeRow(1).id, second = madeRow(2).id;
  runs::RunExports exports{store};
  QString said, failed;
  bool ended = false;
};

TEST_F(Exports, EveryFormatOfTheTerminalIsOffered) {
  std::vector<std::string> offered;
  for (const runs::ExportFormat& each : runs::exportFormats())
    if (!each.summary && each.weights.empty()) offered.push_back(each.id);
  std::vector<std::string> known = interchange::recordLists();
  known.insert(known.end(), {"json", "esync", "esync-original", "tensorboard", "trace"});
  EXPECT_THAT(offered, ::testing::UnorderedElementsAreArray(known));
}

TEST_F(Exports, EveryOneIsWritten) {
  for (const runs::ExportFormat& each : runs::exportFormats()) {
    if (!each.weights.empty()) continue;
    const std::string name = each.id + (each.summary ? "-summary" : "");
    ASSERT_TRUE(run({.format = each, .runs = {first}, .path = QString::fromStdString(folder.path(name))})) << name;
    EXPECT_EQ(failed, "") << name;
    EXPECT_TRUE(std::filesystem::exists(folder.path(name))) << name;
  }
  EXPECT_THAT(text("json"), HasSubstr("\"paceline_bundle\""));
  EXPECT_THAT(text("latex-summary"), HasSubstr("\\toprule"));
}

TEST_F(Exports, WeightsThatARunDidNotKeepAreTold) {
  ASSERT_TRUE(run({.format = format("safetensors", false), .runs = {first}, .path = QString::fromStdString(folder.path("best.safetensors"))}));
  EXPECT_THAT(failed.toStdString(), HasSubstr("weights"));
  EXPECT_FALSE(std::filesystem::exists(folder.path("best.safetensors")));
}

TEST_F(Exports, SeveralGoIntoAFolderAndWhatIsThereIsKnownBefore) {
  const runs::RunExport what{.format = format("json", false), .runs = {first, second}, .path = QString::fromStdString(folder.path("all"))};
  EXPECT_TRUE(runs::goesToFolder(what.format, 2));
  EXPECT_TRUE(runs::alreadyThere(what).isEmpty());
  ASSERT_TRUE(run(what));
  EXPECT_EQ(said, QString::fromStdString("Exported 2 runs to " + folder.path("all")));
  EXPECT_EQ(runs::alreadyThere(what).size(), 2);
  EXPECT_FALSE(runs::goesToFolder(format("csv", true), 2));  // one table of both
}

TEST_F(Exports, AFailureIsOneSentence) {
  ASSERT_TRUE(run({.format = format("json", false), .runs = {first}, .path = "/nowhere/at/all.json"}));
  EXPECT_THAT(failed.toStdString(), HasSubstr("/nowhere/at"));
  EXPECT_FALSE(failed.contains('\n'));
  EXPECT_EQ(said, "");
  ASSERT_TRUE(run({.format = format("json", false), .runs = {"nosuch"}, .path = QString::fromStdString(folder.path("x"))}));
  EXPECT_THAT(failed.toStdString(), HasSubstr("no run \"nosuch\""));
}

TEST_F(Exports, TheMenuMeansWhatIsSelected) {
  MainWindow window(QString::fromStdString(store));
  window.show();
  window.go(MainWindow::kRuns);
  ASSERT_TRUE(waitFor([&] { return window.shell().runs.rowCount() == 2; }));
  auto* menu = window.runsPage().findChild<QPushButton*>("exportSelected")->menu();
  window.runsPage().selectFirst();
  emit menu->aboutToShow();
  ASSERT_NE(menu->findChild<QAction*>("summary-esync"), nullptr);
  EXPECT_TRUE(menu->findChild<QAction*>("summary-esync")->isEnabled());  // of one run
  window.runsPage().findChild<QTableView*>("runsTable")->selectAll();
  emit menu->aboutToShow();
  EXPECT_FALSE(menu->findChild<QAction*>("summary-esync")->isEnabled());
  EXPECT_TRUE(menu->findChild<QAction*>("export-json")->isEnabled());
}

}  // namespace
}  // namespace paceline::tests

// The first minute of an empty store, with real processes: two short runs, seen in the lanes as they train, and what came out.
#include <gtest/gtest.h>

#include <QPushButton>
#include <QSettings>
#include <QTest>
#include <cstdlib>

#include "app/models/words.h"
#include "app/ui/compare/compare_page.h"
#include "app/ui/main_window.h"
#include "app/ui/runs/run_page.h"
#include "app/ui/runs/runs_page.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

QPushButton* buttonThatSays(MainWindow& window, const QString& words) {
  for (QPushButton* each : window.findChildren<QPushButton*>())
    if (each->text() == words && each->isVisible()) return each;
  return nullptr;
}

TEST(FirstMinute, ESyncIsSeenToBeatSsgd) {
  TempFolder folder;
  setenv("PACELINE_AGENT_DIR", folder.path("agent").c_str(), 1);
  setenv("PACELINE_AGENT_IDLE_S", "5", 1);
  application();
  QSettings().remove("hints/lanes");
  MainWindow window(QString::fromStdString(folder.path("store.db")));
  window.mayQuit = nullptr;
  window.show();
  window.go(MainWindow::kRuns);
  auto* watch = window.runsPage().findChild<QPushButton*>("watchFirst");
  ASSERT_TRUE(waitFor([&] { return watch->isEnabled() && watch->isVisible(); })) << window.shell().catalogue.error().toStdString();
  QTest::mouseClick(watch, Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return window.page() == &window.runPage(); })) << window.bannerText().toStdString();
  const std::string first = window.runPage().run();
  ASSERT_TRUE(waitFor([&] { return window.bannerText().contains("Hint 1 of 3"); })) << window.bannerText().toStdString();
  QTest::mouseClick(buttonThatSays(window, "Next hint"), Qt::LeftButton);
  EXPECT_TRUE(window.bannerText().contains("Hint 2 of 3"));
  window.go(MainWindow::kRuns);
  EXPECT_FALSE(window.bannerText().contains("Hint"));
  window.openRun(first);
  EXPECT_TRUE(window.bannerText().contains("Hint 2 of 3"));
  QTest::mouseClick(buttonThatSays(window, "Next hint"), Qt::LeftButton);
  QTest::mouseClick(buttonThatSays(window, "Got it"), Qt::LeftButton);
  EXPECT_FALSE(window.bannerText().contains("Hint"));

  ASSERT_TRUE(waitFor([&] { return window.runPage().run() != first; }, 120));  // the second takes its place
  EXPECT_FALSE(window.bannerText().contains("Hint"));                           // dismissed is dismissed
  ASSERT_TRUE(waitFor([&] { return window.bannerText().contains("ESync reached"); }, 120)) << window.bannerText().toStdString();
  double esync = 0, ssgd = 0;
  for (int row = 0; row < window.shell().runs.rowCount(); ++row) {
    const runs::RunItem* item = window.shell().runs.item(row);
    EXPECT_EQ(item->row.state, store::RunState::kFinished) << item->row.error;
    EXPECT_TRUE(window.bannerText().contains(percentText(item->accuracyBest))) << window.bannerText().toStdString();  // that of the whole run
    (item->row.algorithm == "esync" ? esync : ssgd) = item->accuracyBest.value_or(0);
  }
  EXPECT_GT(esync, ssgd + 0.1);  // as the button says
  QTest::mouseClick(buttonThatSays(window, "Compare them"), Qt::LeftButton);
  EXPECT_EQ(window.page(), &window.compare());
  EXPECT_EQ(window.bannerText(), "");  // it was followed
  EXPECT_EQ(window.compare().comparison().runs().size(), 2U);
}

}  // namespace
}  // namespace paceline::tests

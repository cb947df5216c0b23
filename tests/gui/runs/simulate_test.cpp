// *Simulate* beside *Run*, with the real programs: a run of its own that says everywhere what it is.
#include <gtest/gtest.h>

#include <QPushButton>
#include <QTableView>
#include <QTest>

#include "app/ui/main_window.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

TEST(Simulate, IsARunOfItsOwnThatSaysSo) {
  application();
  const TempFolder folder;
  MainWindow window(QString::fromStdString(folder.path("store.db")));
  window.show();
  window.go(MainWindow::kExperiments);
  auto* simulate = window.experiment().findChild<QPushButton*>("simulateButton");
  ASSERT_NE(simulate, nullptr);
  window.experiment().draft().edit([](RunSpec& spec) { spec.stop.rounds = 3; });
  ASSERT_TRUE(waitFor([&] { return simulate->isEnabled(); })) << simulate->toolTip().toStdString();
  QTest::keyClick(&window, Qt::Key_Return, Qt::ControlModifier | Qt::ShiftModifier);
  const auto ended = [&] {
    const runs::RunItem* item = window.shell().runs.item(0);
    return item != nullptr && item->row.state == store::RunState::kFinished;
  };
  ASSERT_TRUE(waitFor(ended, 120)) << window.bannerText().toStdString();
  const store::RunRow row = window.shell().runs.item(0)->row;
  EXPECT_EQ(row.source, "simulated");
  window.go(MainWindow::kRuns);
  const auto* table = window.runsPage().findChild<QTableView*>("runsTable");
  EXPECT_EQ(table->model()->index(0, 0).data(runs::RunsModel::kTagsRole).toStringList().value(0), "simulated");
  window.openRun(row.id);
  EXPECT_TRUE(waitFor([&] {
    for (const QLabel* each : window.runPage().findChildren<QLabel*>())
      if (each->isVisible() && each->text() == "simulated") return true;
    return false;
  }));
}

}  // namespace
}  // namespace paceline::tests

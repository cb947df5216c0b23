// An ended run goes on elsewhere: its nodes get other hosts and devices by mouse and keys, and the recorder is asked for just that.
#include "app/ui/runs/resume_dialog.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QPointer>
#include <QPushButton>
#include <QTest>

#include "app/ui/main_window.h"
#include "tests/gui/fake_hosts.h"
#include "tests/gui/fake_recorder.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

using Column = experiment::ResumeNodes::Column;

constexpr const char* kResumable = R"({"paceline": 1, "name": "long", "algorithm": {"id": "ssgd"}, "aggregation": {"id": "server"}, "model": {"id": "logistic"}, "dataset": {"id": "synthetic"},
  "checkpoint": {"every_rounds": 5}, "stop": {"rounds": 50},
  "nodes": [{"id": "s0", "role": "server"}, {"id": "w0", "threads": 2}, {"id": "w1", "host": "gpu1", "device": "cuda:1"}]})";

struct Resume : ::testing::Test {
  void SetUp() override {
    window.resize(1280, 800);
    window.show();
    window.shell().catalogue.use(smallCatalog());
    ASSERT_TRUE(waitFor([this] { return window.shell().hosts.find("fresh") != nullptr; }));
    window.openRun(madeRow(1).id);
    auto* resume = window.runPage().findChild<QPushButton*>("resumeButton");
    ASSERT_TRUE(waitFor([&] { return resume->isVisible(); }));
    QTest::mouseClick(resume, Qt::LeftButton);
    dialog = window.runPage().findChild<runs::ResumeDialog*>();
    ASSERT_NE(dialog, nullptr);
    ASSERT_TRUE(waitFor([this] { return dialog->isVisible(); }));
  }
  static store::RunRow longRun() {
    store::RunRow row = madeRow(1);
    row.state = store::RunState::kStopped, row.specText = kResumable;
    return row;
  }
  static std::shared_ptr<FakeHosts> threeHosts() {
    std::shared_ptr<FakeHosts> made = fakeHosts();
    made->add("gpu1"), made->add("gpu2", "10.0.0.2"), made->add("fresh", "10.0.0.3");
    made->measured("gpu1", 16, 2, 100), made->measured("gpu2", 8, 1, 80);
    return made;
  }
  std::string stored() {
    storeRun(folder.path("store.db"), longRun(), 3);
    return folder.path("store.db");
  }
  QTableView* table() { return dialog->findChild<QTableView*>("resumeNodes"); }
  QString shown(int row, int column) { return table()->model()->index(row, column).data().toString(); }
  // Opens the cell's list as a person does, by keyboard or by mouse, and takes the entry that many below what is chosen.
  void choose(int row, int column, int down, bool mouse) {
    const QModelIndex index = table()->model()->index(row, column);
    table()->setFocus();
    table()->setCurrentIndex(index);
    const QPoint at = table()->visualRect(index).center();
    if (mouse) QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, at), QTest::mouseDClick(table()->viewport(), Qt::LeftButton, {}, at);
    else QTest::keyClick(table(), Qt::Key_F2);
    ASSERT_NE(list(), nullptr);
    QComboBox* shown = list();
    if (mouse) shown->setCurrentIndex(shown->currentIndex() + down), emit shown->activated(shown->currentIndex());
    else shown->setCurrentIndex(shown->currentIndex() + down - 1), QTest::keyClick(shown, Qt::Key_Down);
    ASSERT_TRUE(waitFor([this] { return list() == nullptr; }, 10));
  }
  QComboBox* list() {  // that is open in the table; nullptr: none
    for (QComboBox* each : table()->viewport()->findChildren<QComboBox*>())
      if (each->isVisible()) return each;
    return nullptr;
  }
  void go() { QTest::mouseClick(dialog->findChild<QPushButton*>("resumeGo"), Qt::LeftButton); }
  std::string told() { return dialog->findChild<QLabel*>("resumeNodesTold")->text().toStdString(); }

  QApplication& application = tests::application();
  TempFolder folder;
  const std::string path = stored();
  FakeRecorder recorder{path};
  std::shared_ptr<FakeHosts> fake = threeHosts();
  MainWindow window{QString::fromStdString(path), servicesOf(fake)};
  QPointer<runs::ResumeDialog> dialog;  // closed, it goes
};

TEST_F(Resume, ShowsWhereTheNodesWere) {
  ASSERT_EQ(table()->model()->rowCount(), 3);
  EXPECT_EQ(shown(0, Column::kNode), "s0");
  EXPECT_EQ(shown(0, Column::kRole), "server");
  EXPECT_EQ(shown(1, Column::kHost), "local");
  EXPECT_EQ(shown(1, Column::kThreads), "2");
  EXPECT_EQ(shown(2, Column::kHost), "gpu1");
  EXPECT_EQ(shown(2, Column::kDevice), "cuda:1");
  EXPECT_EQ(table()->model()->index(2, Column::kHost).data(kChoicesRole).toStringList(), (QStringList{"local", "gpu1", "gpu2", "fresh"}));
  EXPECT_EQ(table()->model()->index(2, Column::kDevice).data(kChoicesRole).toStringList(), (QStringList{"cpu", "cuda:0", "cuda:1"}));
  EXPECT_FALSE(table()->model()->flags(table()->model()->index(1, Column::kNode)) & Qt::ItemIsEditable);
  EXPECT_EQ(told(), "");
}

TEST_F(Resume, AsksForTheHostsAndDevicesThatWereChosen) {
  choose(1, Column::kHost, 1, true);     // local -> gpu1
  choose(1, Column::kDevice, 1, false);  // cpu -> cuda:0
  choose(2, Column::kHost, 1, false);    // gpu1 -> gpu2, which has no second GPU
  EXPECT_EQ(shown(2, Column::kDevice), "cpu");
  EXPECT_EQ(told(), "");
  go();
  ASSERT_TRUE(waitFor([this] { return !recorder.submissions().empty(); }));
  const recorder::Submission asked = recorder.submissions().front();
  EXPECT_EQ(asked.kind, recorder::EntryKind::kResume);
  EXPECT_EQ(asked.resumedFrom, madeRow(1).id);
  ASSERT_EQ(asked.points.size(), 1u);
  const RunSpec spec = parseRunSpec(asked.points[0].spec).spec;
  ASSERT_EQ(spec.nodes.size(), 3u);
  EXPECT_EQ(spec.nodes[0].host, "local");
  EXPECT_EQ(spec.nodes[1].host + "/" + spec.nodes[1].device, "gpu1/cuda:0");
  EXPECT_EQ(spec.nodes[1].threads, 2);
  EXPECT_EQ(spec.nodes[2].host + "/" + spec.nodes[2].device, "gpu2/cpu");
  EXPECT_EQ(spec.stop.rounds, 50);
}

TEST_F(Resume, WhatIsWrongWithAPlaceIsOneSentence) {
  choose(2, Column::kHost, 2, false);  // fresh: nobody has looked at it
  EXPECT_EQ(told(), "Host of w1: host fresh has not been checked yet");
  const QModelIndex threads = table()->model()->index(1, Column::kThreads);
  EXPECT_TRUE(table()->model()->setData(threads, "many", Qt::EditRole));
  EXPECT_EQ(told(), "Threads of w0: threads must be a whole number above 0; it is \"many\"");
  go();
  ASSERT_TRUE(dialog && dialog->isVisible());
  EXPECT_EQ(dialog->findChild<QLabel*>("resumeProblem")->text().toStdString(), told());
  EXPECT_TRUE(recorder.submissions().empty());
  EXPECT_TRUE(table()->model()->setData(threads, "3", Qt::EditRole));
  window.shell().hosts.remove("fresh");  // on the Clusters page, or by the terminal
  ASSERT_TRUE(waitFor([this] { return window.shell().hosts.find("fresh") == nullptr; }));
  EXPECT_NE(told().find("fresh"), std::string::npos) << told();
  go();
  ASSERT_TRUE(dialog && dialog->isVisible());
  choose(2, Column::kHost, 1, true);
  go();
  ASSERT_TRUE(waitFor([this] { return !recorder.submissions().empty(); }));
  EXPECT_EQ(parseRunSpec(recorder.submissions().front().points[0].spec).spec.nodes[1].threads, 3);
}

}  // namespace
}  // namespace paceline::tests

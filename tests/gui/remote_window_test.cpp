// The window and a machine behind a real SSH server: its key is asked for and trusted, it is checked line by line, an experiment runs there.
#include <gtest/gtest.h>

#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QPushButton>

#include "app/ui/clusters/clusters_page.h"
#include "app/ui/experiment/experiment_page.h"
#include "app/ui/main_window.h"
#include "app/ui/runs/run_page.h"
#include "tests/gui/gui_support.h"
#include "tests/remote/remote_fixture.h"

namespace paceline::tests {
namespace {

class RemoteWindow : public RemoteTest {
 protected:
  void SetUp() override {
    RemoteTest::SetUp();
    if (IsSkipped()) return;
    application();
    ::setenv("PACELINE_HOSTS", (folder_ / "hosts.json").c_str(), 1);
    hosts::HostEntry entry = machine("m1").entry();
    entry.knownHosts = (folder_ / "known_hosts").string();  // nothing is known yet
    book_.put(entry);
    book_.save();
    window = std::make_unique<MainWindow>(QString::fromStdString(storePath()));
    window->show();
    window->go(MainWindow::kClusters);
    ASSERT_TRUE(waitFor([this] { return window->shell().hosts.find("m1") != nullptr; }));
  }
  void TearDown() override { window.reset(); }

  // Checks m1 from its pane; presses `answer` when its key is asked for.
  const clusters::HostItem& checked(const char* answer) {
    window->clusters().select("m1");
    window->clusters().findChild<QPushButton*>("checkHost")->click();
    QPushButton* button = nullptr;
    EXPECT_TRUE(waitFor([&] { return (button = window->findChild<QPushButton*>(answer)) != nullptr; }));
    if (button) button->click();
    EXPECT_TRUE(waitFor([this] { return !window->shell().hosts.find("m1")->checking; }, 120));
    return *window->shell().hosts.find("m1");
  }
  static check::CheckState stateOf(const clusters::HostItem& item, const std::string& id) {
    for (const check::CheckLine& line : item.lines)
      if (line.id == id) return line.state;
    return check::CheckState::kSkipped;
  }

  std::unique_ptr<MainWindow> window;
};

TEST_F(RemoteWindow, AKeyThatIsRefusedEndsTheCheckThere) {
  const clusters::HostItem& item = checked("refuseKey");
  EXPECT_EQ(stateOf(item, "reachable"), check::CheckState::kGood);
  EXPECT_EQ(stateOf(item, "key"), check::CheckState::kBad);
  EXPECT_EQ(stateOf(item, "authentication"), check::CheckState::kSkipped);
  EXPECT_EQ(item.standing(), clusters::HostStanding::kProblem);
}

TEST_F(RemoteWindow, AnExperimentRunsOnAHostThatWasTrustedAndChecked) {
  const clusters::HostItem& item = checked("trustKey");
  for (const char* id : {"reachable", "key", "authentication", "quoting", "architecture", "libc", "clock", "agent"})
    EXPECT_EQ(stateOf(item, id), check::CheckState::kGood) << id;
  EXPECT_GT(item.figures.speed, 0);

  window->go(MainWindow::kExperiments);
  experiment::ExperimentPage& page = window->experiment();
  ASSERT_TRUE(waitFor([this] { return window->shell().catalogue.get() != nullptr; }));
  page.findChild<QPushButton*>("templates")->menu()->findChild<QAction*>("quick_synthetic.json")->trigger();
  page.draft().edit([](RunSpec& spec) {
    for (NodeSpec& node : spec.nodes) node.host = "m1";
  });
  auto* run = page.findChild<QPushButton*>("runButton");
  ASSERT_TRUE(waitFor([run] { return run->isEnabled(); })) << run->toolTip().toStdString();
  run->click();
  ASSERT_TRUE(showStarted(*window)) << window->bannerText().toStdString();
  ASSERT_TRUE(waitFor([this] { return store::isEnded(window->runPage().snapshot().run.state); }, 200))
      << window->bannerText().toStdString();
  const runs::LiveSnapshot& shot = window->runPage().snapshot();
  EXPECT_EQ(shot.run.state, store::RunState::kFinished) << shot.run.error;
  for (const runs::WorkerLine& line : shot.nodes) EXPECT_EQ(line.host, "m1") << line.id;
  EXPECT_TRUE(waitFor([this] { return !window->shell().queue.busy(); }));
}

}  // namespace
}  // namespace paceline::tests

// How busy hosts are, in their table and in the details of one: while a run that is under way tells it.
#include "app/models/runs/host_loads.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QTableView>
#include <QTest>

#include "app/ui/main_window.h"
#include "storage/store/store.h"
#include "tests/gui/fake_hosts.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

// While a run tells of its hosts; of an ended one nothing is known.
TEST(HostLoads, AreShownAsARunTellsThem) {
  application();
  const TempFolder folder;
  store::StoreWriter writer(folder.path("store.db"));
  const std::shared_ptr<FakeHosts> fake = fakeHosts();
  fake->measured("local", 4, 0, 50);  // or it is checked now, and its row comes anew
  MainWindow window(QString::fromStdString(folder.path("store.db")), servicesOf(fake));
  window.resize(1280, 800);
  window.show();
  window.go(MainWindow::kClusters);
  ASSERT_TRUE(waitFor([&] { return window.shell().hosts.loaded(); }));
  clusters::ClustersPage& page = window.clusters();
  const QAbstractItemModel* model = page.findChild<QTableView*>("hostTable")->model();
  const auto loadText = [&] { return model->index(0, clusters::HostsModel::kLoad).data().toString(); };  // asked for anew: rows may be other ones meanwhile
  const QLabel* words = page.findChild<QLabel*>("loadWords");
  EXPECT_EQ(loadText(), "—");
  EXPECT_FALSE(words->isVisible());
  writer.createRun(madeRow(1), {});
  const auto tell = [&](std::int64_t seq, double t, double cpu) {
    const HostLoad load{.t = t, .cpu = cpu, .memoryUsedBytes = 2'000'000'000, .memoryTotalBytes = 8'000'000'000, .networkSentBytes = seq * 1'000'000, .networkReceivedBytes = 0};
    writer.append(std::vector<StampedEvent>{{.run = madeRow(1).id, .node = "local", .seq = seq, .event = load}});
    emit window.shell().recorder.newerRows(madeRow(1).id);
  };
  tell(1, 100, 0.25);
  QTest::qWait(0);
  EXPECT_EQ(loadText(), "—");  // the run is not under way
  recorder::Entry entry{.id = 1, .run = madeRow(1).id, .name = "one"};
  entry.state = store::RunState::kRunning, entry.waiting = false;
  emit window.shell().recorder.queueRead({entry});
  tell(2, 101, 0.75);
  ASSERT_TRUE(waitFor([&] { return loadText() == "75.0 %"; })) << loadText().toStdString();
  EXPECT_EQ(words->text(), "CPUs 75.0 % busy; memory 2.0 GB of 8.0 GB; sends 1.0 MB/s, receives 0 B/s");
  EXPECT_TRUE(words->isVisible());
  EXPECT_EQ(page.findChild<QWidget*>("loadCurve")->accessibleDescription(), "now 75.0 %, between 25.0 % and 75.0 %");
  emit window.shell().recorder.queueRead({});
  EXPECT_EQ(loadText(), "—");
  EXPECT_FALSE(words->isVisible());
}

}  // namespace
}  // namespace paceline::tests

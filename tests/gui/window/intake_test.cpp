// What is dropped on the window goes where it belongs, with one message.
#include "app/ui/intake.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QDropEvent>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QUrl>
#include <filesystem>
#include <fstream>

#include "app/ui/main_window.h"
#include "storage/interchange/interop.h"
#include "storage/store/store.h"
#include "tests/gui/fake_hosts.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;

struct Drops : ::testing::Test {
  void SetUp() override {
    application();
    window = std::make_unique<MainWindow>(QString::fromStdString(folder.path("store.db")), servicesOf(hosts));
    window->resize(1280, 800);
    window->show();
    window->shell().catalogue.use(smallCatalog());
  }
  std::string write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(folder.path(name)).parent_path());
    std::ofstream(folder.path(name)) << text;
    return folder.path(name);
  }
  std::string bundle(const std::string& name, int number) const {
    const std::string store = folder.path("other.db");
    storeRun(store, madeRow(number), 3);
    const store::StoreReader reader(store);
    return write(name, interchange::runToJson(summary::loadRun(reader, *reader.find(madeRow(number).id))));
  }
  // As the system does: enters, moves, drops on whatever widget lies there.
  static bool drop(QWidget* on, const std::vector<std::string>& paths) {
    QMimeData mime;
    QList<QUrl> urls;
    for (const std::string& path : paths) urls << QUrl::fromLocalFile(QString::fromStdString(path));
    mime.setUrls(urls);
    QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(on, &enter);
    QDropEvent dropped(QPointF(5, 5), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(on, &dropped);
    return enter.isAccepted() && dropped.isAccepted();
  }
  bool said(const QString& words) {
    return waitFor([&] { return window->bannerText().contains(words); }, 30);
  }

  TempFolder folder;
  std::shared_ptr<FakeHosts> hosts = fakeHosts();
  std::unique_ptr<MainWindow> window;
};

TEST_F(Drops, ABundleIsImportedFromAnyPageAndThePageStays) {
  window->go(MainWindow::kSettings);
  EXPECT_TRUE(drop(window->page(), {bundle("run.json", 1)}));
  EXPECT_TRUE(said("Imported 1 run from run.json")) << window->bannerText().toStdString();
  EXPECT_TRUE(waitFor([this] { return window->shell().runs.rowCount() == 1; }));
  EXPECT_EQ(window->page()->findChild<QLabel*>("dropCue"), nullptr);
  EXPECT_FALSE(window->findChild<QLabel*>("dropCue")->isVisible());
}

TEST_F(Drops, OneThatIsDamagedLeavesTheOthers) {
  const std::string good = bundle("good.json", 1), bad = write("bad.json", R"({"paceline_bundle": 1, "run": 7})");
  drop(window.get(), {bad, good});
  EXPECT_TRUE(said("Imported 1 run from good.json")) << window->bannerText().toStdString();
  EXPECT_TRUE(said("bad.json")) << window->bannerText().toStdString();
}

TEST_F(Drops, ADocumentOpensInTheFormAndCanBeUndone) {
  window->go(MainWindow::kRuns);
  const std::string before = window->experiment().draft().spec().name;
  drop(window->page(), {write("mine.json", R"({"paceline": 1, "name": "dropped", "algorithm": {"id": "ssgd"}, "model": {"id": "logistic"}, "dataset": {"id": "synthetic"}})")});
  EXPECT_TRUE(waitFor([this] { return window->experiment().draft().spec().name == "dropped"; }));
  EXPECT_EQ(window->page(), &window->experiment());
  window->shell().undo.drafts.undo();
  EXPECT_EQ(window->experiment().draft().spec().name, before);
}

TEST_F(Drops, AnEditorDoesNotTakeThePathAsText) {
  window->go(MainWindow::kExperiments);
  auto* json = window->experiment().findChild<QPlainTextEdit*>("json");
  EXPECT_TRUE(drop(json->viewport(), {write("notes.txt", "Some words about it.\n")}));
  EXPECT_TRUE(said("notes.txt is nothing that is known here")) << window->bannerText().toStdString();
  EXPECT_FALSE(json->toPlainText().contains("notes.txt"));
}

TEST_F(Drops, AListOfHostsWaitsOnTheClustersPage) {
  drop(window.get(), {write("hosts", "10.0.0.5\n")});
  EXPECT_TRUE(said("The hosts of hosts are shown on the Clusters page"));
  EXPECT_EQ(window->page(), &window->clusters());
}

TEST_F(Drops, AFolderOfSeveralIsSortedAndWhatIsNotTakenIsNamed) {
  bundle("all/a.json", 1), bundle("all/b.json", 2);
  write("all/hosts", "10.0.0.5\n");
  drop(window.get(), {folder.path("all"), folder.path("none")});
  EXPECT_TRUE(said("Imported 2 runs from a.json, b.json. The hosts of hosts are shown on the Clusters page")) << window->bannerText().toStdString();
  EXPECT_TRUE(said("Not taken in: none No such file or directory"));
}

TEST_F(Drops, TextThatIsDraggedIsNoFile) {
  QMimeData mime;
  mime.setText("word");
  QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
  enter.ignore();
  QApplication::sendEvent(window.get(), &enter);
  EXPECT_FALSE(enter.isAccepted());
}

}  // namespace
}  // namespace paceline::tests

// The download of a data set as the experiment page tells it: a made worker program lists the set, a web server on loopback has its file.
#include <gtest/gtest.h>

#include <QLabel>
#include <QPushButton>
#include <filesystem>
#include <fstream>

#include "app/ui/main_window.h"
#include "engine/core/base/text.h"
#include "tests/cluster/http_server.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

struct DataDownload : ::testing::Test {
  QApplication& made = tests::application();
  const QByteArray before = qgetenv("PACELINE_BIN");
  TempFolder folder;
  const HttpServer server{{{"a.bin", std::string(300'000, 'a')}}};

  void TearDown() override { qputenv("PACELINE_BIN", before); }

  // What the page says while the set comes, and the last of it.
  QStringList saidWhile(std::int64_t bytes) {
    for (const auto& entry : std::filesystem::directory_iterator(before.toStdString()))  // the window's other programs are the real ones
      if (entry.path().filename() != "paceline-worker") std::filesystem::create_symlink(entry.path(), folder.path(entry.path().filename()));
    const std::string worker = folder.path("paceline-worker");
    std::ofstream(worker) << "#!/bin/sh\ncat <<'END'\n{\"datasets\":[{\"id\":\"made\",\"download_to\":\"" << folder.path("data") << "\",\"files\":[{\"name\":\"a.bin\",\"url\":\"" << server.url()
                          << "/a.bin\",\"bytes\":" << bytes << ",\"sha256\":\"\"}]}]}\nEND\n";
    std::filesystem::permissions(worker, std::filesystem::perms::owner_all);
    qputenv("PACELINE_BIN", QByteArray::fromStdString(folder.path("")));
    MainWindow window(QString::fromStdString(folder.path("store.db")));
    window.show();
    window.go(MainWindow::kExperiments);
    Catalogue& catalogue = window.shell().catalogue;
    EXPECT_TRUE(waitFor([&] { return catalogue.get() || !catalogue.error().isEmpty(); }));  // whose worker knows no catalogue: what is used below stays
    Catalog catalog = smallCatalog();
    DatasetEntry set;
    set.id = "made", set.title = "Made", set.downloads = true;
    catalog.datasets.push_back(set);
    catalogue.use(catalog);
    experiment::ExperimentDraft& draft = window.experiment().draft();
    draft.edit([](RunSpec& spec) { spec.model = {.id = "logistic", .params = {}}, spec.dataset = {.id = "made", .params = {}}; });
    draft.validateNow();
    EXPECT_EQ(draft.errorCount(), 0) << draft.findings().front().pointer << ": " << draft.findings().front().message;
    QStringList said;
    QObject::connect(&catalogue, &Catalogue::downloadMoved, &window, [&] {
      for (const QLabel* each : window.experiment().findChildren<QLabel*>())
        if (each->text().startsWith("Downloading Made")) said << each->text();
    });
    auto* fetch = window.experiment().findChild<QPushButton*>("fetchDataset");
    EXPECT_TRUE(fetch && fetch->isEnabled());
    if (fetch) fetch->click();
    EXPECT_TRUE(waitFor([&] { return catalogue.downloading().empty(); }));
    EXPECT_EQ(catalogue.downloadError("made"), "");
    qputenv("PACELINE_BIN", before);
    return said;
  }
};

TEST_F(DataDownload, SaysBytesAndPercent) {
  const QStringList said = saidWhile(300'000);
  ASSERT_FALSE(said.isEmpty());
  EXPECT_EQ(said.first(), "Downloading Made. It can be stopped and goes on where it broke off.");
  EXPECT_EQ(said.last(), "Downloading Made: 300 kB of 300 kB (100 %). It can be stopped and goes on where it broke off.");
}

TEST_F(DataDownload, SaysBytesWhereTheSizeIsNotKnown) {
  const QStringList said = saidWhile(0);
  ASSERT_FALSE(said.isEmpty());
  EXPECT_EQ(said.last(), "Downloading Made: 300 kB. It can be stopped and goes on where it broke off.");
}

TEST(Downloads, AFailureIsOfItsDataSet) {
  application();
  Catalogue catalogue;
  catalogue.download("no_such_set");
  catalogue.download("another");  // one at a time
  EXPECT_EQ(catalogue.downloading(), "no_such_set");
  ASSERT_TRUE(waitFor([&] { return catalogue.downloading().empty(); }));
  EXPECT_NE(catalogue.downloadError("no_such_set"), "");
  EXPECT_EQ(catalogue.downloadError("another"), "");
}

TEST(Downloads, StoppingIsNoFailure) {
  application();
  Catalogue catalogue;
  catalogue.download("no_such_set");
  catalogue.stopDownload();
  ASSERT_TRUE(waitFor([&] { return catalogue.downloading().empty(); }));
  EXPECT_EQ(catalogue.downloadError("no_such_set"), "");
}

}  // namespace
}  // namespace paceline::tests

// The Data page with a made worker: what it lists, checks, downloads and shows.
#include "app/ui/data/data_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QKeyEvent>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <atomic>
#include <fstream>
#include <mutex>

#include "app/ui/data/data_pane.h"
#include "app/ui/data/sample_grid.h"
#include "app/ui/main_window.h"
#include "engine/core/base/error.h"
#include "tests/gui/fake_hosts.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

worker::LookedSample sampleOf(std::int64_t index, std::int64_t label, std::vector<std::int64_t> shape) {
  std::size_t values = 1;
  for (const std::int64_t side : shape) values *= static_cast<std::size_t>(side);
  return {.index = index, .label = label, .stored = shape, .shape = shape, .pixels = std::string(2 * values, '8'), .problem = {}};
}

struct FakeData {
  std::mutex mutex;  // guards all below: services are called on background threads
  worker::ListedData listed;
  std::int64_t begun = 0;
  std::string listError, checkError, lookError;
  std::vector<std::string> problems;
  bool arrays = false;             // the sets have no classes and no pictures
  std::vector<std::string> asked;  // "check /made cats", "look cats train 1"
  std::atomic<bool> hold = false;  // checks wait until they are stopped or this is false

  data::DataServices services() {
    const auto refuse = [](const std::string& error) {
      if (!error.empty()) throw Error(Errc::kData, error);
    };
    return {.list = [this, refuse](const std::stop_token&) {
              const std::lock_guard lock(mutex);
              refuse(listError);
              return listed;
            },
            .begun = [this](const worker::ListedSet&) { return begun; },
            .check = [this, refuse](const std::string& path, const std::string& id, bool decode, const std::stop_token& stop) {
              while (hold && !stop.stop_requested()) std::this_thread::yield();
              const std::lock_guard lock(mutex);
              asked.push_back("check " + path + " " + id + (decode ? " decoding" : ""));
              refuse(checkError);
              worker::CheckedData found{.id = id.empty() ? "cats" : id, .path = path, .decoded = decode};
              found.files = {{.name = "a.bin", .state = "published", .bytes = 3000}};
              found.splits = {{.name = "train", .images = 30, .perClass = {20, 10}}};
              found.problems = problems;
              if (arrays) found.facts = {"x: 30 of 12 float32, -3 to 4", "y: 30 of 1 float32, 0 to 2"}, found.splits = {{.name = "train", .images = 30}};
              return found;
            },
            .look = [this, refuse](const worker::LookQuestion& question, const std::stop_token&) {
              const std::lock_guard lock(mutex);
              asked.push_back("look " + question.id + " " + question.split + " " + std::to_string(question.seed));
              refuse(lookError);
              if (arrays) {
                worker::LookedData rows{.id = question.id, .path = question.path, .split = question.split, .splits = {{.name = "train", .images = 30}}, .seed = question.seed};
                rows.samples = {{.index = 7, .numbers = "1, 2, 3 (of 12)", .target = "0.25"}};
                return rows;
              }
              worker::LookedData looked{.id = question.id, .path = question.path, .split = question.split, .classNames = {"cat", "dog"}, .seed = question.seed};
              looked.splits = {{.name = "train", .images = 30, .perClass = {20, 10}}, {.name = "test", .images = 4, .perClass = {2, 2}}};
              for (int i = 0; i < 12; ++i) looked.samples.push_back(sampleOf(100 + i, i / 6, {i == 0 ? 1 : 3, 8, 8}));
              looked.samples[10] = sampleOf(110, 1, {5, 8, 8});
              looked.samples[11] = {.index = 111, .label = 1, .stored = {}, .shape = {}, .pixels = {}, .problem = "b.png: is neither JPEG nor PNG"};
              return looked;
            }};
  }
  std::vector<std::string> questions() {
    const std::lock_guard lock(mutex);
    return asked;
  }
};

struct DataPages : ::testing::Test {
  DataPages() {
    application();
    const auto set = [](const char* id, const char* title, const char* location) {
      worker::ListedSet made;
      made.id = id, made.title = title, made.location = location, made.shape = {1, 8, 8};
      return made;
    };
    worker::ListedSet cats = set("cats", "Cats and dogs", "/made/cats"), away = set("away", "Far away", ""), seed = set("seed", "Made from a seed", "built in");
    cats.bytes = 3'000'000, cats.trainCount = 30, cats.classes = 2;
    away.downloadTo = folder.path("data"), away.files = {{.name = "a.bin", .url = "http://127.0.0.1:9/a.bin", .sha256 = "", .bytes = 300'000}};
    seed.builtIn = true;
    fake.listed.sets = {away, cats, seed};
  }
  void open() {
    window = std::make_unique<MainWindow>(QString::fromStdString(folder.path("store.db")), servicesOf(hosts), fake.services());
    window->resize(1280, 800);
    window->show();
    window->go(MainWindow::kData);
    ASSERT_TRUE(waitFor([this] { return page().sets().loaded() || !page().sets().problem().isEmpty(); }));
  }
  data::DataPage& page() { return window->dataPage(); }
  template <class T>
  T* child(const char* name) {
    T* found = page().findChild<T*>(name);
    EXPECT_NE(found, nullptr) << name;
    return found;
  }
  QString cell(int row, int column) { return child<QTableView>("dataTable")->model()->index(row, column).data().toString(); }
  QPushButton* button(const char* name) { return child<QPushButton>(name); }
  bool asked(const std::string& question) {
    return waitFor([&] { return std::ranges::count(fake.questions(), question) > 0; });
  }

  TempFolder folder;
  FakeData fake;
  std::shared_ptr<FakeHosts> hosts = fakeHosts();
  std::unique_ptr<MainWindow> window;
};

TEST_F(DataPages, ListsWhatIsHereWhereAndHowLarge) {
  fake.begun = 120'000;
  open();
  EXPECT_EQ(cell(0, data::DataSets::kState), "Begun");
  EXPECT_EQ(cell(0, data::DataSets::kWhere), "120 kB fetched");
  EXPECT_EQ(cell(1, data::DataSets::kState), "Here");
  EXPECT_EQ(cell(1, data::DataSets::kSize), "3.0 MB");
  EXPECT_EQ(cell(1, data::DataSets::kWhere), "/made/cats");
  EXPECT_EQ(cell(2, data::DataSets::kState), "Built in");
  EXPECT_EQ(button("downloadSet")->text(), "Go on with the download");
  EXPECT_FALSE(button("checkSet")->isVisible());
}

TEST_F(DataPages, ASelectedSetIsLookedAt) {
  open();
  page().select("cats");
  ASSERT_TRUE(asked("look cats train 1"));
  auto* grid = child<data::SampleGrid>("sampleGrid");
  ASSERT_TRUE(waitFor([grid] { return grid->words() == "12 samples to train, drawn by seed 1"; }));
  EXPECT_EQ(child<figure::FigureView>("classHistogram")->figure().bars.size(), 2U);
  EXPECT_EQ(child<figure::FigureView>("classHistogram")->accessibleDescription(), "30 samples to train, 10 to 20 of each class 4 samples to test, 2 of each class");
  EXPECT_FALSE(button("downloadSet")->isVisible());
  button("otherSamples")->click();
  EXPECT_TRUE(asked("look cats train 2"));
  child<widgets::Segments>("sampleSplit")->findChildren<QPushButton*>().back()->click();
  EXPECT_TRUE(asked("look cats test 2"));
}

TEST_F(DataPages, KeysWalkThroughTheSamplesAndTellThem) {
  open();
  page().select("cats");
  auto* grid = child<data::SampleGrid>("sampleGrid");
  ASSERT_TRUE(waitFor([grid] { return !grid->words().isEmpty(); }));
  grid->setFocus();
  QTest::keyClick(grid, Qt::Key_Right);
  EXPECT_EQ(grid->words(), "Sample 100 to train: cat, 1x8x8.");
  for (int i = 0; i < 10; ++i) QTest::keyClick(grid, Qt::Key_Right);
  EXPECT_EQ(grid->words(), "Sample 110 to train: dog, 5x8x8.");
  QTest::keyClick(grid, Qt::Key_Right);
  EXPECT_EQ(grid->words(), "Sample 111 to train: dog. b.png: is neither JPEG nor PNG");
  EXPECT_EQ(grid->accessibleDescription(), grid->words());
  QTest::keyClick(grid, Qt::Key_Right);  // there is no more
  EXPECT_EQ(grid->words(), "Sample 111 to train: dog. b.png: is neither JPEG nor PNG");
  EXPECT_FALSE(page().grab().isNull());
}

TEST_F(DataPages, ACheckSaysWhatItFound) {
  open();
  page().select("cats");
  button("checkSet")->click();
  EXPECT_TRUE(asked("check /made/cats cats"));
  auto* found = child<QLabel>("dataFound");
  ASSERT_TRUE(waitFor([found] { return found->text().contains("SHA-256 as published"); }));
  EXPECT_EQ(found->text(), "a.bin: 3.0 kB, SHA-256 as published\n30 samples to train, 10 to 20 of each class.");
  EXPECT_EQ(cell(1, data::DataSets::kState), "All right");
  fake.problems = {"/made/cats: has no b.bin"};
  button("checkSet")->click();
  ASSERT_TRUE(waitFor([this] { return cell(1, data::DataSets::kState) == "Problem"; }));
  EXPECT_THAT(found->text().toStdString(), HasSubstr("has no b.bin"));
}

TEST_F(DataPages, ACheckCanBeStoppedAndWhatWasFoundStays) {
  open();
  page().select("cats");
  button("checkSet")->click();
  ASSERT_TRUE(waitFor([this] { return cell(1, data::DataSets::kState) == "All right"; }));
  fake.hold = true;
  fake.checkError = "nobody sees this";
  button("checkSet")->click();
  EXPECT_EQ(button("checkSet")->text(), "Stop checking");
  EXPECT_EQ(cell(1, data::DataSets::kState), "Checking");
  button("checkSet")->click();
  ASSERT_TRUE(waitFor([this] { return cell(1, data::DataSets::kState) == "All right"; }));
  EXPECT_FALSE(child<QLabel>("dataProblem")->isVisible());
}

TEST_F(DataPages, AFolderIsRecognisedLookedAtAndTakenOffTheListAgain) {
  open();
  page().checkFolder("/elsewhere/mine");
  ASSERT_TRUE(waitFor([this] { return cell(3, data::DataSets::kState) == "All right"; }));
  EXPECT_EQ(cell(3, data::DataSets::kSet), "Cats and dogs (mine)");
  EXPECT_TRUE(asked("look cats train 1"));
  button("forgetFolder")->click();
  EXPECT_EQ(child<QTableView>("dataTable")->model()->rowCount(), 3);
}

TEST_F(DataPages, ArraysWithoutClassesAreNumbersBesideTheirTargets) {
  fake.arrays = true;
  open();
  page().checkFolder("/elsewhere/mine.npz");
  auto* found = child<QLabel>("dataFound");
  ASSERT_TRUE(waitFor([&] { return found->isVisible(); }));
  EXPECT_THAT(found->text().toStdString(), HasSubstr("x: 30 of 12 float32, -3 to 4\ny: 30 of 1 float32, 0 to 2\n30 samples to train."));
  auto* grid = child<data::SampleGrid>("sampleGrid");
  ASSERT_TRUE(waitFor([&] { return grid->accessibleDescription().startsWith("1 sample"); }));
  EXPECT_FALSE(child<QWidget>("classHistogram")->isVisible());
  grid->setFocus();
  QTest::keyClick(grid, Qt::Key_Right);
  EXPECT_EQ(grid->accessibleDescription(), "Sample 7 to train: target 0.25, input 1, 2, 3 (of 12).");
}

TEST_F(DataPages, FailuresAreOneSentenceWhereTheyBelong) {
  fake.checkError = "/made/cats/a.bin: cannot be read: Permission denied", fake.lookError = "data set \"cats\" is damaged";
  open();
  page().select("cats");
  ASSERT_TRUE(waitFor([this] { return child<QLabel>("lookProblem")->isVisible(); }));
  EXPECT_THAT(child<QLabel>("lookProblem")->text().toStdString(), HasSubstr("ata set \"cats\" is damaged"));
  button("checkSet")->click();
  ASSERT_TRUE(waitFor([this] { return child<QLabel>("dataProblem")->isVisible(); }));
  EXPECT_THAT(child<QLabel>("dataProblem")->text().toStdString(), HasSubstr("Permission denied"));
  EXPECT_EQ(std::ranges::count(fake.questions(), "look cats train 1"), 1);  // a failure is not asked again by itself
}

TEST_F(DataPages, WithoutAWorkerTheEmptyStateSaysWhyAndTriesAgain) {
  fake.listError = "local: paceline-worker is not in /bin";
  open();
  EXPECT_FALSE(child<QTableView>("dataTable")->isVisible());
  {
    const std::lock_guard lock(fake.mutex);
    fake.listError.clear();
  }
  for (QPushButton* each : page().findChildren<QPushButton*>())
    if (each->text() == "Try again" && each->isVisible()) each->click();
  EXPECT_TRUE(waitFor([this] { return child<QTableView>("dataTable")->isVisible(); }));
}

TEST_F(DataPages, WordsAndStatesFilter) {
  open();
  child<QLineEdit>("dataSearch")->setText("dogs");
  EXPECT_EQ(child<QTableView>("dataTable")->model()->rowCount(), 1);
  child<QLineEdit>("dataSearch")->clear();
  child<widgets::Segments>("dataStates")->findChildren<QPushButton*>().back()->click();
  EXPECT_EQ(cell(0, data::DataSets::kSet), "Far away");
  EXPECT_EQ(child<QTableView>("dataTable")->model()->rowCount(), 1);
}

TEST_F(DataPages, ADownloadThatFailsSaysWhyAndTheListIsReadAgain) {
  open();
  page().select("away");
  button("downloadSet")->click();
  EXPECT_EQ(cell(0, data::DataSets::kState), "Downloading");
  EXPECT_EQ(button("downloadSet")->text(), "Stop");
  ASSERT_TRUE(waitFor([this] { return child<QLabel>("dataProblem")->isVisible(); }));
  EXPECT_THAT(child<QLabel>("dataProblem")->text().toStdString(), HasSubstr("away"));
  EXPECT_TRUE(waitFor([this] { return cell(0, data::DataSets::kState) == "Not here"; }));
}

}  // namespace
}  // namespace paceline::tests

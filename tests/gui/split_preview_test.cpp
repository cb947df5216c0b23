// The preview of a split: asked in the background, the newest question wins, what is wrong is said, and the map shows it.
#include <gtest/gtest.h>

#include <QLabel>
#include <QTest>

#include <atomic>
#include <condition_variable>
#include <mutex>

#include "app/models/experiment/split_preview.h"
#include "app/models/words.h"
#include "app/ui/experiment/experiment_form.h"
#include "app/ui/figure/label_map.h"
#include "engine/core/base/error.h"
#include "tests/gui/fake_hosts.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

RunSpec specWith(std::size_t workers) {
  RunSpec spec;
  spec.algorithm.id = "ssgd", spec.model.id = "logistic", spec.dataset.id = "synthetic", spec.partition.id = "iid";
  spec.stop.rounds = 5;
  for (std::size_t i = 0; i < workers; ++i) spec.nodes.emplace_back().id = strCat("w", i);
  return spec;
}

// One class per worker, as many samples as its number and one.
worker::SplitCounts diagonal(const RunSpec& spec) {
  worker::SplitCounts split;
  for (std::size_t i = 0; i < spec.nodes.size(); ++i) {
    split.workers.push_back(spec.nodes[i].id);
    split.counts.emplace_back(spec.nodes.size()).at(i) = static_cast<std::int64_t>(i) + 1;
  }
  return split;
}

struct SplitQuestions : ::testing::Test {
  QApplication& application = tests::application();
  std::atomic<int> questions = 0;
  experiment::ExperimentDraft draft;
  experiment::SplitPreview preview{draft, [this](const RunSpec& spec, const std::stop_token&) {
                         ++questions;
                         if (spec.partition.id == "by_klass") throw Error(Errc::kHost, "no such partition");
                         return diagonal(spec);
                       }};
  void SetUp() override {
    draft.setCatalog(std::make_shared<const Catalog>(smallCatalog()));
    draft.load(specWith(3));
  }
  bool settled() {
    return waitFor([this] { return questions > 0 && !preview.due(); });
  }
};

TEST_F(SplitQuestions, AsksOnlyWhileItIsWatchedAndOnlyWhatASplitDependsOn) {
  EXPECT_FALSE(preview.due());
  preview.setWatched(true);
  EXPECT_TRUE(preview.due());
  ASSERT_TRUE(settled());
  EXPECT_EQ(questions, 1);
  EXPECT_EQ(preview.split()->workers, (std::vector<std::string>{"w0", "w1", "w2"}));
  EXPECT_EQ(preview.summary().toStdString(), "3 workers, 1 to 3 samples, 1 of 3 classes each, JS distance 0.68");
  draft.edit([](RunSpec& spec) { spec.name = "another", spec.batchSize = 5, spec.nodes[0].threads = 2; });
  draft.edit([](RunSpec& spec) { spec.nodes.emplace_back().id = "s0", spec.nodes.back().role = Role::kServer; });
  EXPECT_FALSE(preview.due());
  draft.edit([](RunSpec& spec) { spec.nodes[0].share = 0.5; });
  EXPECT_TRUE(waitFor([this] { return questions == 2 && !preview.asking(); }));
}

TEST_F(SplitQuestions, SaysWhatIsWrongAndRecovers) {
  preview.setWatched(true);
  ASSERT_TRUE(settled());
  draft.edit([](RunSpec& spec) { spec.partition.id = "by_klass"; });
  ASSERT_TRUE(waitFor([this] { return !preview.problem().isEmpty(); }));
  EXPECT_EQ(preview.problem(), "no such partition");
  EXPECT_FALSE(preview.split().has_value());
  draft.edit([](RunSpec& spec) { spec.partition.id = "iid"; });
  ASSERT_TRUE(waitFor([this] { return preview.problem().isEmpty() && preview.split().has_value(); }));
}

TEST_F(SplitQuestions, OneThatFailedIsAskedAgainWhenSomebodyLooksAgain) {
  draft.edit([](RunSpec& spec) { spec.partition.id = "by_klass"; });
  preview.setWatched(true);
  ASSERT_TRUE(waitFor([this] { return !preview.problem().isEmpty() && !preview.asking(); }));
  preview.setWatched(false);
  preview.setWatched(true);
  EXPECT_TRUE(preview.due());
  EXPECT_TRUE(waitFor([this] { return questions == 2; }));
}

TEST_F(SplitQuestions, AChangeThatIsTakenBackIsToldToBeNoLongerDue) {
  preview.setWatched(true);
  ASSERT_TRUE(settled());
  bool due = true;
  QObject::connect(&preview, &experiment::SplitPreview::changed, &preview, [&] { due = preview.due(); });
  draft.edit([](RunSpec& spec) { ++spec.seed; });
  draft.edit([](RunSpec& spec) { --spec.seed; });
  EXPECT_TRUE(waitFor([&due] { return !due; }));
  EXPECT_EQ(questions, 1);
}

TEST(SplitQuestionOrder, AnAnswerToAnOlderQuestionIsDropped) {
  application();
  std::mutex mutex;  // guards released
  std::condition_variable_any wake;
  bool released = false;
  std::atomic<int> begun = 0;
  experiment::ExperimentDraft draft;
  draft.setCatalog(std::make_shared<const Catalog>(smallCatalog()));
  draft.load(specWith(2));
  experiment::SplitPreview preview(draft, [&](const RunSpec& spec, const std::stop_token& stop) {
    if (++begun == 1) {  // the first is slow, and answers although it was asked to stop
      std::unique_lock lock(mutex);
      wake.wait(lock, [&] { return released; });
      EXPECT_TRUE(stop.stop_requested());
    }
    return diagonal(spec);
  });
  std::vector<std::size_t> seen;
  int changes = 0;
  QObject::connect(&preview, &experiment::SplitPreview::changed, [&] {
    ++changes;
    if (!preview.asking() && preview.split()) seen.push_back(preview.split()->workers.size());
  });
  preview.setWatched(true);
  ASSERT_TRUE(waitFor([&] { return begun == 1; }));
  draft.load(specWith(4));
  ASSERT_TRUE(waitFor([&] { return changes == 2; }));  // the second question is asked and has stopped the first
  {
    const std::lock_guard lock(mutex);
    released = true;
  }
  wake.notify_all();
  ASSERT_TRUE(waitFor([&] { return !seen.empty(); }));
  EXPECT_EQ(seen, (std::vector<std::size_t>{4}));
}

TEST(LabelMapWords, TellTheChosenCell) {
  application();
  figure::LabelMap map;
  map.resize(500, 120);
  map.setWords("nothing chosen");
  map.show({.workers = {"w0", "w1"}, .counts = {{6000, 4000}, {0, 12000}}});
  EXPECT_EQ(map.words(), "nothing chosen");
  QTest::keyClick(&map, Qt::Key_Right);
  QTest::keyClick(&map, Qt::Key_Down);
  EXPECT_EQ(map.words().remove(QChar(0x2009)), "w1, class 0: 0 of its 12000 samples");
  QTest::keyClick(&map, Qt::Key_Right);
  QTest::keyClick(&map, Qt::Key_Right);  // there is no third class
  EXPECT_EQ(map.words().remove(QChar(0x2009)), "w1, class 1: 12000 of its 12000 samples");
  map.show({});
  EXPECT_EQ(map.words(), "nothing chosen");
  EXPECT_FALSE(map.grab().isNull());
}

TEST(LabelMapWords, ManyWorkersAndClassesKeepItSmall) {
  application();
  figure::LabelMap map;
  map.show({.workers = std::vector<std::string>(1000, "w"), .counts = std::vector<LabelCounts>(1000, LabelCounts(1000, 3))});
  map.resize(600, map.sizeHint().height());
  EXPECT_LT(map.sizeHint().height(), 500);
  EXPECT_FALSE(map.grab().isNull());
}

struct SplitForm : ::testing::Test {
  QApplication& application = tests::application();
  std::shared_ptr<FakeHosts> fake = fakeHosts();
  clusters::HostsModel hosts{servicesOf(fake)};
  experiment::ExperimentDraft draft;
};

TEST_F(SplitForm, ShowsTheSplitAndWhyThereIsNone) {
  experiment::ExperimentForm form(draft, hosts, [](const RunSpec& spec, const std::stop_token&) {
    if (spec.seed == 13) throw Error(Errc::kHost, "rank 2 of 3 workers would get none");
    return diagonal(spec);
  });
  draft.setCatalog(std::make_shared<const Catalog>(smallCatalog()));
  draft.load(specWith(3));
  form.resize(760, 900);
  form.show();
  auto* map = form.findChild<figure::LabelMap*>();
  ASSERT_NE(map, nullptr);
  ASSERT_TRUE(waitFor([&] { return map->words().startsWith("3 workers, 1 to 3 samples"); }));
  draft.edit([](RunSpec& spec) { spec.seed = 13; });
  const auto said = [&] {
    for (const QLabel* label : form.findChildren<QLabel*>())
      if (label->text() == "rank 2 of 3 workers would get none" && label->isVisibleTo(&form)) return true;
    return false;
  };
  EXPECT_TRUE(waitFor(said));
  draft.validateNow();
  EXPECT_FALSE(draft.findingAt("/partition").has_value());  // another host may have the data
}

TEST_F(SplitForm, ManyModelsAreFoundByTyping) {
  Catalog catalog = smallCatalog();
  for (int i = 0; i < 30; ++i) {
    ModelEntry model;
    model.id = strCat("net", i), model.title = strCat("Network ", i), model.summary = "A net.", model.parameterCount = 1000 * i;
    model.inputs = {{3, 32, 32}};
    catalog.models.push_back(model);
  }
  draft.setCatalog(std::make_shared<const Catalog>(catalog));
  draft.load(specWith(2));
  experiment::ExperimentForm form(draft, hosts);
  form.show();
  auto* list = form.findChild<QComboBox*>("modelList");
  ASSERT_TRUE(list->isEditable());
  EXPECT_EQ(list->currentText(), "Softmax regression · logistic");
  list->lineEdit()->setFocus();
  list->lineEdit()->selectAll();
  QTest::keyClicks(list->lineEdit(), "network 17 · net17");
  QTest::keyClick(list->lineEdit(), Qt::Key_Return);
  EXPECT_EQ(draft.spec().model.id, "net17");
  list->lineEdit()->selectAll();
  QTest::keyClicks(list->lineEdit(), "no such net");
  QTest::keyClick(list->lineEdit(), Qt::Key_Return);
  EXPECT_EQ(draft.spec().model.id, "net17");
  EXPECT_EQ(list->currentText(), "Network 17 · net17");
  EXPECT_EQ(form.findChild<QComboBox*>("partitionList")->isEditable(), false);
}

TEST(Facts, AreShortSentences) {
  ModelEntry model;
  model.parameterCount = 431080, model.inputs = {{1, 28, 28}, {3, 32, 32}};
  EXPECT_EQ(factsOf(model).remove(QChar(0x2009)), "431080 parameters; takes 1x28x28, 3x32x32.");
  model.inputs.clear(), model.minimumSide = 63;
  EXPECT_EQ(factsOf(model).remove(QChar(0x2009)), "431080 parameters; takes any shape from 63 pixels a side.");
  DatasetEntry dataset;
  dataset.trainCount = 60000, dataset.testCount = 10000;
  EXPECT_EQ(factsOf(dataset).remove(QChar(0x2009)), "60000 + 10000 images of 1x28x28 in 10 classes.");
  dataset.trainCount = 0, dataset.classes = 0;
  EXPECT_EQ(factsOf(dataset), "As many images as its files have of 1x28x28.");
}

}  // namespace
}  // namespace paceline::tests

#include "app/models/runs/runs_model.h"

#include <gtest/gtest.h>

#include "storage/store/store.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

std::vector<runs::RunItem> items(int n) {
  std::vector<runs::RunItem> all;
  for (int i = 0; i < n; ++i) all.push_back({.row = madeRow(n - 1 - i), .measured = true, .accuracyBest = i / 1000.0});
  return all;
}

TEST(RunsModel, ShowsAThousandRuns) {
  application();
  runs::RunsModel model("/nowhere");
  model.take(items(1000));
  EXPECT_EQ(model.rowCount(), 1000);
  EXPECT_EQ(model.index(0, runs::RunsModel::kName).data().toString(), "run number 999");
  EXPECT_EQ(model.index(3, runs::RunsModel::kAccuracy).data().toString(), "0.3 %");
}

TEST(RunsModel, ShowsTitlesAndKeepsIdsToBeFound) {
  application();
  runs::RunsModel model("/nowhere");
  std::vector<runs::RunItem> made = items(3);
  made[0].row.model = "lenet", made[0].row.dataset = "fashion_mnist";
  made[1].row.model = "mlp", made[1].row.dataset = "";
  made[2].row.model = "alex", made[2].row.dataset = "fashion_mnist";
  model.take(made);
  EXPECT_EQ(model.index(0, runs::RunsModel::kModel).data().toString(), "lenet");  // until the catalogue is here
  model.setTitles({{"lenet", "LeNet-5"}, {"alex", "Model of Alex"}, {"fashion_mnist", "Fashion-MNIST"}});
  EXPECT_EQ(model.index(0, runs::RunsModel::kModel).data().toString(), "LeNet-5");
  EXPECT_EQ(model.index(0, runs::RunsModel::kModel).data(Qt::ToolTipRole).toString(), "lenet");
  EXPECT_EQ(model.index(0, runs::RunsModel::kData).data().toString(), "Fashion-MNIST");
  EXPECT_EQ(model.index(1, runs::RunsModel::kModel).data().toString(), "mlp");  // no title: the id
  EXPECT_EQ(model.index(1, runs::RunsModel::kData).data().toString(), "—");
  EXPECT_EQ(model.index(2, runs::RunsModel::kModel).data(runs::RunsModel::kSortRole).toString(), "model of alex");
  for (const char* word : {"Fashion-MNIST", "fashion_mnist"}) EXPECT_TRUE(model.index(0, 0).data(runs::RunsModel::kTextRole).toString().contains(word)) << word;
}

TEST(RunsModel, SaysWhichAccuracyItShowsAndTellsCutCellsWhole) {
  application();
  runs::RunsModel model("/nowhere");
  model.take(items(1));
  EXPECT_EQ(model.headerData(runs::RunsModel::kAccuracy, Qt::Horizontal, Qt::DisplayRole).toString(), "Best accuracy");
  EXPECT_EQ(model.index(0, runs::RunsModel::kAlgorithm).data(Qt::ToolTipRole).toString(), "ESync");
}

TEST(RunsModel, RowsKeepTheirPlaceWhileValuesChange) {
  application();
  runs::RunsModel model("/nowhere");
  model.take(items(50));
  int resets = 0, changes = 0;
  QObject::connect(&model, &QAbstractItemModel::modelReset, [&] { ++resets; });
  QObject::connect(&model, &QAbstractItemModel::rowsRemoved, [&] { ++resets; });
  QObject::connect(&model, &QAbstractItemModel::dataChanged, [&] { ++changes; });
  auto next = items(50);
  next[7].row.state = store::RunState::kStale;
  model.take(next);
  EXPECT_EQ(resets, 0);
  EXPECT_EQ(changes, 1);
  EXPECT_EQ(model.index(7, runs::RunsModel::kState).data().toString(), "Stale");
}

TEST(RunsModel, TakesNewRowsAndDropsGoneOnes) {
  application();
  runs::RunsModel model("/nowhere");
  model.take(items(10));
  auto next = items(12);
  next.erase(next.begin() + 5);
  model.take(next);
  ASSERT_EQ(model.rowCount(), 11);
  for (int i = 0; i < 11; ++i) EXPECT_EQ(model.item(i)->row.id, next[static_cast<std::size_t>(i)].row.id);
}

TEST(RunsModel, ShowsEachRunOnceWhenTheirOrderChanged) {
  application();
  runs::RunsModel model("/nowhere");
  model.take(items(10));
  auto next = items(11);
  std::swap(next[2], next[7]);
  model.take(next);
  ASSERT_EQ(model.rowCount(), 11);
  for (int i = 0; i < 11; ++i) EXPECT_EQ(model.item(i)->row.id, next[static_cast<std::size_t>(i)].row.id);
}

TEST(RunsModel, ReadsAndMeasuresTheStoreInTheBackground) {
  application();
  const TempFolder folder{};
  const std::string store = folder.path("store.db");
  storeRun(store, madeRow(1), 10);
  runs::RunsModel model(store);
  model.refresh();
  ASSERT_TRUE(waitFor([&] { return model.rowCount() == 1 && model.item(0)->measured; }));
  EXPECT_NEAR(model.item(0)->accuracyBest.value_or(0), 0.91, 1e-9);
  EXPECT_GT(model.item(0)->samplesPerSecond, 0);
}

TEST(RunsModel, AMissingStoreIsEmptyUntilItIsThere) {
  application();
  const TempFolder folder{};
  runs::RunsModel model(folder.path("store.db"));
  model.refresh();
  ASSERT_TRUE(waitFor([&] { return model.loaded(); }));
  EXPECT_EQ(model.rowCount(), 0);
  storeRun(folder.path("store.db"), madeRow(2), 3);
  model.refresh();
  EXPECT_TRUE(waitFor([&] { return model.rowCount() == 1; }));
}

}  // namespace
}  // namespace paceline::tests

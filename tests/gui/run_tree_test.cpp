#include "app/models/runs/run_tree.h"

#include <gtest/gtest.h>

#include <QScrollBar>

#include "engine/core/base/error.h"
#include "app/ui/compare/run_picker.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

runs::RunItem item(const std::string& suite, const std::string& dataset, std::uint64_t seed) {
  runs::RunItem made{.row = madeRow(0), .measured = true, .accuracyBest = 0.7, .samplesPerSecond = 100};
  made.row.algorithm = "ssgd", made.row.dataset = dataset, made.row.seed = seed;
  made.row.id = strCat(suite, dataset, seed), made.row.groupHash = suite + dataset, made.row.name = strCat(suite, " seed ", seed);
  made.row.specText = strCat(R"({"algorithm":{"id":"ssgd"},"dataset":{"id":")", dataset, R"("},"seed":)", seed, "}");
  return made;
}

std::vector<runs::TreeEntry> treeOf(const std::vector<runs::RunItem>& items) {
  std::vector<const runs::RunItem*> pointers;
  for (const runs::RunItem& each : items) pointers.push_back(&each);
  return runs::runTree(pointers, {{"cifar10", "CIFAR-10"}, {"fashion_mnist", "Fashion-MNIST"}});
}

TEST(RunTree, GroupsOfOneNameAreToldApartByWhatDiffers) {
  const std::vector<runs::RunItem> items = {item("two small SSGD", "fashion_mnist", 1), item("two small SSGD", "fashion_mnist", 2), item("two small SSGD", "cifar10", 1),
                                            item("two small SSGD", "cifar10", 2), item("another", "cifar10", 1)};
  const auto tree = treeOf(items);
  ASSERT_EQ(tree.size(), 3u);
  EXPECT_EQ(tree[0].name, "two small SSGD, Fashion-MNIST");
  EXPECT_EQ(tree[1].name, "two small SSGD, CIFAR-10");
  EXPECT_EQ(tree[1].remark, "2 runs");
  EXPECT_EQ(tree[2].name, "another seed 1");  // alone: as it is called
}

TEST(RunTree, AMemberIsItsSeedUnlessAnotherHasIt) {
  std::vector<runs::RunItem> items = {item("suite", "cifar10", 1), item("suite", "cifar10", 2), item("suite", "cifar10", 3)};
  items[1].row.name = "the good one";
  EXPECT_EQ(treeOf(items)[0].runs[0].name, "seed 1");
  EXPECT_EQ(treeOf(items)[0].runs[1].name, "seed 2, the good one");
  items[2].row.seed = 1, items[2].row.name = "suite seed 1", items[2].row.createdUtc += 86400;
  const auto entry = treeOf(items)[0];
  EXPECT_TRUE(entry.runs[0].name.startsWith("seed 1, "));
  EXPECT_NE(entry.runs[0].name, entry.runs[2].name);
}

TEST(RunTree, AConfigurationOfTwoSuitesIsCalledByBoth) {
  std::vector<runs::RunItem> items = {item("two small", "cifar10", 1), item("two small", "cifar10", 2), item("again", "cifar10", 1), item("a third", "cifar10", 1)};
  for (runs::RunItem& each : items) each.row.groupHash = "one configuration";
  const auto entry = treeOf({items[0], items[1], items[2]})[0];
  EXPECT_EQ(entry.name, "two small + again");
  EXPECT_EQ(entry.remark, "3 runs");
  EXPECT_EQ(entry.runs[0].name, "seed 1, two small");
  EXPECT_EQ(entry.runs[2].name, "seed 1, again");
  EXPECT_EQ(treeOf(items)[0].name, "two small + 2 others");
  std::vector<runs::RunItem> varied = {item("first rate 0.1", "cifar10", 1), item("second rate 0.1", "cifar10", 1)};
  for (runs::RunItem& each : varied) each.row.groupHash = "one configuration";
  EXPECT_EQ(treeOf(varied)[0].name, "first + second, rate 0.1");
  items[2].row.name = "by hand";  // a run with a name of its own makes no suite
  EXPECT_EQ(treeOf({items[0], items[1], items[2]})[0].name, "two small");
}

TEST(RunTree, SimulatedRunsAreAGroupOfTheirOwn) {
  std::vector<runs::RunItem> items = {item("suite", "cifar10", 1), item("suite", "cifar10", 2), item("suite", "cifar10", 3), item("suite", "cifar10", 4)};
  for (const std::size_t simulated : {1, 3}) items[simulated].row.source = "simulated";
  const auto tree = treeOf(items);
  ASSERT_EQ(tree.size(), 2u);
  EXPECT_EQ(tree[0].name, "suite");
  EXPECT_EQ(tree[1].name, "suite, simulated");
  EXPECT_EQ(tree[1].remark, "2 runs, simulated");
  EXPECT_EQ(tree[1].runs[1].remark, "simulated");
}

TEST(RunTree, RunsWithoutDataAreMarked) {
  std::vector<runs::RunItem> items = {item("suite", "cifar10", 1), item("suite", "cifar10", 2), item("lone", "cifar10", 1)};
  for (const std::size_t failed : {1, 2}) items[failed].row.state = store::RunState::kFailed, items[failed].accuracyBest.reset(), items[failed].samplesPerSecond = 0;
  const auto tree = treeOf(items);
  EXPECT_EQ(tree[0].remark, "2 runs, 1 no data");
  EXPECT_EQ(tree[0].runs[0].remark, "");
  EXPECT_EQ(tree[0].runs[1].remark, "failed, no data");
  EXPECT_EQ(tree[1].remark, "failed, no data");
  items[1].measured = false;  // nobody has looked yet
  EXPECT_EQ(treeOf(items)[0].remark, "2 runs");
}

TEST(RunPicker, StaysAsItWasLeftWhenARunEnds) {
  application();
  runs::RunsModel model("none");
  std::vector<runs::RunItem> items;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) items.push_back(item("suite", "cifar10", seed)), items.push_back(item("other", "cifar10", seed));
  model.take(items);
  compare::RunPicker picker(model);
  picker.resize(260, 300);
  picker.show();
  auto* tree = picker.findChild<QTreeWidget*>("runPicker");
  ASSERT_EQ(tree->topLevelItemCount(), 2);
  tree->topLevelItem(1)->setExpanded(true);
  tree->setCurrentItem(tree->topLevelItem(1)->child(20));
  tree->verticalScrollBar()->setValue(tree->verticalScrollBar()->maximum() / 2);
  const int scrolled = tree->verticalScrollBar()->value();
  ASSERT_GT(scrolled, 0);
  const QString current = tree->currentItem()->text(0);
  items[0].row.state = store::RunState::kFailed;
  model.take(items);
  EXPECT_FALSE(tree->topLevelItem(0)->isExpanded());
  EXPECT_TRUE(tree->topLevelItem(1)->isExpanded());
  ASSERT_NE(tree->currentItem(), nullptr);
  EXPECT_EQ(tree->currentItem()->text(0), current);
  EXPECT_EQ(tree->verticalScrollBar()->value(), scrolled);
}

}  // namespace
}  // namespace paceline::tests

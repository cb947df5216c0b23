// The Runs page over 12 000 runs, a third of them in suites: a key typed into its search, from the key to painted pixels; a column sorted; a page scrolled.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <QCoreApplication>
#include <QScrollBar>

#include "app/models/runs/run_rows.h"
#include "app/ui/widgets/state_mark.h"
#include "app/ui/widgets/tables.h"
#include "engine/core/base/error.h"
#include "tests/bench/bench.h"
#include "tests/bench/painting.h"
#include "tests/bench/temp_folder.h"

namespace paceline::bench {
namespace {

constexpr int kRuns = 12'000, kCells = 40, kSuites = 100, kWidth = 1100, kHeight = 700;

std::vector<runs::RunItem> items() {
  constexpr const char* kAlgorithms[] = {"ssgd", "esync", "asgd", "dgs"};
  std::vector<runs::RunItem> all;
  for (int i = 0; i < kRuns; ++i) {
    runs::RunItem item{.row = {}, .measured = true, .accuracyBest = i % 1000 / 1000.0, .samplesPerSecond = 100.0 + i, .wallSeconds = 60.0 + i % 50};
    item.row.id = strCat("01jxw5t3a0", 1'000'000'000 + i), item.row.state = i % 9 == 0 ? store::RunState::kFailed : store::RunState::kFinished;
    item.row.algorithm = kAlgorithms[i % 4], item.row.model = "lenet", item.row.dataset = "fashion_mnist", item.row.seed = static_cast<std::uint64_t>(i % 5);
    item.row.name = strCat("straggler sweep ", i / kCells, " ", item.row.algorithm, " seed ", item.row.seed);
    item.row.specText = "{}", item.row.tags = {strCat("group", i % 7)}, item.row.createdUtc = 1.7e9 + i;
    all.push_back(std::move(item));
  }
  return all;
}

std::shared_ptr<runs::StoredSuites> suites(const std::vector<runs::RunItem>& items) {
  auto stored = std::make_shared<runs::StoredSuites>();
  for (int s = 0; s < kSuites; ++s) {
    store::SuiteRow suite{.id = strCat("01suite", s), .name = strCat("straggler sweep ", s), .createdUtc = 1.7e9 + s, .cells = {}};
    for (int c = 0; c < kCells; ++c) suite.cells.push_back({.place = c, .name = "cell", .kind = "run", .runs = {items[static_cast<std::size_t>(s * kCells + c)].row.id}});
    stored->rows.push_back(std::move(suite));
  }
  return stored;
}

// As the page has it, without its window.
struct Shown {
  TempFolder folder;
  GuiPrompts prompts;
  RecorderLink recorder{QString::fromStdString(folder.path + "/none.db"), prompts};
  runs::RunQueue queue{recorder};
  runs::RunsModel model{"/nowhere"};
  runs::RunRows rows{model, queue};
  std::unique_ptr<QTableView> table{widgets::table(rows, "runsTable", "Runs")};

  Shown() {
    const std::vector<runs::RunItem> all = items();
    model.take(all, suites(all));
    table->setItemDelegateForColumn(runs::RunsModel::kName, widgets::runNameCells(table.get()));
    table->setItemDelegateForColumn(runs::RunsModel::kState, widgets::runStateCells(table.get()));
    table->setSortingEnabled(true);
    widgets::setWidths(table.get(), {216, 56, 104, 90, 80, 80, 90, 104, 80, 110});
    table->resize(kWidth, kHeight);
    table->show();
    QCoreApplication::processEvents();
  }
  double ms(const std::function<void()>& act) {
    const double began = secondsNow();
    act();
    table->grab();
    return 1000 * (secondsNow() - began);
  }
};

}  // namespace

Result runsFilter() {
  const Painting painting{};
  Shown shown;
  std::vector<double> times;
  for (const char* words : {"straggler", "straggler sweep 25", "esync"})
    for (int length = 1; length <= static_cast<int>(std::string(words).size()); ++length) times.push_back(shown.ms([&] { shown.rows.setWords(QString(words).left(length)); }));
  const double sorting = shown.ms([&] { shown.rows.setWords(""), shown.rows.sort(runs::RunsModel::kAccuracy, Qt::DescendingOrder); });
  std::vector<double> scrolls;
  for (int i = 0; i < 50; ++i) scrolls.push_back(shown.ms([&] { shown.table->verticalScrollBar()->setValue(i * shown.table->verticalScrollBar()->maximum() / 50); }));
  std::ranges::sort(times);
  std::ranges::sort(scrolls);
  return {.id = "runs_filter_ms", .value = times.back(), .unit = "ms", .target = 100, .higherIsBetter = false,
          .note = "12 000 runs, 4 000 of them in 100 suites: slowest key of three searches, from the key to painted rows",
          .inputs = {{"median_ms", median(times)}, {"sort_ms", sorting}, {"scroll_slowest_ms", scrolls.back()}, {"keys", static_cast<double>(times.size())}}};
}

}  // namespace paceline::bench

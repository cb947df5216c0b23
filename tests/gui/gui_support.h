// For tests with widgets: one QApplication a process, settings and stores in a fresh folder, waiting by events.
#pragma once

#include <QApplication>
#include <filesystem>
#include <functional>
#include <string>

#include "app/figures/figure.h"
#include "engine/core/spec/catalog.h"
#include "storage/store/records.h"
#include "tests/support/own_folder.h"

namespace paceline {
class MainWindow;
}

namespace paceline::tests {

QApplication& application();  // made at the first call; keeps its settings in a folder of its own

// Runs the event loop until `done` is true; false after the deadline, which only guards against hanging.
bool waitFor(const std::function<bool()>& done, int seconds = 60);

// A run that this window handed in has started or ended and is offered; presses "Show it". False: it was not offered in time.
bool showStarted(MainWindow& window);

class TempFolder {
 public:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_ = tests::ownFolder();
};

Catalog smallCatalog();  // ssgd, esync, grouping_sgd, pdmm_isvr; server, ring; logistic; synthetic; iid; every topology
store::RunRow madeRow(int number);
// Rows of a finished two-worker run with `evaluations` evaluations.
void storeRun(const std::string& store, const store::RunRow& row, int evaluations);

}  // namespace paceline::tests

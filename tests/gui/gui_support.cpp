#include "tests/gui/gui_support.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QPushButton>
#include <QSettings>
#include <QTimer>
#include <cstdio>

#include "app/ui/main_window.h"
#include "app/ui/widgets/theme.h"
#include "engine/core/base/error.h"
#undef slots  // Qt's; a Neighbour has a member of that name
#include "engine/core/spec/topologies.h"
#include "storage/store/store.h"

namespace paceline::tests {
namespace {

std::vector<store::NodeRow> twoWorkers(const std::string& run) {
  std::vector<store::NodeRow> nodes(3);
  const char* const ids[] = {"s0", "w0", "w1"};
  for (int i = 0; i < 3; ++i) {
    nodes[static_cast<std::size_t>(i)].run = run;
    nodes[static_cast<std::size_t>(i)].id = ids[i];
    nodes[static_cast<std::size_t>(i)].role = i == 0 ? "server" : "worker";
    nodes[static_cast<std::size_t>(i)].host = "local";
    nodes[static_cast<std::size_t>(i)].device = "cpu";
    nodes[static_cast<std::size_t>(i)].rank = i - 1;
  }
  return nodes;
}

// English plurals need the application, whatever a test is about.
class Application : public ::testing::Environment {
  void SetUp() override { application(); }
};
[[maybe_unused]] const ::testing::Environment* const kApplication = ::testing::AddGlobalTestEnvironment(new Application);

}  // namespace

QApplication& application() {
  static TempFolder settings;
  static int argc = 1;
  static char name[] = "gui_tests";
  static char* argv[] = {name, nullptr};
  static QApplication* made = [] {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, QString::fromStdString(settings.path("settings")));
    qputenv("PACELINE_BIN", PACELINE_BIN_DIR);
    qputenv("PACELINE_RECORDER_IDLE_S", "0.1");
    qputenv("PACELINE_HOSTS", QByteArray::fromStdString(settings.path("hosts.json")));  // not the user's own
    auto* app = new QApplication(argc, argv);
    QApplication::setOrganizationName("paceline-tests");
    QApplication::setApplicationName("paceline-tests");
    widgets::Theme::instance().apply();
    return app;
  }();
  return *made;
}

bool waitFor(const std::function<bool()>& done, int seconds) {
  QElapsedTimer clock;
  clock.start();
  QTimer wake;  // `done` may change without an event
  wake.start(10);
  while (!done()) {
    if (clock.elapsed() > seconds * 1000) return false;
    QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);  // with a time limit it would not wait
  }
  return true;
}

bool showStarted(MainWindow& window) {
  QPushButton* offer = nullptr;
  const auto offered = [&] {
    for (QPushButton* each : window.findChildren<QPushButton*>())
      if (each->text() == "Show it" && each->isVisibleTo(&window)) offer = each;
    return offer != nullptr;
  };
  if (!waitFor(offered, 120)) return false;
  offer->click();
  return window.page() == &window.runPage();
}

Catalog smallCatalog() {
  Catalog catalog;
  catalog.version = "0.1.0";
  AlgorithmEntry ssgd;
  ssgd.id = "ssgd", ssgd.title = "SSGD", ssgd.summary = "Averages every step.";
  ssgd.params = {realParam("learning_rate", 0.032, 0, 10, "Step size.")};
  AlgorithmEntry esync;
  esync.id = "esync", esync.title = "ESync", esync.needsServer = true;
  esync.params = {realParam("local_lr", 0.032, 0, std::nullopt, "Step size of the local steps."),
                  choiceParam("epsilon_unit", "fraction", {"fraction", "seconds"}, "Unit.")};
  AlgorithmEntry grouping;
  grouping.id = "grouping_sgd", grouping.title = "Grouping-SGD", grouping.topology = Topology::kServer, grouping.synchronous = false, grouping.groups = true;
  AlgorithmEntry pdmm;
  pdmm.id = "pdmm_isvr", pdmm.title = "PDMM-ISVR", pdmm.topology = Topology::kDecentralised, pdmm.momentum = pdmm.densePushes = false;
  catalog.algorithms = {ssgd, esync, grouping, pdmm};
  AggregationEntry server;
  server.id = "server", server.title = "Parameter server", server.needsServer = true;
  AggregationEntry ring;
  ring.id = "ring", ring.title = "Ring", ring.engines = {"gloo"};
  catalog.aggregations = {server, ring};
  catalog.topologies = topologies();
  ModelEntry logistic;
  logistic.id = "logistic", logistic.title = "Softmax regression";
  catalog.models = {logistic};
  DatasetEntry synthetic;
  synthetic.id = "synthetic", synthetic.title = "Synthetic", synthetic.location = "built in", synthetic.trainCount = 6000,
  synthetic.testCount = 1000;
  catalog.datasets = {synthetic};
  PartitionEntry iid;
  iid.id = "iid", iid.title = "i.i.d.";
  catalog.partitions = {iid};
  CatalogEntry constant;
  constant.id = "constant", constant.title = "Constant";
  catalog.schedules = {constant};
  catalog.devices = {"cpu"};
  return catalog;
}

store::RunRow madeRow(int number) {
  const char* const algorithms[] = {"esync", "ssgd", "asgd", "dc_asgd"};
  store::RunRow row;
  char id[32];
  std::snprintf(id, sizeof id, "20250101%012d", number);
  row.id = id;
  row.name = strCat("run number ", number);
  row.state = number % 7 == 3 ? store::RunState::kFailed : store::RunState::kFinished;
  if (row.state == store::RunState::kFailed) row.error = "w1 ended with signal 9";
  row.algorithm = algorithms[number % 4];
  row.model = "lenet";
  row.dataset = "fashion_mnist";
  row.partition = "iid";
  row.seed = static_cast<std::uint64_t>(number);
  row.groupHash = strCat("group ", number % 4);
  row.configHash = strCat("configuration ", number);
  row.createdUtc = 1.7e9 + number;
  row.startedUtc = row.createdUtc + 1;
  row.endedUtc = row.createdUtc + 61;
  if (number % 5 == 0) row.tags = {"demo"};
  return row;
}

void storeRun(const std::string& store, const store::RunRow& row, int evaluations) {
  store::StoreWriter writer(store);
  writer.createRun(row, twoWorkers(row.id));
  std::vector<StampedEvent> events;
  std::int64_t seq[2] = {0, 0};
  for (int round = 1; round <= evaluations; ++round)
    for (int w = 0; w < 2; ++w) {
      const std::string node = strCat("w", w);
      events.push_back({row.id, node, ++seq[w],
                        RoundRecord{.round = round,
                                    .t = round * 1.0,
                                    .compute = 0.7,
                                    .wait = 0.2,
                                    .total = 1.0,
                                    .localSteps = 1,
                                    .samples = 64,
                                    .bytesSent = 1000,
                                    .bytesReceived = 1000,
                                    .loss = 1.0 / round,
                                    .learningRate = 0.1,
                                    .kept = std::nullopt}});
      if (w == 0)
        events.push_back({row.id, node, ++seq[w],
                          EvaluationRecord{.round = round,
                                           .t = round * 1.0,
                                           .accuracy = 1 - 0.9 / round,
                                           .loss = 1.0 / round,
                                           .samples = 64 * round,
                                           .seconds = 0.1}});
    }
  writer.append(events);
  writer.setState(row.id, row.state, row.error, "rounds");
}

}  // namespace paceline::tests

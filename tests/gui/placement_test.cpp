#include <gtest/gtest.h>

#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QTest>
#include <QUndoStack>
#include <QVBoxLayout>

#include "app/models/experiment/draft_table.h"
#include "app/models/experiment/placement_model.h"
#include "app/ui/experiment/draft_undo.h"
#include "app/ui/experiment/experiment_form.h"
#include "app/ui/widgets/theme.h"
#include "tests/gui/fake_hosts.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

// A server and three workers on this computer; hosts a (16 CPUs, two GPUs, 300 GFLOP/s), b (8 CPUs, 100 GFLOP/s) and c (never checked).
struct Placing : ::testing::Test {
  QApplication& application = tests::application();  // first: widgets are members
  void SetUp() override {
    for (const char* name : {"a", "b", "c"}) fake->add(name);
    fake->measured("local", 4, 0, 50);
    fake->measured("a", 16, 2, 300);
    fake->measured("b", 8, 0, 100);
    hosts.load();
    ASSERT_TRUE(waitFor([this] { return hosts.loaded(); }));
    draft.setCatalog(std::make_shared<Catalog>(smallCatalog()));
    RunSpec spec;
    spec.name = "placed";
    spec.algorithm.id = "esync", spec.model.id = "logistic", spec.dataset.id = "synthetic";
    spec.stop.rounds = 5;
    for (const char* id : {"s0", "w0", "w1", "w2"}) {
      NodeSpec node;
      node.id = id;
      node.role = id[0] == 's' ? Role::kServer : Role::kWorker;
      spec.nodes.push_back(node);
    }
    draft.load(spec);
  }
  std::string hostOf(const std::string& id) { return placement.node(id)->host; }
  std::optional<Finding> finding(const std::string& pointer) {
    draft.validateNow();
    return draft.findingAt(pointer);
  }

  std::shared_ptr<FakeHosts> fake = fakeHosts();
  clusters::HostsModel hosts{servicesOf(fake)};
  experiment::ExperimentDraft draft;
  experiment::PlacementModel placement{draft, hosts};
};

TEST_F(Placing, AMovedNodeIsOnItsHostInTheDocument) {
  placement.move({"w1"}, "a");
  EXPECT_EQ(hostOf("w1"), "a");
  EXPECT_TRUE(draft.json().contains("\"host\": \"a\""));
}

TEST_F(Placing, TheDocumentMovesNodesToo) {
  draft.setJson(QString(draft.json()).replace("\"host\": \"local\"", "\"host\": \"b\""));
  EXPECT_EQ(placement.cards()[2].host, "b");
  EXPECT_EQ(placement.cards()[2].nodes, (std::vector<std::string>{"s0", "w0", "w1", "w2"}));
}

TEST_F(Placing, ADeviceThatTheHostLacksBecomesItsFirst) {
  placement.move({"w0"}, "a");
  placement.setDevice("w0", "cuda:1");
  placement.move({"w0"}, "b");
  EXPECT_EQ(placement.node("w0")->device, "cpu");
}

TEST_F(Placing, DevicesAreThoseTheHostHas) {
  EXPECT_EQ(placement.devices("a"), (QStringList{"cpu", "cuda:0", "cuda:1"}));
  EXPECT_EQ(placement.devices("c"), QStringList{"cpu"});
}

TEST_F(Placing, SpreadingGoesRoundTheHosts) {
  placement.spreadEvenly({"a", "b"});
  EXPECT_EQ(hostOf("s0"), "a");
  EXPECT_EQ(hostOf("w0"), "b");
  EXPECT_EQ(hostOf("w1"), "a");
  EXPECT_EQ(hostOf("w2"), "b");
}

TEST_F(Placing, EmulatedStepTimesAreTheSpeedsOfTheirWorkers) {
  RunSpec spec = draft.spec();
  double step = 0.1;
  for (NodeSpec& node : spec.nodes)
    if (node.role == Role::kWorker) node.emulate.stepSeconds = step, step *= 2;
  const std::map<std::string, double> speeds = placement.speeds(spec);
  EXPECT_NEAR(speeds.at("w0"), 1, 1e-4);
  EXPECT_NEAR(speeds.at("w1"), 0.5, 1e-4);
  EXPECT_NEAR(speeds.at("w2"), 0.25, 1e-4);
}

TEST_F(Placing, SharesFollowMeasuredSpeedAndSumToOne) {
  placement.move({"w0"}, "a");
  placement.move({"w1"}, "b");
  EXPECT_EQ(placement.sharesBySpeed(), "");
  double sum = 0;
  for (const char* id : {"w0", "w1", "w2"}) sum += *placement.node(id)->share;
  EXPECT_EQ(sum, 1.0);
  // One thread each: 300/16 on a, 100/8 on b, 50/4 here.
  EXPECT_NEAR(*placement.node("w0")->share / *placement.node("w1")->share, 1.5, 1e-4);
  EXPECT_NEAR(*placement.node("w1")->share / *placement.node("w2")->share, 1.0, 1e-4);
  EXPECT_FALSE(placement.node("s0")->share.has_value());
}

TEST_F(Placing, SharesNeedMeasuredHosts) {
  placement.move({"w2"}, "c");
  EXPECT_TRUE(placement.sharesBySpeed().contains("\"c\"") || placement.sharesBySpeed().contains(" c"));
  EXPECT_FALSE(placement.node("w0")->share.has_value());
}

TEST_F(Placing, AnUnknownHostIsAnErrorAtTheNode) {
  placement.move({"w1"}, "nowhere");
  const auto found = finding("/nodes/2/host");
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(found->error);
  EXPECT_EQ(found->message, "host \"nowhere\" is not known; have local, a, b, c");
  EXPECT_FALSE(placement.cards().back().known);
}

TEST_F(Placing, AHostThatWasNotCheckedIsAWarning) {
  placement.move({"w1"}, "c");
  const auto found = finding("/nodes/2/host");
  ASSERT_TRUE(found.has_value());
  EXPECT_FALSE(found->error);
  EXPECT_EQ(found->message, "host c has not been checked yet");
  const experiment::NodesModel table(draft);
  EXPECT_TRUE(table.index(2, experiment::NodesModel::kHost).data(kWarningRole).toBool());
  EXPECT_FALSE(table.index(1, experiment::NodesModel::kHost).data(kWarningRole).toBool());
}

TEST_F(Placing, AProblemOfTheLastCheckIsNamed) {
  hosts.change("b", [](clusters::HostItem& item) { item.lines = {checkLine("disk", check::CheckState::kBad, "12 MB free")}; });
  placement.move({"w1"}, "b");
  EXPECT_EQ(finding("/nodes/2/host")->message, "host b: the last check found a problem: " + checkLine("disk", check::CheckState::kBad).title + ": 12 MB free");
}

TEST_F(Placing, ADeviceThatIsNotThereIsNamedWithThoseThatAre) {
  placement.move({"w1"}, "a");
  placement.setDevice("w1", "cuda:7");
  EXPECT_EQ(finding("/nodes/2/device")->message, "host a has no device \"cuda:7\"; have cpu, cuda:0, cuda:1");
}

TEST_F(Placing, TheTableOffersHostsAndTheirDevices) {
  experiment::NodesModel table(draft);
  table.setChoices({.hosts = [this] { return placement.hosts(); }, .devices = [this](const std::string& host) { return placement.devices(host); }});
  const QModelIndex host = table.index(1, experiment::NodesModel::kHost);
  EXPECT_EQ(host.data(kChoicesRole).toStringList(), (QStringList{"local", "a", "b", "c"}));
  table.setData(host, "a", Qt::EditRole);
  EXPECT_EQ(hostOf("w0"), "a");
  EXPECT_EQ(table.index(1, experiment::NodesModel::kDevice).data(kChoicesRole).toStringList(), (QStringList{"cpu", "cuda:0", "cuda:1"}));
}

struct Board : Placing {
  void SetUp() override {
    Placing::SetUp();
    steps = std::make_unique<experiment::DraftUndo>(draft, undo);
    bar = experiment::placementBar(placement, [](bool) {});
    board = experiment::placementBoard(placement);
    auto* column = new QVBoxLayout(&window);
    column->addWidget(bar);
    column->addWidget(board);
    window.resize(900, 500);
    window.show();
    QCoreApplication::processEvents();
  }
  // Of the board as it is: those it had before a change are hidden until they are deleted.
  QWidget* shown(const QString& objectName, const QString& accessibleName) {
    for (QWidget* each : board->findChildren<QWidget*>(objectName))
      if (each->isVisible() && each->accessibleName().startsWith(accessibleName)) return each;
    return nullptr;
  }
  QWidget* chipOf(const std::string& node) { return shown("chip-" + QString::fromStdString(node), {}); }
  QWidget* cardOf(const std::string& host) { return shown("placeCard", QString("Host %1,").arg(QString::fromStdString(host))); }
  // As a hand does it: press, over the threshold, on, release.
  void dragTo(const std::string& node, const std::string& host) {
    QWidget* chip = chipOf(node);
    const QPoint from = chip->rect().center(), to = chip->mapFromGlobal(cardOf(host)->mapToGlobal(cardOf(host)->rect().center()));
    QTest::mousePress(chip, Qt::LeftButton, {}, from);
    moveTo(chip, from + (to - from) / 3);
    moveTo(chip, to);
    QTest::mouseRelease(chip, Qt::LeftButton, {}, to);
    QCoreApplication::processEvents();
  }
  static void moveTo(QWidget* chip, const QPoint& at) {
    QMouseEvent move(QEvent::MouseMove, at, chip->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
    QCoreApplication::sendEvent(chip, &move);
  }

  QWidget window;
  QUndoStack undo;
  std::unique_ptr<experiment::DraftUndo> steps;
  QWidget* bar = nullptr;
  QScrollArea* board = nullptr;
};

TEST_F(Board, ChipsDoNotCoverEachOtherWithLargerText) {
  draft.edit([](RunSpec& spec) {
    for (int i = 0; i < 13; ++i) spec.nodes.push_back(NodeSpec(spec.nodes.back())), spec.nodes.back().id = strCat("more", i), spec.nodes.back().host = "a";
  });
  widgets::Theme::instance().setScale(widgets::kTextSizes[3]);
  QCoreApplication::processEvents();
  const QWidget* card = cardOf("a");
  std::vector<QRect> places;
  for (const QWidget* each : card->findChildren<QWidget*>(QRegularExpression("^chip-"))) {
    EXPECT_GE(each->height(), each->fontMetrics().height() + 8);
    places.emplace_back(each->mapTo(card, QPoint()), each->size());
    EXPECT_TRUE(card->rect().contains(places.back())) << each->objectName().toStdString();
    for (std::size_t i = 0; i + 1 < places.size(); ++i) EXPECT_FALSE(places[i].intersects(places.back())) << each->objectName().toStdString();
  }
  EXPECT_GT(places.size(), 12u);
  widgets::Theme::instance().setScale(1);
}

TEST_F(Board, HasACardForEachHostAndAChipForEachNode) {
  for (const char* host : {"local", "a", "b", "c"}) EXPECT_NE(cardOf(host), nullptr);
  for (const char* node : {"s0", "w0", "w1", "w2"}) EXPECT_NE(chipOf(node), nullptr);
}

TEST_F(Board, AChipIsDraggedToAnotherHost) {
  dragTo("w1", "b");
  EXPECT_EQ(hostOf("w1"), "b");
  EXPECT_EQ(chipOf("w1")->parentWidget()->parentWidget(), cardOf("b"));
  EXPECT_EQ(hostOf("w0"), "local");
}

TEST_F(Board, ADragIsUndoneAndDoneAgain) {
  dragTo("w1", "b");
  undo.undo();
  EXPECT_EQ(hostOf("w1"), "local");
  undo.redo();
  EXPECT_EQ(hostOf("w1"), "b");
  EXPECT_EQ(undo.text(0), "moving w1 to b");
}

TEST_F(Board, UndoTakesBackTheLastChangeFirst) {
  dragTo("w1", "b");
  draft.edit([](RunSpec& spec) { spec.nodes[2].threads = 7; });
  undo.undo();
  EXPECT_EQ(hostOf("w1"), "b");
  EXPECT_EQ(placement.node("w1")->threads, 1);
  undo.undo();
  EXPECT_EQ(hostOf("w1"), "local");
}

TEST_F(Board, ADropBesideTheCardsMovesNothing) {
  QWidget* chip = chipOf("w1");
  QTest::mousePress(chip, Qt::LeftButton, {}, chip->rect().center());
  moveTo(chip, QPoint(200, 0));
  moveTo(chip, QPoint(-2000, -2000));
  QTest::mouseRelease(chip, Qt::LeftButton, {}, QPoint(-2000, -2000));
  EXPECT_EQ(hostOf("w1"), "local");
  EXPECT_EQ(undo.count(), 0);
}

TEST_F(Board, EscapeEndsADrag) {
  QWidget* chip = chipOf("w1");
  QTest::mousePress(chip, Qt::LeftButton, {}, chip->rect().center());
  moveTo(chip, QPoint(200, 0));
  EXPECT_NE(window.findChild<QLabel*>("dragGhost"), nullptr);
  QTest::keyClick(chip, Qt::Key_Escape);
  EXPECT_EQ(window.findChild<QLabel*>("dragGhost"), nullptr);
  QTest::mouseRelease(chip, Qt::LeftButton, {}, QPoint(300, 0));
  EXPECT_EQ(hostOf("w1"), "local");
}

TEST_F(Board, SelectedChipsAreDraggedTogether) {
  QTest::keyClick(chipOf("w0"), Qt::Key_Space);
  QTest::mouseClick(chipOf("w2"), Qt::LeftButton);
  dragTo("w0", "a");
  EXPECT_EQ(hostOf("w0"), "a");
  EXPECT_EQ(hostOf("w2"), "a");
  EXPECT_EQ(hostOf("w1"), "local");
  EXPECT_EQ(undo.count(), 1);
}

TEST_F(Board, SelectedChipsAreRowsOfTheDocument) {
  EXPECT_TRUE(experiment::pickedRows(board, draft.spec()).empty());
  QTest::mouseClick(chipOf("w2"), Qt::LeftButton);
  QTest::mouseClick(chipOf("w0"), Qt::LeftButton);
  EXPECT_EQ(experiment::pickedRows(board, draft.spec()), (std::vector{draft.spec().nodeIndex("w0"), draft.spec().nodeIndex("w2")}));
}

TEST_F(Board, TheKeyboardMovesNodesToTheNeighbouringHost) {
  QTest::keyClick(chipOf("w0"), Qt::Key_Right, Qt::AltModifier);
  EXPECT_EQ(hostOf("w0"), "a");
  QTest::keyClick(chipOf("w0"), Qt::Key_Right, Qt::AltModifier);
  EXPECT_EQ(hostOf("w0"), "b");
  QTest::keyClick(chipOf("w0"), Qt::Key_Left, Qt::AltModifier);
  EXPECT_EQ(hostOf("w0"), "a");
}

TEST_F(Board, TheMenuOffersHostsAndDevices) {
  placement.move({"w0"}, "a");
  QTest::keyClick(chipOf("w0"), Qt::Key_Return);
  auto* menu = board->findChild<QMenu*>("placementMenu");
  ASSERT_NE(menu, nullptr);
  QStringList words;
  for (QMenu* each : menu->findChildren<QMenu*>())
    for (QAction* action : each->actions()) {
      words << action->text();
      if (action->text() == "cuda:1") action->trigger();
    }
  EXPECT_EQ(words, (QStringList{"local", "a", "b", "c", "cpu", "cuda:0", "cuda:1"}));
  EXPECT_EQ(placement.node("w0")->device, "cuda:1");
  menu->close();
}

TEST_F(Board, SharesThatCannotBeMadeSayWhy) {
  placement.move({"w2"}, "c");
  auto* shares = bar->findChild<QPushButton*>("sharesBySpeed");
  shares->click();
  const auto said = [this] {
    for (const QLabel* each : bar->findChildren<QLabel*>())
      if (each->isVisible() && each->text().contains("c")) return true;
    return false;
  };
  EXPECT_TRUE(said());
  emit hosts.changed("a");  // a check told something: no answer to it
  EXPECT_TRUE(said());
  placement.move({"w0"}, "a");
  EXPECT_FALSE(said());
}

TEST_F(Board, TwoHundredHostsAreCards) {
  for (int i = 0; i < 200; ++i) fake->add("node" + std::to_string(i));
  hosts.load();
  ASSERT_TRUE(waitFor([this] { return cardOf("node199") != nullptr; }));
  EXPECT_LE(board->height(), 320);
}

}  // namespace
}  // namespace paceline::tests

// The topology of decentralised runs in the window: what is drawn, what the edge table writes, what is said about bad ones.
#include <gtest/gtest.h>

#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <cmath>
#include <numbers>
#include <set>

#include "app/ui/widgets/theme.h"
#include "app/ui/experiment/topology_preview.h"
#include "app/ui/experiment/experiment_form.h"
#include "engine/core/base/error.h"
#undef slots  // Qt's; a Neighbour has a member of that name
#include "engine/core/spec/topologies.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

RunSpec specOf(int workers, const std::string& topology) {
  RunSpec spec;
  spec.name = "edges";
  spec.algorithm.id = "pdmm_isvr", spec.model.id = "logistic", spec.dataset.id = "synthetic";
  spec.topology.id = topology;
  spec.stop.rounds = 5;
  for (int i = 0; i < workers; ++i) {
    NodeSpec node;
    node.id = strCat("w", i);
    spec.nodes.push_back(node);
  }
  return spec;
}

TEST(TopologyGraph, OfARingTellsNeighboursAndDistance) {
  const experiment::TopologyGraph graph = experiment::topologyGraph(specOf(6, "ring"), topologies());
  EXPECT_EQ(graph.problem, "");
  EXPECT_EQ(graph.edges.size(), 6u);
  EXPECT_EQ(graph.summary, "6 workers, 6 edges; 2 neighbours each; at most 3 edges apart; spectral gap 0.33");
}

TEST(TopologyGraph, OfEveryPresetHasItsEdgesOncePerPairAndDistinctPlaces) {
  for (const CatalogEntry& entry : topologies()) {
    if (entry.id == "edges") continue;
    const RunSpec spec = specOf(12, entry.id);
    const experiment::TopologyGraph graph = experiment::topologyGraph(spec, topologies());
    std::set<std::pair<std::string, std::string>> pairs;
    for (const Edge& edge : experiment::presetEdges(spec, topologies())) pairs.insert(std::minmax(edge.a, edge.b));
    EXPECT_EQ(graph.edges.size(), pairs.size()) << entry.id;
    std::set<std::pair<double, double>> places(graph.places.begin(), graph.places.end());
    EXPECT_EQ(places.size(), 12u) << entry.id;
    for (const auto& [x, y] : graph.places) {
      EXPECT_TRUE(x >= -1e-9 && x <= 1 + 1e-9 && y >= -1e-9 && y <= 1 + 1e-9) << entry.id;
    }
  }
}

TEST(TopologyGraph, ATorusIsDrawnAsItsGrid) {
  const experiment::TopologyGraph graph = experiment::topologyGraph(specOf(12, "torus"), topologies());  // 3 rows of 4
  EXPECT_EQ(graph.places[0], std::pair(0.0, 0.0));
  EXPECT_EQ(graph.places[3], std::pair(1.0, 0.0));
  EXPECT_EQ(graph.places[4], std::pair(0.0, 0.5));
  EXPECT_EQ(graph.places[11], std::pair(1.0, 1.0));
}

TEST(TopologyGraph, EveryEdgeOfADrawnTorusLiesInARowOrAColumn) {
  for (int workers = 2; workers <= 60; ++workers) {
    const experiment::TopologyGraph graph = experiment::topologyGraph(specOf(workers, "torus"), topologies());
    for (const experiment::GraphEdge& edge : graph.edges) {
      const auto [ax, ay] = graph.places[static_cast<std::size_t>(edge.a)];
      const auto [bx, by] = graph.places[static_cast<std::size_t>(edge.b)];
      EXPECT_TRUE(ax == bx || ay == by) << workers << " workers: " << edge.text;
    }
  }
}

TEST(TopologyGraph, SaysWhatIsNotConnectedAndWhatCannotBeMade) {
  RunSpec spec = specOf(4, "edges");
  spec.edges = {{.a = "w0", .b = "w1"}, {.a = "w2", .b = "w3"}};
  EXPECT_EQ(experiment::topologyGraph(spec, topologies()).summary, "4 workers, 2 edges; 1 neighbour each; not connected: no path from w0 to w2");
  RunSpec torus = specOf(5, "torus");
  torus.topology.params.set("rows", std::int64_t{2});
  const experiment::TopologyGraph graph = experiment::topologyGraph(torus, topologies());
  EXPECT_TRUE(graph.edges.empty());
  EXPECT_NE(graph.problem.find("must divide the number of workers"), std::string::npos) << graph.problem;
}

TEST(TopologyGraph, AnEdgeTellsItsTimesFromBothEnds) {
  RunSpec spec = specOf(2, "edges");
  spec.edges = {{.a = "w1", .b = "w0", .every = 8, .offset = 4}, {.a = "w0", .b = "w1", .every = 8, .offset = 0}};
  const experiment::TopologyGraph graph = experiment::topologyGraph(spec, topologies());
  ASSERT_EQ(graph.edges.size(), 1u);
  EXPECT_EQ(graph.edges[0].text, "w1 – w0: every 8 steps from step 4; begun by w0: every 8 steps");
}

// In closed form, with d the degree: complete 1, ring 2/3 (1 - cos 2 pi / n), star 1/n, a pair 1.
TEST(TopologyGraph, SpectralGapsAreThoseOfTheTextbook) {
  const auto gapOf = [](int workers, const std::string& topology) {
    return experiment::spectralGap(static_cast<std::size_t>(workers), experiment::topologyGraph(specOf(workers, topology), topologies()).edges);
  };
  for (const int workers : {3, 5, 10}) EXPECT_NEAR(gapOf(workers, "complete").value, 1, 1e-9) << workers;
  for (const int workers : {5, 6, 10, 64}) {
    EXPECT_TRUE(gapOf(workers, "ring").whole) << workers;
    EXPECT_NEAR(gapOf(workers, "ring").value, 2.0 / 3 * (1 - std::cos(2 * std::numbers::pi / workers)), 1e-6) << workers;
  }
  for (const int workers : {4, 10}) EXPECT_NEAR(gapOf(workers, "star").value, 1.0 / workers, 1e-6) << workers;
  EXPECT_NEAR(experiment::spectralGap(2, {{.a = 0, .b = 1, .text = ""}}).value, 1, 1e-9);
  const experiment::SpectralGap large = gapOf(2000, "ring");
  EXPECT_FALSE(large.whole);
  EXPECT_GT(large.value, 2.0 / 3 * (1 - std::cos(2 * std::numbers::pi / 2000)));
}

TEST(TopologyGraph, AnEdgeIsToggledWithTheTimesOfTheLastOne) {
  const std::vector<Edge> one = {{.a = "w0", .b = "w1", .every = 8, .offset = 4}};
  const std::vector<Edge> two = experiment::withEdgeToggled(one, "w2", "w0");
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[1], (Edge{.a = "w2", .b = "w0", .every = 8, .offset = 4}));
  EXPECT_EQ(experiment::withEdgeToggled(two, "w1", "w0"), (std::vector<Edge>{two[1]}));  // from either end
}

TEST(TopologyGraph, OfAThousandWorkersIsQuick) {
  EXPECT_EQ(experiment::topologyGraph(specOf(1000, "ring"), topologies()).edges.size(), 1000u);
}

struct Preview : ::testing::Test {
  QApplication& application = tests::application();
  experiment::TopologyPreview preview;
  void SetUp() override {
    preview.resize(500, 264);
    preview.show(experiment::topologyGraph(specOf(6, "ring"), topologies()));
    preview.setVisible(true);
  }
};

TEST_F(Preview, NamesTheEdgeUnderTheMouse) {
  const experiment::GraphEdge& edge = preview.graph().edges[2];
  const QPointF middle = (preview.place(edge.a) + preview.place(edge.b)) / 2;
  QMouseEvent move(QEvent::MouseMove, middle, preview.mapToGlobal(middle), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
  QApplication::sendEvent(&preview, &move);
  EXPECT_EQ(preview.current(), 2);
  EXPECT_EQ(preview.accessibleDescription().toStdString(), edge.text);
  const QPointF centre(250, 120);
  QMouseEvent away(QEvent::MouseMove, centre, preview.mapToGlobal(centre), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
  QApplication::sendEvent(&preview, &away);
  EXPECT_EQ(preview.current(), -1);
  EXPECT_EQ(preview.accessibleDescription().toStdString(), preview.graph().summary);
}

TEST_F(Preview, ADragFromWorkerToWorkerAsksForAnEdge) {
  std::vector<std::pair<int, int>> asked;
  QObject::connect(&preview, &experiment::TopologyPreview::toggled, [&](int a, int b) { asked.emplace_back(a, b); });
  const auto drag = [&](const QPointF& from, const QPointF& to) {
    QTest::mousePress(&preview, Qt::LeftButton, Qt::NoModifier, from.toPoint());
    QTest::mouseMove(&preview, to.toPoint());
    EXPECT_FALSE(preview.grab().isNull());
    QTest::mouseRelease(&preview, Qt::LeftButton, Qt::NoModifier, to.toPoint());
  };
  QTest::keyClick(&preview, Qt::Key_Delete);  // no edge is chosen
  drag(preview.place(0), preview.place(3));
  drag(preview.place(1), preview.place(1));  // a click
  drag(preview.place(1), QPointF(250, 120));
  drag(QPointF(250, 120), preview.place(1));
  EXPECT_EQ(asked, (std::vector<std::pair<int, int>>{{0, 3}}));
  preview.show(preview.graph());
  QTest::keyClick(&preview, Qt::Key_Right);
  QTest::keyClick(&preview, Qt::Key_Delete);
  EXPECT_EQ(asked.size(), 2U);
  EXPECT_EQ(asked.back(), std::pair(preview.graph().edges[0].a, preview.graph().edges[0].b));
}

TEST_F(Preview, ArrowKeysGoThroughTheEdges) {
  QTest::keyClick(&preview, Qt::Key_Right);
  EXPECT_EQ(preview.current(), 0);
  QTest::keyClick(&preview, Qt::Key_Left);
  EXPECT_EQ(preview.current(), 5);
  QTest::keyClick(&preview, Qt::Key_Right);
  EXPECT_EQ(preview.current(), 0);
}

TEST_F(Preview, PaintsInBothThemesWhateverItIsGiven) {
  const widgets::ThemeMode before = widgets::Theme::instance().mode();
  std::set<QRgb> colours;
  for (const widgets::ThemeMode mode : {widgets::ThemeMode::kLight, widgets::ThemeMode::kDark}) {
    widgets::Theme::instance().setMode(mode);
    for (const int workers : {0, 1, 2, 40, 200}) {
      preview.show(experiment::topologyGraph(specOf(workers, "complete"), topologies()));
      EXPECT_FALSE(preview.grab().isNull());
    }
    preview.show(experiment::topologyGraph(specOf(6, "ring"), topologies()));
    colours.insert(preview.grab().toImage().pixel(preview.place(0).toPoint() + QPoint(0, 9)));
  }
  EXPECT_EQ(colours.size(), 2u);  // inside a node
  widgets::Theme::instance().setMode(before);
}

struct Section : ::testing::Test {
  QApplication& application = tests::application();
  experiment::ExperimentDraft draft;
  std::unique_ptr<QWidget> window = std::make_unique<QWidget>();
  experiment::TopologySection* section = nullptr;
  void SetUp() override {
    draft.setCatalog(std::make_shared<const Catalog>(smallCatalog()));
    draft.load(specOf(4, "ring"));
    auto* column = new QVBoxLayout(window.get());
    section = new experiment::TopologySection(draft);
    column->addWidget(section);
    QObject::connect(&draft, &experiment::ExperimentDraft::specChanged, section, [this] { section->follow(); });
    section->follow();
    window->show();
  }
  QAbstractItemModel* table() { return section->findChild<QTableView*>("edgeTable")->model(); }
  experiment::TopologyPreview* preview() { return section->findChild<experiment::TopologyPreview*>(); }
  void click(const char* name) { section->findChild<QPushButton*>(name)->click(); }
};

TEST_F(Section, IsThereForDecentralisedMethodsOnly) {
  EXPECT_TRUE(section->isVisibleTo(window.get()));
  draft.edit([](RunSpec& spec) { spec.algorithm.id = "ssgd", spec.topology = {.id = "edges", .params = {}}; });
  EXPECT_FALSE(section->isVisibleTo(window.get()));
}

TEST_F(Section, AParameterOfThePresetChangesThePicture) {
  draft.edit([](RunSpec& spec) { spec.topology.id = "complete"; });
  EXPECT_EQ(preview()->graph().edges.size(), 6u);
  draft.edit([](RunSpec& spec) { spec.topology.id = "star"; });
  EXPECT_EQ(preview()->graph().edges.size(), 3u);
}

TEST_F(Section, AListOfEdgesIsEditedInTheTable) {
  draft.edit([](RunSpec& spec) { spec.topology.id = "edges"; });
  for (int i = 0; i < 3; ++i) click("addEdge");
  ASSERT_EQ(draft.spec().edges.size(), 3u);
  EXPECT_EQ(preview()->graph().summary, "4 workers, 3 edges; 1 to 2 neighbours; at most 3 edges apart; spectral gap 0.2");  // a path
  table()->setData(table()->index(0, experiment::EdgesModel::kEvery), "8", Qt::EditRole);
  table()->setData(table()->index(0, experiment::EdgesModel::kOffset), "3", Qt::EditRole);
  table()->setData(table()->index(0, experiment::EdgesModel::kTo), "w3", Qt::EditRole);
  EXPECT_EQ(draft.spec().edges[0].every, 8);
  EXPECT_EQ(draft.spec().edges[0].offset, 3);
  EXPECT_EQ(draft.spec().edges[0].b, "w3");
  EXPECT_EQ(table()->index(0, experiment::EdgesModel::kFrom).data(kChoicesRole).toStringList(), (QStringList{"w0", "w1", "w2", "w3"}));
}

TEST_F(Section, ABadEdgeIsSaidInItsCell) {
  draft.edit([](RunSpec& spec) { spec.topology.id = "edges", spec.edges = {{.a = "w0", .b = "w1"}, {.a = "w1", .b = "w2"}, {.a = "w2", .b = "w3"}}; });
  table()->setData(table()->index(1, experiment::EdgesModel::kEvery), "often", Qt::EditRole);
  draft.validateNow();
  EXPECT_EQ(table()->index(1, experiment::EdgesModel::kEvery).data().toString(), "often");
  EXPECT_EQ(table()->index(1, experiment::EdgesModel::kEvery).data(kFindingRole).toString(), "\"every\" must be a whole number; it is \"often\".");
  table()->setData(table()->index(1, experiment::EdgesModel::kEvery), "0", Qt::EditRole);
  draft.validateNow();
  EXPECT_FALSE(table()->index(1, experiment::EdgesModel::kEvery).data(kFindingRole).toString().isEmpty());
  table()->setData(table()->index(1, experiment::EdgesModel::kEvery), "1", Qt::EditRole);
  table()->setData(table()->index(1, experiment::EdgesModel::kTo), "nobody", Qt::EditRole);
  draft.validateNow();
  EXPECT_TRUE(table()->index(1, experiment::EdgesModel::kTo).data(kFindingRole).toString().contains("\"nobody\" is not known"));
}

TEST_F(Section, AnUnconnectedGraphIsAFindingOfTheEdges) {
  draft.edit([](RunSpec& spec) { spec.topology.id = "edges", spec.edges = {{.a = "w0", .b = "w1"}, {.a = "w2", .b = "w3"}}; });
  draft.validateNow();
  ASSERT_TRUE(draft.findingAt("/edges").has_value());
  EXPECT_NE(draft.findingAt("/edges")->message.find("no path of edges joins"), std::string::npos);
}

TEST_F(Section, APresetBecomesAListWithTheSameEdges) {
  const std::vector<Edge> before = experiment::presetEdges(draft.spec(), topologies());
  click("listEdges");
  EXPECT_EQ(draft.spec().topology.id, "edges");
  EXPECT_EQ(draft.spec().edges, before);
  section->findChild<QTableView*>("edgeTable")->selectRow(0);
  section->findChild<QTableView*>("edgeTable")->setCurrentIndex(table()->index(0, 0));
  click("removeEdge");
  EXPECT_EQ(draft.spec().edges.size(), before.size() - 1);
}

TEST_F(Section, AnEdgeIsDrawnWithTheMouse) {
  const auto drag = [&](int from, int to) {
    QTest::mousePress(preview(), Qt::LeftButton, Qt::NoModifier, preview()->place(from).toPoint());
    QTest::mouseMove(preview(), preview()->place(to).toPoint());
    QTest::mouseRelease(preview(), Qt::LeftButton, Qt::NoModifier, preview()->place(to).toPoint());
  };
  const std::vector<Edge> ring = experiment::presetEdges(draft.spec(), topologies());
  drag(0, 2);
  EXPECT_EQ(draft.spec().topology.id, "edges");
  ASSERT_EQ(draft.spec().edges.size(), ring.size() + 1);
  EXPECT_EQ(draft.spec().edges.back(), (Edge{.a = "w0", .b = "w2", .every = ring.back().every, .offset = ring.back().offset}));
  EXPECT_EQ(preview()->graph().edges.size(), 5U);
  drag(2, 0);
  EXPECT_EQ(draft.spec().edges, ring);
  for (const Edge& edge : ring) draft.edit([&](RunSpec& spec) { spec.edges = experiment::withEdgeToggled(spec.edges, edge.a, edge.b); });
  drag(1, 2);  // into an empty list
  EXPECT_EQ(draft.spec().edges, (std::vector<Edge>{{.a = "w1", .b = "w2"}}));  // each step
}

TEST_F(Section, APresetThatIsDrawnOverSaysSo) {
  QStringList told;
  section->told = [&told](const QString& sentence) { told << sentence; };
  const auto toggle = [&](int from, int to) {
    QTest::mousePress(preview(), Qt::LeftButton, Qt::NoModifier, preview()->place(from).toPoint());
    QTest::mouseRelease(preview(), Qt::LeftButton, Qt::NoModifier, preview()->place(to).toPoint());
  };
  toggle(0, 2);
  EXPECT_EQ(told, QStringList("The topology is now a list of edges, as drawn; it was Ring"));
  toggle(0, 2);
  EXPECT_EQ(told.size(), 1);  // it is one already
  draft.edit([](RunSpec& spec) { spec.topology.id = "ring", spec.edges.clear(); });
  QTest::keyClick(preview(), Qt::Key_Right);
  QTest::keyClick(preview(), Qt::Key_Delete);
  EXPECT_EQ(told.size(), 2);
  click("listEdges");
  EXPECT_EQ(told.size(), 2);  // that asks for it by name
}

TEST_F(Section, AnEclNodeListBringsItsWorkersAndEdges) {
  const TempFolder folder{};
  const auto write = [&folder](const char* name, const char* text) {
    const QString path = QString::fromStdString(folder.path(name));
    QFile file(path);
    EXPECT_TRUE(file.open(QIODevice::WriteOnly) && file.write(text) > 0);
    return path;
  };
  draft.edit([](RunSpec& spec) { spec.nodes[1].threads = 3, spec.nodes[0].share = 1.0; });
  const QString good = write("node_list.json", R"({"nodes": {"w1": {"device": "cpu", "round": 8, "edges": {"left": 4}},
                                                             "left": {"device": "cpu", "round": 8, "edges": {"w1": -1}}}})");
  EXPECT_TRUE(section->importFile(good)) << section->problem().toStdString();
  EXPECT_EQ(draft.spec().topology.id, "edges");
  ASSERT_EQ(draft.spec().edges.size(), 1u);
  EXPECT_EQ(draft.spec().edges[0], (Edge{.a = "w1", .b = "left", .every = 8, .offset = 4}));
  ASSERT_EQ(draft.spec().nodes.size(), 2u);  // by name
  EXPECT_EQ(draft.spec().nodes[0].id, "left");
  EXPECT_EQ(draft.spec().nodes[1].threads, 3);
  draft.validateNow();
  EXPECT_EQ(draft.errorCount(), 0);
  const RunSpec before = draft.spec();
  EXPECT_FALSE(section->importFile(write("bad.json", R"({"nodes": {"w1": {"device": "cpu", "round": 8, "edges": {"nobody": 4}}}})")));
  EXPECT_TRUE(section->problem().contains("nobody")) << section->problem().toStdString();
  EXPECT_FALSE(section->importFile(QString::fromStdString(folder.path("missing.json"))));
  EXPECT_TRUE(section->problem().contains("cannot be read"));
  EXPECT_FALSE(section->importFile("/dev/zero"));  // read up to a bound, not whole
  EXPECT_TRUE(section->problem().contains("File too large")) << section->problem().toStdString();
  EXPECT_EQ(draft.spec(), before);
}

TEST(Presets, AreDocumentsWithoutAFinding) {
  application();
  const QDir folder(":/paceline/presets");
  EXPECT_GE(folder.entryList({"*.json"}).size(), 7);
  for (const QString& name : folder.entryList({"*.json"})) {
    QFile file(folder.filePath(name));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly)) << name.toStdString();
    for (const Finding& finding : parseRunSpec(file.readAll().toStdString()).findings) ADD_FAILURE() << name.toStdString() << finding.pointer << ": " << finding.message;
  }
}

TEST_F(Section, TheDocumentAndTheFormSayTheSame) {
  draft.edit([](RunSpec& spec) { spec.topology.id = "edges", spec.edges = {{.a = "w0", .b = "w1"}}; });
  draft.setJson(QString(draft.json()).replace("\"every\": 1", "\"every\": 6"));
  EXPECT_EQ(draft.spec().edges[0].every, 6);
  EXPECT_EQ(table()->index(0, experiment::EdgesModel::kEvery).data().toString(), "6");
}

}  // namespace
}  // namespace paceline::tests

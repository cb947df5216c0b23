#include "app/ui/clusters/clusters_page.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QDialog>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTableView>
#include <QTableWidget>
#include <QTest>
#include <QToolButton>
#include <thread>

#include "app/ui/widgets/controls.h"
#include "app/ui/clusters/link_matrix.h"
#include "app/ui/main_window.h"
#include "tests/gui/clusters/clusters_fixture.h"

namespace paceline::tests {
namespace {

TEST_F(Clusters, WithoutHostsThereIsThisComputerAndItsDetails) {
  open();
  EXPECT_EQ(rows(), 1);
  ASSERT_TRUE(waitFor([this] { return child<QPushButton>("checkHost")->isVisible(); }));
  EXPECT_FALSE(child<QPushButton>("removeHost")->isVisible());
  EXPECT_FALSE(child<QPushButton>("deployHost")->isVisible());
}

TEST_F(Clusters, TwoHundredHostsAreListedAndFiltered) {
  for (int i = 0; i < 200; ++i) fake->add("a-host-with-a-rather-long-name-" + std::to_string(i));
  open();
  EXPECT_EQ(rows(), 201);
  child<QLineEdit>("hostSearch")->setText("name-199");
  EXPECT_EQ(rows(), 1);
  child<QLineEdit>("hostSearch")->setText("nothing like it");
  EXPECT_EQ(rows(), 0);
  EXPECT_FALSE(child<QTableView>("hostTable")->isVisible());
}

TEST_F(Clusters, ReasonsOfSkippedChecksAreToldOnce) {
  fake->add("gpu1");
  std::vector<check::CheckLine>& lines = fake->answers["gpu1"];
  for (check::CheckLine line : check::plannedChecks()) {
    line.state = lines.empty() ? check::CheckState::kBad : check::CheckState::kSkipped;
    line.found = lines.empty() ? "connection refused" : "not checked: it cannot be reached";
    lines.push_back(line);
  }
  open();
  const auto shown = [this](const char* words) {
    int count = 0;
    for (const widgets::BreakingLabel* each : page().findChildren<widgets::BreakingLabel*>()) count += each->isVisible() && each->fullText() == words ? 1 : 0;
    return count;
  };
  page().select("gpu1");
  for (const QToolButton* each : page().findChildren<QToolButton*>(QRegularExpression("^recheck-.+"))) EXPECT_FALSE(each->isVisible());  // a line that waits for nothing
  click("checkHost");
  ASSERT_TRUE(waitFor([&] { return shown("connection refused") == 1; }));
  EXPECT_TRUE(waitFor([&] { return shown("not checked: it cannot be reached") == 1; }));
}

TEST_F(Clusters, AnAddedHostIsShownFromItsNameOn) {
  fake->answers["10.0.0.5"] = check::plannedChecks();
  open();
  click("addHost");
  child<QComboBox>("hostTarget")->setEditText("alice@10.0.0.5");
  click("saveHost");
  ASSERT_TRUE(called("check 10.0.0.5"));
  QCoreApplication::processEvents();
  for (const widgets::ColumnScroll* each : page().findChildren<widgets::ColumnScroll*>())
    if (each->isVisible()) {
      EXPECT_EQ(each->verticalScrollBar()->value(), 0);
    }
  const QWidget* focus = window->focusWidget();
  EXPECT_EQ(focus, child<QTableView>("hostTable"));
}

TEST_F(Clusters, AnEditIsUndone) {
  fake->add("gpu1");
  open();
  page().select("gpu1");
  click("editHost");
  child<QLineEdit>("hostAddress")->setText("10.0.0.99");
  click("saveHost");
  ASSERT_TRUE(waitFor([this] { return window->shell().undo.hosts.canUndo(); }));
  EXPECT_EQ(fake->book.find("gpu1")->address, "10.0.0.99");
  window->shell().undo.hosts.undo();
  EXPECT_TRUE(waitFor([this] { return window->shell().hosts.find("gpu1")->entry.address == "10.0.0.1"; }));
}

TEST_F(Clusters, ARemovedHostComesBack) {
  fake->add("gpu1");
  open();
  page().select("gpu1");
  click("removeHost");
  ASSERT_TRUE(waitFor([this] { return rows() == 1; }));
  EXPECT_TRUE(waitFor([this] { return window->bannerText().contains("Removed host gpu1"); }));
  window->shell().undo.hosts.undo();
  EXPECT_TRUE(waitFor([this] { return rows() == 2; }));
}

TEST_F(Clusters, AHostThatOthersJumpOverStays) {
  fake->add("gate");
  hosts::HostEntry inner;
  inner.name = "inner", inner.address = "10.1.0.1", inner.jump = "gate";
  fake->book.put(inner);
  open();
  page().select("gate");
  click("removeHost");
  EXPECT_TRUE(waitFor([this] { return window->bannerText().contains("jumps over it"); }));
  EXPECT_EQ(rows(), 3);
}

TEST_F(Clusters, AReadOfTheListKeepsAFormThatIsBeingFilled) {
  fake->add("gpu1");
  open();
  page().select("gpu1");
  click("editHost");
  fake->add("from-the-terminal");
  window->shell().hosts.load();
  ASSERT_TRUE(waitFor([this] { return rows() == 3; }));
  EXPECT_TRUE(child<QLineEdit>("hostAddress")->isVisible());
}

TEST_F(Clusters, TheDataInterfaceIsChosenFromTheHostsAddresses) {
  fake->add("gpu1");
  fake->measured("gpu1", 4, 0, 1);
  open();
  page().select("gpu1");
  auto* addresses = child<QComboBox>("dataAddress");
  ASSERT_TRUE(waitFor([addresses] { return addresses->findData("10.10.0.5") >= 0; }));
  EXPECT_EQ(addresses->findData("fe80::1"), -1);
  addresses->setCurrentIndex(addresses->findData("10.10.0.5"));
  emit addresses->activated(addresses->currentIndex());
  EXPECT_TRUE(waitFor([this] { return window->shell().hosts.find("gpu1")->entry.dataAddress == "10.10.0.5"; }));
}

TEST_F(Clusters, ALineIsCheckedAgainByItsButton) {
  fake->add("gpu1");
  fake->measured("gpu1", 4, 0, 1);
  open();
  page().select("gpu1");
  auto* again = child<QToolButton>("recheck-clock");
  again->click();
  EXPECT_TRUE(called("check gpu1 clock"));
}

TEST_F(Clusters, AChangedKeyIsAHardStopWithoutAWayToAcceptIt) {
  fake->add("gpu1");
  fake->answers["gpu1"] = {checkLine("key", check::CheckState::kBad, "known SHA256:old, offered SHA256:new", "Ask its administrator")};
  open();
  page().select("gpu1");
  click("checkHost");
  auto* problem = child<widgets::BreakingLabel>("hostProblem");
  ASSERT_TRUE(waitFor([problem] { return problem->isVisible() && problem->fullText().contains("SHA256:new"); }));
  EXPECT_TRUE(problem->fullText().contains("SHA256:old"));
  for (QPushButton* each : page().findChildren<QPushButton*>())
    if (each->isVisible()) {
      EXPECT_FALSE(each->text().contains("rust") || each->text().contains("ccept")) << each->text().toStdString();
    }
}

TEST_F(Clusters, DeployingShowsTheProgressAndCanBeStopped) {
  fake->add("gpu1");
  std::atomic<bool> stopped = false;
  clusters::HostServices services = servicesOf(fake);
  services.deploy = [&stopped](const hosts::HostRegistry&, const std::string&, hosts::CredentialPrompts&, const deploy::DeployOptions& options) {
    options.onProgress({.file = "libtorch_cpu.so", .bytesDone = 25'000'000, .bytesTotal = 100'000'000, .bytesSent = 9'000'000, .rateBytesPerSecond = 5e6});
    std::mutex mutex;
    std::condition_variable_any ends;
    std::unique_lock lock(mutex);
    ends.wait(lock, options.stop, [] { return false; });
    stopped = true;
  };
  application();
  window = std::make_unique<MainWindow>(QString::fromStdString(folder.path("store.db")), services);
  window->show();
  window->go(MainWindow::kClusters);
  ASSERT_TRUE(waitFor([this] { return window->shell().hosts.loaded(); }));
  page().select("gpu1");
  click("deployHost");
  auto* amount = child<QLabel>("deployAmount");
  EXPECT_TRUE(waitFor([amount] { return amount->isVisible() && amount->text().startsWith("25.0 MB of 100 MB, 5.0 MB/s"); }));
  click("deployHost");
  EXPECT_TRUE(waitFor([&stopped] { return stopped.load(); }));
}

TEST_F(Clusters, AFileWithErrorsAddsNothing) {
  fake->imported.problems = {"hosts.txt:3: \"10.0.0.999\" is no address"};
  open();
  page().importFrom("hosts.txt");
  auto* problems = child<QPlainTextEdit>("importProblems");
  EXPECT_TRUE(waitFor([problems] { return problems->toPlainText() == "hosts.txt:3: \"10.0.0.999\" is no address"; }));
  EXPECT_FALSE(child<QPushButton>("addImported")->isEnabled());
}

TEST_F(Clusters, AnImportIsPreviewedAddedAndUndone) {
  for (const char* name : {"n1", "n2"}) {
    hosts::HostEntry entry;
    entry.name = entry.address = name;
    fake->imported.hosts.push_back(entry);
  }
  open();
  page().importFrom("hosts.txt");
  auto* preview = child<QTableWidget>("importPreview");
  ASSERT_TRUE(waitFor([preview] { return preview->rowCount() == 2; }));
  EXPECT_EQ(rows(), 1);
  click("addImported");
  ASSERT_TRUE(waitFor([this] { return rows() == 3; }));
  window->shell().undo.hosts.undo();
  EXPECT_TRUE(waitFor([this] { return rows() == 1; }));
}

TEST_F(Clusters, LinksArePaintedWithNumbersAndUnreachableOnesNamed) {
  fake->add("a");
  fake->add("b");
  fake->links = {{.from = "a", .to = "b", .reachable = true, .mbps = 940, .latencyMs = 0.25, .problem = ""},
                 {.from = "b", .to = "a", .reachable = false, .problem = "b cannot reach a at 10.0.0.1: connection timed out"}};
  open();
  click("measureLinks");
  EXPECT_TRUE(called("measure"));
  auto* matrix = child<clusters::LinkMatrix>("linkMatrix");
  ASSERT_TRUE(waitFor([matrix] { return matrix->hosts().size() == 2; }));
  EXPECT_EQ(matrix->describe(0, 1), "a → b\n940.0 Mbit/s\n0.250 ms one way (half the round trip's median)");
  EXPECT_EQ(matrix->describe(1, 0), "b → a\nunreachable: b cannot reach a at 10.0.0.1: connection timed out");
  EXPECT_FALSE(matrix->grab().isNull());
  QTest::keyClick(matrix, Qt::Key_Down);
  EXPECT_TRUE(matrix->accessibleDescription().startsWith("b"));
}

TEST(LinkColours, TextIsReadableOnEveryShade) {
  application();
  for (const widgets::ThemeMode mode : {widgets::ThemeMode::kLight, widgets::ThemeMode::kDark}) {
    widgets::Theme::instance().setMode(mode);
    double last = 0;
    for (int i = 0; i <= 50; ++i) {
      const QColor shade = clusters::LinkMatrix::shade(i / 50.0, widgets::Theme::instance());
      EXPECT_GE(widgets::contrastRatio(clusters::LinkMatrix::inkOn(shade, widgets::Theme::instance()), shade), 4.5) << i;
      // Faster is always further from the surface.
      const double distance = widgets::contrastRatio(widgets::Theme::instance().colour(widgets::Token::kSurfaceRaised), shade);
      EXPECT_GE(distance, last) << i;
      last = distance;
    }
  }
  widgets::Theme::instance().setMode(widgets::ThemeMode::kLight);
}

struct Dialogs : Clusters {
  // Asks on a thread, presses `button` in the dialog that opens.
  template <class Ask>
  void answered(const char* button, const char* typed, Ask ask) {
    std::atomic<bool> over = false;
    std::jthread task([&] {
      ask();
      over = true;
    });
    QPushButton* found = nullptr;
    ASSERT_TRUE(waitFor([&] { return (found = window->findChild<QPushButton*>(button)) != nullptr || over; }));
    ASSERT_NE(found, nullptr);
    if (*typed) window->findChild<QLineEdit*>("secret")->setText(typed);
    for (QWidget* each = found; each; each = each->parentWidget())
      if (auto* dialog = qobject_cast<QDialog*>(each)) words = [dialog] {
        QString all;
        for (QLabel* label : dialog->findChildren<QLabel*>()) all += label->text() + "\n";
        return all;
      }();
    found->click();
    ASSERT_TRUE(waitFor([&over] { return over.load(); }));
  }
  QString words;
};

TEST_F(Dialogs, AnUnknownKeyIsShownAndRefusedUnlessTrusted) {
  open();
  GuiPrompts prompts;
  clusters::showPrompts(prompts, window.get());
  const hosts::HostKeyPrompt key{.host = "gpu1", .address = "10.0.0.1:22", .type = "ssh-ed25519", .fingerprint = "SHA256:abcdef"};
  bool trusted = true;
  answered("refuseKey", "", [&] { trusted = prompts.forOneTask()->acceptKey(key); });
  EXPECT_FALSE(trusted);
  for (const char* word : {"gpu1", "10.0.0.1:22", "ssh-ed25519", "SHA256:abcdef"}) EXPECT_TRUE(words.contains(word)) << word;
  waitFor([this] { return window->findChild<QPushButton*>("trustKey") == nullptr; });
  answered("trustKey", "", [&] { trusted = prompts.forOneTask()->acceptKey(key); });
  EXPECT_TRUE(trusted);
}

TEST_F(Dialogs, ASecretIsTypedUnseenAndGivenToTheTask) {
  open();
  GuiPrompts prompts;
  clusters::showPrompts(prompts, window.get());
  std::optional<std::string> secret;
  QLineEdit::EchoMode echo = QLineEdit::Normal;
  QObject::connect(&prompts, &GuiPrompts::asked, window.get(), [&] { echo = window->findChild<QLineEdit*>("secret")->echoMode(); });
  answered("continueSecret", "open sesame", [&] { secret = prompts.forOneTask()->secret("gpu1", "alice@gpu1's password:", false); });
  EXPECT_EQ(secret, "open sesame");
  EXPECT_EQ(echo, QLineEdit::Password);
  EXPECT_TRUE(words.contains("alice@gpu1's password:"));
}

}  // namespace
}  // namespace paceline::tests

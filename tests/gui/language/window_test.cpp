// The window in Chinese: every page, as it is walked widget by widget.
#include <gtest/gtest.h>

#include <set>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QTableView>

#include "app/ui/main_window.h"
#include "app/ui/screenshots.h"
#include "app/ui/widgets/controls.h"
#include "storage/store/store.h"
#include "tests/gui/gui_support.h"
#include "tests/gui/language/chinese.h"

namespace paceline::tests {
namespace {

constexpr int kLongestMs = 30'000;

// "Krizhevsky 2009, Learning multiple layers of features from tiny images"
bool isSource(const QString& text) { return text.contains(QRegularExpression("\\b(19|20)\\d\\d, [A-Z]|, (19|20)\\d\\d$")); }

struct ChineseWindow : ::testing::Test {
  InChinese chinese;
  TempFolder folder;
  std::unique_ptr<MainWindow> window;

  void open(int runs) {
    const std::string path = folder.path("store.db");
    for (int i = 0; i < runs; ++i) storeRun(path, madeRow(i), 5);
    window = std::make_unique<MainWindow>(QString::fromStdString(path));
    window->resize(1280, 800);
    window->show();
    ASSERT_TRUE(waitFor([&] { return window->shell().runs.loaded(); }));
  }

  void show(int place) {
    place == MainWindow::kRun ? window->openRun(madeRow(0).id) : window->go(place);
    EXPECT_TRUE(settle(*window, kLongestMs));
  }

  // Each text with what it stands in; those of a person or a machine are left out: typed texts, documents, logs, paths.
  std::vector<std::pair<QString, QString>> textsOn(QWidget* page) {
    std::vector<std::pair<QString, QString>> texts;
    const auto add = [&](const QWidget* of, const QString& text) {
      if (!text.isEmpty() && !isSource(text)) texts.emplace_back(QString("%1 \"%2\"").arg(of->metaObject()->className(), of->objectName()), text);
    };
    QStringList machines;  // what hosts say of themselves
    for (const clusters::HostItem& host : window->shell().hosts.items())
      for (const auto& fact : host.figures.facts) machines << fact.second;
    for (QWidget* each : page->findChildren<QWidget*>()) {
      const auto* words = qobject_cast<QLabel*>(each);
      const bool mono = each->property("role").toString() == "mono" || each->objectName() == "checkFound" || (words && (machines.contains(words->accessibleName()) || isSource(words->text())));
      if (!mono && !each->findChild<QWidget*>("checkFound", Qt::FindDirectChildrenOnly)) add(each, each->toolTip()), add(each, each->accessibleName());
      if (const auto* label = qobject_cast<QLabel*>(each); label && !mono) add(each, label->text());
      if (const auto* button = qobject_cast<QAbstractButton*>(each)) add(each, button->text());
      if (const auto* edit = qobject_cast<QLineEdit*>(each)) add(each, edit->placeholderText());
      if (const auto* list = qobject_cast<QComboBox*>(each))
        for (int i = 0; i < list->count(); ++i) add(each, list->itemText(i));
      if (const auto* view = qobject_cast<QTableView*>(each); view && view->model())
        for (int c = 0; c < view->model()->columnCount(); ++c)
          for (const int role : {Qt::DisplayRole, Qt::ToolTipRole}) add(each, view->model()->headerData(c, Qt::Horizontal, role).toString());
    }
    return texts;
  }

  void expectChinese(const char* what) {
    for (const auto& [where, text] : textsOn(window.get())) EXPECT_EQ(englishIn(text), QStringList()) << what << ", " << where.toStdString() << ": " << text.toStdString();
  }
};

TEST_F(ChineseWindow, NoPageIsEnglish) {
  open(3);
  for (int place = MainWindow::kClusters; place <= MainWindow::kRun; ++place) {
    show(place);
    expectChinese(("page " + std::to_string(place)).c_str());
  }
}

TEST_F(ChineseWindow, AnEmptyStoreIsOfferedInChinese) {
  open(0);
  show(MainWindow::kRuns);
  expectChinese("empty store");
}

TEST_F(ChineseWindow, MenusAndKeysAreChinese) {
  open(1);
  for (QAction* menu : window->menuBar()->actions()) {
    emit menu->menu()->aboutToShow();
    EXPECT_EQ(englishIn(menu->text()), QStringList()) << menu->text().toStdString();
    for (const QAction* each : menu->menu()->actions()) EXPECT_EQ(englishIn(each->text()), QStringList()) << each->text().toStdString();
  }
  std::set<QChar> letters;  // of the menus' own keys
  for (const QAction* menu : window->menuBar()->actions()) {
    const qsizetype at = menu->text().indexOf('&');
    ASSERT_GE(at, 0) << menu->text().toStdString();
    EXPECT_TRUE(letters.insert(menu->text()[at + 1]).second) << menu->text().toStdString();
  }
}

TEST_F(ChineseWindow, StatesAndNumbersOfRunsAreChinese) {
  open(4);
  show(MainWindow::kRuns);
  const runs::RunsModel& model = window->shell().runs;
  for (int row = 0; row < model.rowCount(); ++row) {
    const QString state = model.data(model.index(row, runs::RunsModel::kState), Qt::DisplayRole).toString();
    EXPECT_EQ(englishIn(state), QStringList()) << state.toStdString();
    EXPECT_FALSE(state.isEmpty());
  }
}

TEST_F(ChineseWindow, NothingIsWiderThanTheSmallestWindow) {
  open(3);
  window->resize(1024, 640);
  for (int place = MainWindow::kClusters; place <= MainWindow::kRun; ++place) {
    show(place);
    EXPECT_LE(window->minimumSizeHint().width(), 1024) << place;
    EXPECT_LE(window->minimumSizeHint().height(), 640) << place;
  }
}

TEST(LanguageSetting, IsKeptAndSaysThatItComesWithTheNextStart) {
  application();
  QSettings().remove("look/language");
  TempFolder folder;
  MainWindow window(QString::fromStdString(folder.path("store.db")));
  window.show();
  window.go(MainWindow::kSettings);
  auto* chosen = window.findChild<widgets::Segments*>("language");
  auto* again = window.findChild<QPushButton*>("startAgain");
  ASSERT_TRUE(chosen && again);
  EXPECT_FALSE(again->isVisible());
  const QList<QPushButton*> buttons = chosen->findChildren<QPushButton*>();
  ASSERT_EQ(buttons.size(), 3);
  EXPECT_EQ(buttons[2]->text(), "简体中文");
  buttons[2]->click();
  EXPECT_EQ(QSettings().value("look/language").toString(), "zh_CN");
  EXPECT_TRUE(again->isVisible());
  again->click();
  EXPECT_EQ(window.nextStore(), QString::fromStdString(folder.path("store.db")));
  EXPECT_FALSE(window.isVisible());
  QSettings().remove("look/language");
}

TEST(LanguageSetting, RefusesWhatIsNoLanguage) {
  application();
  EXPECT_FALSE(language::use("klingon"));
  EXPECT_EQ(language::current(), "en");
}

}  // namespace
}  // namespace paceline::tests

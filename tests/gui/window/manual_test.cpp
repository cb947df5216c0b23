// F1: the manual opens at what one is at; every page and field has a place in it; links, search, back and forward lead somewhere.
#include <gtest/gtest.h>

#include <QAction>
#include <QTest>
#include <QTextBlock>

#include "app/ui/main_window.h"
#include "app/ui/manual/manual_window.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

using manual::Book;
using manual::Place;

TEST(ManualBook, AnAnchorIsThatOfGitHub) {
  EXPECT_EQ(Book::anchorOf("Run page"), "run-page");
  EXPECT_EQ(Book::anchorOf("/checkpoint"), "checkpoint");
  EXPECT_EQ(Book::anchorOf("Suites, searches, queue"), "suites-searches-queue");
}

TEST(ManualBook, SectionsAreFoundByAllWordsTitlesFirst) {
  const Book book({{"a.md", "# First\nabout queues\n## Queue\nwhat waits\n```\n# no title\n```\n"}, {"index.md", "# Index\nthe queue is in First\n"}});
  ASSERT_EQ(book.chapters().size(), 2U);
  EXPECT_EQ(book.chapters()[0].file, "index.md");
  ASSERT_EQ(book.chapters()[1].sections.size(), 2U);
  const std::vector<manual::Hit> hits = book.find("QUEUE");
  ASSERT_EQ(hits.size(), 3U);
  EXPECT_EQ(hits[0].title, "First, Queue");
  EXPECT_TRUE(book.find("queue nothing").empty());
  EXPECT_TRUE(book.find("  ").empty());
}

TEST(ManualBook, LinksLeadToSectionsOrOut) {
  const Book book({{"a.md", "# A\n## One\n"}, {"b.md", "# B\n"}});
  EXPECT_EQ(book.ofLink("a.md#one", "b.md"), (Place{"a.md", "one"}));
  EXPECT_EQ(book.ofLink("#one", "a.md"), (Place{"a.md", "one"}));
  EXPECT_EQ(book.ofLink("a.md#two", "b.md"), std::nullopt);
  EXPECT_EQ(book.ofLink("https://example.org", "b.md"), std::nullopt);
}

struct ManualInWindow : ::testing::Test {
  void SetUp() override {
    application();
    window = std::make_unique<MainWindow>(QString::fromStdString(folder.path("store.db")));
    window->resize(1280, 800);
    window->show();
    window->activateWindow();
    ASSERT_TRUE(waitFor([this] { return window->isActiveWindow() && window->shell().catalogue.get(); }));
  }
  void pressF1() {
    window->activateWindow();
    for (QAction* each : window->findChildren<QAction*>())
      if (each->shortcut() == QKeySequence(QKeySequence::HelpContents)) each->trigger();
  }
  manual::ManualWindow* shown() { return window->findChild<manual::ManualWindow*>("manual"); }
  QTextBrowser* text() { return shown()->findChild<QTextBrowser*>("manualText"); }

  TempFolder folder;
  std::unique_ptr<MainWindow> window;
};

TEST_F(ManualInWindow, EveryPageHasItsPlace) {
  std::set<QString> anchors;
  for (int place = MainWindow::kClusters; place <= MainWindow::kReport; ++place) {
    window->go(place);
    window->page()->setFocus();
    pressF1();
    ASSERT_NE(shown(), nullptr);
    EXPECT_EQ(shown()->place().file, "02-window.md") << place;
    const manual::Section* section = shown()->book().section(shown()->place());
    ASSERT_NE(section, nullptr) << place;
    EXPECT_TRUE(anchors.insert(section->anchor).second) << section->anchor.toStdString();
    EXPECT_EQ(text()->textCursor().block().text(), section->title);
  }
}

TEST_F(ManualInWindow, EveryFieldOfTheFormHasItsPlace) {
  const Book book;
  for (const experiment::FormPlace& each : window->experiment().places()) {
    const Place place = book.ofField(each.pointer);
    EXPECT_FALSE(place.anchor.isEmpty()) << each.pointer;
    EXPECT_NE(book.section(place), nullptr) << each.pointer;
  }
}

TEST_F(ManualInWindow, AFieldWithTheKeyboardIsWhatItOpensAt) {
  window->go(MainWindow::kExperiments);
  window->experiment().startNew();
  window->experiment().reveal("/batch_size");
  pressF1();
  ASSERT_NE(shown(), nullptr);
  EXPECT_EQ(shown()->place(), (Place{"09-fields.md", "batch_size"}));
}

TEST_F(ManualInWindow, ACardOfTheSettingsWithTheKeyboardIsWhatItOpensAt) {
  window->go(MainWindow::kSettings);
  for (const auto& [name, anchor] : {std::pair("noticeCommand", "notices"), std::pair("backupFolder", "copies-of-the-store")}) {
    window->page()->findChild<QLineEdit*>(name)->setFocus();
    pressF1();
    ASSERT_NE(shown(), nullptr);
    EXPECT_EQ(shown()->place(), (Place{"02-window.md", anchor}));
    EXPECT_NE(Book().section(shown()->place()), nullptr);
    shown()->close();
  }
}

TEST_F(ManualInWindow, EveryLinkOfEveryChapterLeadsSomewhere) {
  const Book book;
  EXPECT_GT(book.chapters().size(), 10U);
  const QRegularExpression links(R"(\]\(([^)\s]+)\))");
  int seen = 0;
  for (const manual::Chapter& chapter : book.chapters())
    for (auto match = links.globalMatch(chapter.markdown); match.hasNext();) {
      const QString link = match.next().captured(1);
      if (link.startsWith("http")) continue;
      EXPECT_NE(book.ofLink(link, chapter.file), std::nullopt) << chapter.file.toStdString() << ": " << link.toStdString();
      ++seen;
    }
  EXPECT_GT(seen, 20);
}

TEST_F(ManualInWindow, ASearchLeadsThereAndBack) {
  pressF1();
  const Place before = shown()->place();
  shown()->search("staleness");
  auto* hits = shown()->findChild<QListWidget*>("manualHits");
  ASSERT_GT(hits->count(), 0);
  EXPECT_TRUE(hits->isVisible());
  QTest::keyClick(shown()->findChild<QLineEdit*>("manualSearch"), Qt::Key_Return);
  const Place there = shown()->place();
  EXPECT_NE(there, before);
  QTest::keyClick(shown(), Qt::Key_Left, Qt::AltModifier);
  EXPECT_EQ(shown()->place(), before);
  QTest::keyClick(shown(), Qt::Key_Right, Qt::AltModifier);
  EXPECT_EQ(shown()->place(), there);
  shown()->search("zzzz");
  ASSERT_EQ(hits->count(), 1);
  EXPECT_EQ(hits->item(0)->text(), "Nothing in the manual has all of these words.");
  QTest::keyClick(shown(), Qt::Key_Escape);
  EXPECT_FALSE(shown()->isVisible());
}

}  // namespace
}  // namespace paceline::tests

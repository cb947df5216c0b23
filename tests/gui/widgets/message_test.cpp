// Messages of the window: sentences whatever they are made of, and whole whatever words they have.
#include <gtest/gtest.h>

#include <QClipboard>
#include <QLayout>
#include <QTest>

#include "app/models/words.h"
#include "app/ui/widgets/banner.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

struct Message : ::testing::Test {
  QApplication& application = tests::application();  // first: widgets are members
  void tell(const QString& sentence) {
    banner.resize(500, 100);
    banner.tell(widgets::Token::kBad, "failed", sentence);
    banner.layout()->activate();
  }
  QPushButton* action() { return banner.findChild<QPushButton*>("act"); }
  widgets::BreakingLabel& words() { return *banner.findChild<widgets::BreakingLabel*>(); }

  widgets::Banner banner;
  const QString hash = QString("0123456789abcdef").repeated(20);  // wider than the strip
};

TEST_F(Message, BreaksAWordThatIsWiderThanItsStrip) {
  tell("Cannot read " + hash + ".");
  const int line = words().fontMetrics().height();
  EXPECT_GT(words().heightForWidth(words().width()), 3 * line);
  EXPECT_LT(words().minimumSizeHint().width(), banner.width());
  EXPECT_TRUE(banner.findChild<QPushButton*>("more")->isVisible());
}

TEST_F(Message, IsCopiedWithoutItsBreaks) {
  tell("Cannot read " + hash + ".");
  EXPECT_EQ(banner.text(), "Cannot read " + hash + ".");
  const auto copied = [] { return QApplication::clipboard()->text(); };
  words().setSelection(0, static_cast<int>(words().text().size()));
  QTest::keyClick(&words(), Qt::Key_C, Qt::ControlModifier);
  EXPECT_EQ(copied(), banner.text());
  words().setSelection(0, 6);
  words().copy();
  EXPECT_EQ(copied(), "Cannot");
  words().setSelection(0, 0);
  words().copy();
  EXPECT_EQ(copied(), banner.text());
}

TEST_F(Message, ADoubleClickSelectsALongWordWhole) {
  tell(hash + " cannot be read.");
  QTest::mouseDClick(&words(), Qt::LeftButton, {}, QPoint(words().fontMetrics().horizontalAdvance("01234"), words().fontMetrics().height() / 2));
  EXPECT_EQ(words().selectedText().remove(QChar(0x200b)), hash);
}

TEST_F(Message, BeginsWithACapital) {
  tell("a copy of \"x\": the document cannot be read: line 3 ends too early");
  EXPECT_EQ(banner.text(), "A copy of \"x\": the document cannot be read: line 3 ends too early");
}

TEST_F(Message, GoesWhenItWasFollowed) {
  int followed = 0;
  banner.tell(widgets::Token::kOk, "finished", "Two runs came out.", "Compare them", [&followed] { ++followed; });
  QTest::mouseClick(action(), Qt::LeftButton);
  EXPECT_EQ(followed, 1);
  EXPECT_TRUE(banner.isHidden());
  banner.tell(widgets::Token::kOk, "finished", "Two runs came out.", "Compare them", [&followed] { ++followed; });
  QTest::keyClick(action(), Qt::Key_Space);
  EXPECT_EQ(followed, 2);
  EXPECT_TRUE(banner.isHidden());
}

TEST_F(Message, StaysWhereFollowingItToldTheNext) {
  banner.tell(widgets::Token::kAccent, "info", "Hint 1.", "Next hint", [this] { banner.tell(widgets::Token::kAccent, "info", "Hint 2."); });
  QTest::mouseClick(action(), Qt::LeftButton);
  EXPECT_EQ(banner.text(), "Hint 2.");
}

TEST_F(Message, OfWhatStillHoldsStays) {
  widgets::Banner lasting(widgets::Banner::kWhileItHolds);
  lasting.tell(widgets::Token::kWarn, "lock", "Another recorder has the store.", "Try again", [] {});
  QTest::mouseClick(lasting.findChild<QPushButton*>("act"), Qt::LeftButton);
  EXPECT_EQ(lasting.text(), "Another recorder has the store.");
}

// A click that is on its way to one message does not meet another.
TEST(Messages, ThatComeLeaveThoseThatAreThereInTheirPlaces) {
  application();
  QWidget area;
  area.resize(900, 600);
  auto *hint = new widgets::Banner, *result = new widgets::Banner;
  new widgets::Overlay(&area, {hint, result});
  area.show();
  hint->tell(widgets::Token::kAccent, "info", "Hint 3 of 3.", "Got it", [] {});
  const auto place = [&area](const QWidget* of) { return QRect(of->mapTo(&area, QPoint()), of->size()); };
  ASSERT_TRUE(waitFor([&] { return place(hint).bottom() > 500; }, 10));
  const QRect before = place(hint);
  result->tell(widgets::Token::kOk, "finished", "ESync reached 80 %.", "Compare them", [] {});
  ASSERT_TRUE(waitFor([&] { return result->isVisible() && !place(result).intersects(place(hint)); }, 10));
  EXPECT_EQ(place(hint), before);
  EXPECT_LT(place(result).bottom(), before.top());
}

TEST(Sentences, KeepNamesPathsAndKeysAsTheyAre) {
  EXPECT_EQ(asSentence("the recorder does not answer"), "The recorder does not answer");
  EXPECT_EQ(asSentence("Paceline is here"), "Paceline is here");
  for (const char* each : {"w1 ended with exit code 1", "/x/y: cannot be read", "hosts.json: no such file", "paceline-worker did not answer", "batch_size must be above 0", "gpu: refused", "local", ""})
    EXPECT_EQ(asSentence(each), each);
}

}  // namespace
}  // namespace paceline::tests

// The lanes by mouse and by keys: where spans are, the wheel, a click on a wait, holding still, choosing from the keyboard, many lanes.
#include "app/ui/runs/lanes_view.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include "app/ui/runs/time_use.h"
#include "app/ui/widgets/theme.h"
#include "engine/core/base/error.h"
#include "tests/figures/made_lanes.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

using lanes::Phase;
using runs::LanesView;

std::shared_ptr<const lanes::Timeline> made() { return std::make_shared<const lanes::Timeline>(lanes::timelineOf(evaluatedRun())); }

struct Lanes {
  Lanes() {
    view.resize(900, 160);
    view.setTimeline(made());
    view.show();
    QCoreApplication::processEvents();
  }
  QPoint at(std::size_t lane, double seconds) const { return {static_cast<int>(view.xAt(seconds)), view.laneRect(lane).center().y()}; }
  QColor colourAt(std::size_t lane, double seconds) { return view.viewport()->grab().toImage().pixelColor(at(lane, seconds) * view.devicePixelRatioF()); }
  void wheel(const QPoint& place, int turns, Qt::KeyboardModifiers keys = {}) {
    QWheelEvent event(place, view.viewport()->mapToGlobal(place), {}, QPoint(0, 120 * turns), Qt::NoButton, keys, Qt::NoScrollPhase, false);
    QApplication::sendEvent(view.viewport(), &event);
  }
  void click(const QPoint& place) { QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, place); }
  void key(Qt::Key key, Qt::KeyboardModifiers keys = {}) { QTest::keyClick(&view, key, keys); }
  QApplication& there = application();  // before any widget
  LanesView view;
};

TEST(LanesView, ShowsEachPhaseInItsColourWhereItWas) {
  Lanes lanes;
  EXPECT_EQ(lanes.colourAt(0, 0.5), runs::phaseColour(Phase::kCompute));
  EXPECT_EQ(lanes.colourAt(0, 1.25), runs::phaseColour(Phase::kEvaluate));
  EXPECT_EQ(lanes.colourAt(1, 2.25), runs::phaseColour(Phase::kWait));
  EXPECT_EQ(lanes.colourAt(2, 0.25), widgets::Theme::instance().colour(widgets::Token::kSurfaceRaised));  // the server has done nothing yet
  EXPECT_NE(lanes.colourAt(2, 1.5), runs::phaseColour(Phase::kServe));  // a quarter of the time
  EXPECT_EQ(lanes.view.range(), (LanesView::Range{0, 2.5}));
}

TEST(LanesView, TheWheelZoomsAtThePointerAndShiftPans) {
  Lanes lanes;
  const QPoint place = lanes.at(0, 1.5);
  const double before = lanes.view.secondsAt(place.x());
  lanes.wheel(place, 3);
  EXPECT_NEAR(lanes.view.range().length(), 2.5 / (1.25 * 1.25 * 1.25), 1e-9);
  EXPECT_NEAR(lanes.view.secondsAt(place.x()), before, 1e-9);
  EXPECT_FALSE(lanes.view.showsAll());
  const LanesView::Range zoomed = lanes.view.range();
  lanes.wheel(place, -1, Qt::ShiftModifier);
  EXPECT_NEAR(lanes.view.range().begin, zoomed.begin + 0.1 * zoomed.length(), 1e-9);
  lanes.wheel(place, -20);
  EXPECT_TRUE(lanes.view.showsAll());  // never more than there is
  EXPECT_EQ(lanes.view.range(), (LanesView::Range{0, 2.5}));
}

TEST(LanesView, AClickOnAWaitSaysWhoItWasForAndWhy) {
  Lanes lanes;
  QSignalSpy told(&lanes.view, &LanesView::told);
  lanes.click(lanes.at(1, 2.25));
  EXPECT_EQ(lanes.view.sentence(), "w1 waited 0.50 s for w0: it was computing (round 2)");
  EXPECT_EQ(told.last().first().toString(), lanes.view.sentence());
  EXPECT_TRUE(lanes.view.accessibleDescription().contains("w1 waited 0.50 s for w0"));
  // The arrow comes down from w0 where the wait ends.
  const QColor ink = widgets::Theme::instance().colour(widgets::Token::kBad);
  const QImage image = lanes.view.viewport()->grab().toImage();
  const QPoint end = lanes.at(0, 2.5);
  int inked = 0;
  for (int y = lanes.view.laneRect(0).center().y(); y < lanes.view.laneRect(1).top(); ++y)
    for (int x = end.x() - 3; x <= std::min(end.x() + 3, image.width() - 1); ++x)
      if (image.pixelColor(x, y) == ink) { ++inked; break; }
  EXPECT_GE(inked, lanes.view.laneRect(0).height() / 2 - 3);
  lanes.click(lanes.at(1, 1.5));
  EXPECT_EQ(lanes.view.sentence(), "");
}

TEST(LanesView, TellsTheRoundBelowThePointer) {
  Lanes lanes;
  QSignalSpy told(&lanes.view, &LanesView::told), cursor(&lanes.view, &LanesView::cursorMoved);
  QTest::mouseMove(lanes.view.viewport(), lanes.at(1, 2.25));
  ASSERT_FALSE(told.empty());
  EXPECT_TRUE(told.last().first().toString().startsWith("w1, round 2: compute")) << told.last().first().toString().toStdString();
  ASSERT_FALSE(cursor.empty());
  EXPECT_NEAR(cursor.last().first().value<std::optional<double>>().value(), 2.25, 0.01);
}

TEST(LanesView, SpaceHoldsTheViewStillAndNothingIsMissed) {
  Lanes lanes;
  lanes.key(Qt::Key_Space);
  EXPECT_TRUE(lanes.view.held());
  summary::RunData longer = evaluatedRun();
  longer.rounds.push_back({.node = "w0", .seq = 3, .record = {.round = 3, .t = 5, .compute = 2.5, .total = 2.5}});
  lanes.view.setTimeline(std::make_shared<const lanes::Timeline>(lanes::timelineOf(longer)));
  EXPECT_EQ(lanes.view.range(), (LanesView::Range{0, 2.5}));
  lanes.key(Qt::Key_Space);
  EXPECT_EQ(lanes.view.range(), (LanesView::Range{0, 5}));
}

// Held still, it is looked at more closely: what is read for that is shown, and the run's new end is not.
TEST(LanesView, HeldStillItZoomsAndTakesMoreDetail) {
  Lanes lanes;
  QSignalSpy ranges(&lanes.view, &LanesView::rangeChanged);
  lanes.key(Qt::Key_Space);
  EXPECT_FALSE(lanes.view.showsAll());  // so that this part is read, and no more
  EXPECT_EQ(ranges.count(), 1);
  lanes.key(Qt::Key_Plus);
  EXPECT_NEAR(lanes.view.range().length(), 2, 1e-9);
  summary::RunData finer = evaluatedRun();
  finer.rounds[3].record.compute = 0.25, finer.rounds[3].record.wait = 1.25;
  lanes.view.setTimeline(std::make_shared<const lanes::Timeline>(lanes::timelineOf(finer)));
  EXPECT_EQ(lanes.colourAt(1, 1.75), runs::phaseColour(Phase::kWait));
  const LanesView::Range zoomed = lanes.view.range();
  lanes.key(Qt::Key_Space);
  EXPECT_EQ(lanes.view.range(), zoomed);  // whoever has zoomed stays there
}

TEST(LanesView, WhatIsUnderWayIsAStripBelowTheLane) {
  Lanes lanes;
  const QImage image = lanes.view.viewport()->grab().toImage();
  const auto at = [&](std::size_t lane, double seconds) { return image.pixelColor(static_cast<int>(lanes.view.xAt(seconds)), lanes.view.laneRect(lane).bottom() - 1); };
  EXPECT_EQ(at(1, 2.25), runs::exchangeColour());
  EXPECT_EQ(at(1, 1.5), widgets::Theme::instance().colour(widgets::Token::kSurfaceRaised));
  QSignalSpy told(&lanes.view, &LanesView::told);
  for (const double seconds : {0.5, 2.25}) QTest::mouseMove(lanes.view.viewport(), lanes.at(1, seconds));  // from somewhere else
  ASSERT_FALSE(told.empty());
  EXPECT_TRUE(told.last().first().toString().endsWith("exchange of round 2 under way for 0.50 s, 150 B")) << told.last().first().toString().toStdString();
}

TEST(LanesView, AWaitOfMergedRoundsSaysWhichTheyAre) {
  Lanes lanes;
  summary::RunData data = evaluatedRun();
  data.rounds[3].record.round = 32, data.rounds[3].merged = 31;
  lanes.view.setTimeline(std::make_shared<const lanes::Timeline>(lanes::timelineOf(data)));
  lanes.click(lanes.at(1, 2.25));
  EXPECT_EQ(lanes.view.sentence(), "w1 waited 0.50 s at most, for w0 (rounds 2 to 32; zoom in to see why)");
}

// Lanes fold and unfold as a view is zoomed; the keyboard's lane stays that node's.
TEST(LanesView, TheKeyboardsLaneStaysTheSameNodes) {
  Lanes lanes;
  lanes.key(Qt::Key_Down);
  EXPECT_TRUE(lanes.view.accessibleDescription().contains("w1, round 2")) << lanes.view.accessibleDescription().toStdString();
  lanes::Timeline more = *made();
  more.lanes.insert(more.lanes.begin(), more.lanes[2]);
  lanes.view.setTimeline(std::make_shared<const lanes::Timeline>(more));
  lanes.key(Qt::Key_Right, Qt::ControlModifier);
  EXPECT_EQ(lanes.view.sentence(), "w1 waited 0.50 s for w0: it was computing (round 2)");
}

TEST(LanesView, KeysDoWhatTheMouseDoes) {
  Lanes lanes;
  lanes.key(Qt::Key_Plus);
  EXPECT_NEAR(lanes.view.range().length(), 2, 1e-9);
  lanes.key(Qt::Key_Home);
  EXPECT_EQ(lanes.view.range().begin, 0);
  lanes.key(Qt::Key_Right);
  EXPECT_NEAR(lanes.view.range().begin, 0.2, 1e-9);
  lanes.key(Qt::Key_End);
  EXPECT_NEAR(lanes.view.range().end, 2.5, 1e-9);
  lanes.key(Qt::Key_Left);
  EXPECT_NEAR(lanes.view.range().end, 2.3, 1e-9);
  lanes.key(Qt::Key_0);
  EXPECT_TRUE(lanes.view.showsAll());
  lanes.key(Qt::Key_Down);
  lanes.key(Qt::Key_Right, Qt::ControlModifier);
  EXPECT_EQ(lanes.view.sentence(), "w1 waited 0.50 s for w0: it was computing (round 2)");
}

TEST(LanesView, AShortViewScrollsThroughManyLanes) {
  Lanes lanes;
  lanes::Timeline many = *made();
  for (int i = 0; i < 60; ++i) many.lanes.push_back(many.lanes[0]), many.lanes.back().node = strCat("x", i);
  lanes.view.setTimeline(std::make_shared<const lanes::Timeline>(many));
  EXPECT_GT(lanes.view.laneRect(62).top(), lanes.view.viewport()->height());
  for (int i = 0; i < 62; ++i) lanes.key(Qt::Key_Down);
  EXPECT_LT(lanes.view.laneRect(62).bottom(), lanes.view.viewport()->height());
}

TEST(LanesView, IsEmptyWithoutRecords) {
  Lanes lanes;
  lanes.view.setTimeline(std::make_shared<const lanes::Timeline>());
  lanes.key(Qt::Key_Plus), lanes.key(Qt::Key_Down), lanes.key(Qt::Key_Right, Qt::ControlModifier);
  lanes.click({300, 10});
  lanes.view.viewport()->grab();
  EXPECT_EQ(lanes.view.sentence(), "");
}

}  // namespace
}  // namespace paceline::tests

// Waiting for what a window shows, as `paceline-workbench --screenshot` does before every picture.
#include "app/ui/screenshots.h"

#include <QAbstractEventDispatcher>
#include <QTimer>
#include <gtest/gtest.h>

#include <latch>

#include "app/models/task_queue.h"
#include "app/ui/main_window.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

constexpr int kLongMs = 20'000;

struct Waiting : ::testing::Test {
  QApplication& app = application();
  TempFolder folder;
  MainWindow window{QString::fromStdString(folder.path("store.db"))};
};

TEST_F(Waiting, EndsWithTheLastAnswer) {
  window.show();
  EXPECT_TRUE(settle(window, kLongMs));
  std::latch mayEnd(1);
  bool answered = false;
  TaskQueue queue;
  inBackground(queue, &window, [&mayEnd](const std::stop_token&) { return mayEnd.wait(), 7; }, [&answered](int, const QString&) { answered = true; });
  EXPECT_FALSE(settle(window, 1));  // it is still under way
  mayEnd.count_down();
  EXPECT_TRUE(settle(window, kLongMs));
  EXPECT_TRUE(answered);
}

TEST_F(Waiting, SleepsBetweenEvents) {
  int slept = 0, woken = 0;
  const auto* events = QAbstractEventDispatcher::instance();
  QObject::connect(events, &QAbstractEventDispatcher::aboutToBlock, &window, [&slept] { ++slept; });
  QTimer::singleShot(0, &window, [&woken] { ++woken; });
  EXPECT_TRUE(await([&] { return woken > 0 && slept > 2; }, kLongMs));
}

}  // namespace
}  // namespace paceline::tests

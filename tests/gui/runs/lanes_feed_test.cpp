// The lanes of a run that goes on are read when there is news, at once for who looks elsewhere, and never all the time.
#include "app/models/runs/lanes_feed.h"

#include <gtest/gtest.h>

#include <QElapsedTimer>
#include <QSignalSpy>

#include "storage/store/store.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

void addRounds(store::StoreWriter& writer, const std::string& run, std::int64_t first, std::int64_t last) {
  std::vector<StampedEvent> events;
  for (std::int64_t n = first; n <= last; ++n)
    events.push_back({.run = run, .node = "w0", .seq = n, .event = RoundRecord{.round = n, .t = static_cast<double>(n), .compute = 1, .total = 1}});
  writer.append(events);
}

struct Feed {
  Feed() {
    store::RunRow run = madeRow(1);
    run.id = id;
    store::NodeRow worker;
    worker.run = id, worker.id = "w0", worker.role = "worker", worker.host = "local", worker.rank = 0;
    writer.createRun(run, std::vector{worker});
    addRounds(writer, id, 1, 1);
  }
  bool reached(double end) {
    return waitFor([&] { return feed.timeline()->end == end; });
  }
  QApplication& there = application();
  TempFolder folder;
  std::string path = folder.path("a.db"), id = "01jxw5t3a0zzzzzzzzzz";
  store::StoreWriter writer{path};
  runs::LanesFeed feed{path};
};

TEST(LanesFeed, NewsAreReadInTheEndHoweverOftenTheyCome) {
  Feed run;
  run.feed.follow(run.id);
  ASSERT_TRUE(run.reached(1));
  QSignalSpy updates(&run.feed, &runs::LanesFeed::updated);
  QElapsedTimer passed;
  passed.start();
  for (std::int64_t n = 2; n <= 40; ++n) {
    addRounds(run.writer, run.id, n, n);
    run.feed.look(run.id);
    QCoreApplication::processEvents();
  }
  ASSERT_TRUE(run.reached(40));
  EXPECT_LE(updates.count(), 2 + passed.elapsed() / 100);  // a rest between two
}

TEST(LanesFeed, AnotherPartIsReadAtOnce) {
  Feed run;
  addRounds(run.writer, run.id, 2, 4000);
  run.feed.want({.rounds = 100});
  run.feed.follow(run.id);
  ASSERT_TRUE(run.reached(4000));
  EXPECT_GT(run.feed.timeline()->lanes.at(0).spans.front().rounds, 1);
  run.feed.want({.begin = 2000, .end = 2010, .rounds = 100});
  EXPECT_TRUE(waitFor([&] {
    const lanes::Span* span = lanes::spanAt(run.feed.timeline()->lanes.at(0), 2005.5);
    return span != nullptr && span->rounds == 1 && span->round == 2006;
  }));
}

}  // namespace
}  // namespace paceline::tests

// The merged log, and the words of times and ends.
#include "app/models/runs/run_log.h"

#include <gtest/gtest.h>

#include <QDateTime>

#include "app/models/words.h"

namespace paceline::tests {
namespace {

using runs::LogLine;
using runs::LogModel;

LogLine line(double time, const char* node, std::int64_t seq) {
  LogLine made;
  made.unixTime = time, made.node = node, made.seq = seq, made.text = std::string(node) + std::to_string(seq);
  return made;
}

std::string textsOf(const LogModel& log) {
  std::string all;
  for (int row = 0; row < log.rowCount(); ++row) all += log.index(row, LogModel::kText).data().toString().toStdString() + " ";
  return all;
}

TEST(LogModel, LinesStandInTheOrderOfTime) {
  LogModel log;
  log.add({line(10, "w0", 1), line(12, "w0", 2)});
  log.add({line(11, "w1", 1), line(13, "w1", 2), line(9, "s0", 1)});  // a slow host tells later
  EXPECT_EQ(textsOf(log), "s01 w01 w11 w02 w12 ");
}

TEST(LogModel, LinesOfOneMomentStandByNodeThenAsToldThere) {
  LogModel log;
  log.add({line(10, "w1", 3), line(10, "w0", 8)});
  log.add({line(10, "w0", 7), line(10, "w1", 2)});
  EXPECT_EQ(textsOf(log), "w07 w08 w12 w13 ");
}

TEST(LogModel, RowsAreInsertedWhereTheyStand) {
  LogModel log;
  log.add({line(10, "w0", 1), line(20, "w0", 2)});
  std::vector<std::pair<int, int>> inserted;
  QObject::connect(&log, &QAbstractItemModel::rowsInserted, [&](const QModelIndex&, int first, int last) { inserted.emplace_back(first, last); });
  log.add({line(15, "w1", 1), line(30, "w1", 2), line(31, "w1", 3)});
  EXPECT_EQ(inserted, (std::vector<std::pair<int, int>>{{1, 1}, {3, 4}}));
}

TEST(Words, TimesOfTodayHaveSeconds) {
  const QDateTime when(QDate(2025, 3, 12), QTime(14, 5, 32));
  const auto told = [unix = static_cast<double>(when.toSecsSinceEpoch())](const QDate& today) { return whenText(unix, today); };
  EXPECT_EQ(told(QDate(2025, 3, 12)), "14:05:32");
  EXPECT_EQ(told(QDate(2025, 3, 13)), "yesterday 14:05:32");
  EXPECT_EQ(told(QDate(2026, 3, 13)), QLocale::c().toString(when, "d MMM yyyy"));
}

TEST(Words, AnEndIsToldInWords) {
  EXPECT_EQ(reasonWord("asked"), "Stopped on request");
  EXPECT_EQ(reasonWord("rounds"), "Reached its rounds");
  EXPECT_EQ(reasonWord("of an older agent"), "Of an older agent");
}

}  // namespace
}  // namespace paceline::tests

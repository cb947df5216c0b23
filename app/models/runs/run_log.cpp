#include "app/models/runs/run_log.h"

#include <algorithm>
#include <tuple>

#include <QDateTime>

#include "app/models/words.h"

namespace paceline::runs {
namespace {

constexpr ColumnTable::Heading kLogHeadings[LogModel::kColumns] = {{QT_TR_NOOP("Time")}, {QT_TR_NOOP("Node")}, {QT_TR_NOOP("Text")}};

bool earlier(const LogLine& a, const LogLine& b) { return std::tie(a.unixTime, a.node, a.seq) < std::tie(b.unixTime, b.node, b.seq); }

}  // namespace

LogModel::LogModel(QObject* parent) : ColumnTable(kLogHeadings, parent) {}

LogModel::LogModel(LiveRun& run, QObject* parent) : LogModel(parent) {
  connect(&run, &LiveRun::reset, this, &LogModel::clear);
  connect(&run, &LiveRun::logged, this, &LogModel::add);
}

void LogModel::clear() {
  beginResetModel();
  lines_.clear();
  endResetModel();
}

// Those that go to the end at once: an ended run has all of its lines in one batch.
void LogModel::add(const std::vector<LogLine>& lines) {
  std::vector<LogLine> sorted = lines;
  std::ranges::stable_sort(sorted, earlier);
  auto last = sorted.begin();
  for (; last != sorted.end() && !lines_.empty() && earlier(*last, lines_.back()); ++last) {
    const auto place = std::upper_bound(lines_.begin(), lines_.end(), *last, earlier);
    const int row = static_cast<int>(place - lines_.begin());
    beginInsertRows({}, row, row);
    lines_.insert(place, *last);
    endInsertRows();
  }
  if (last == sorted.end()) return;
  beginInsertRows({}, rows(), rows() + static_cast<int>(sorted.end() - last) - 1);
  lines_.insert(lines_.end(), last, sorted.end());
  endInsertRows();
}

QVariant LogModel::cell(int row, int column, int role) const {
  const LogLine& line = lines_[static_cast<std::size_t>(row)];
  const QString time = line.unixTime > 0 ? QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(line.unixTime * 1000)).toString("HH:mm:ss.zzz") : QString();
  const QString text = qtext(line.text), node = qtext(line.node);
  if (role == Qt::DisplayRole) return column == kTime ? time : column == kNode ? node : text;
  if (role == kLevelRole) return qtext(line.level);
  if (role == kLineRole) return QStringList{time, node, text}.join(' ');
  return role == Qt::ToolTipRole && column == kText ? QVariant(text) : QVariant();
}

}  // namespace paceline::runs

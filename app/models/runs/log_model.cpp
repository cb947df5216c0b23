#include "app/models/runs/log_model.h"

#include <QDateTime>

#include "app/models/words.h"

namespace paceline::runs {
namespace {

constexpr ColumnTable::Heading kHeadings[LogModel::kColumns] = {{"Time"}, {"Node"}, {"Text"}};

}  // namespace

LogModel::LogModel(LiveRun& run, QObject* parent) : ColumnTable(kHeadings, parent), run_(run) {
  connect(&run_, &LiveRun::reset, this, [this] {
    beginResetModel();
    rows_ = 0;
    endResetModel();
  });
  connect(&run_, &LiveRun::logged, this, [this] {
    const int now = static_cast<int>(run_.log().size());
    if (now <= rows_) return;
    beginInsertRows({}, rows_, now - 1);
    rows_ = now;
    endInsertRows();
  });
}

QVariant LogModel::cell(int row, int column, int role) const {
  const LogLine& line = run_.log()[static_cast<std::size_t>(row)];
  const QString time = line.unixTime > 0 ? QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(line.unixTime * 1000)).toString("HH:mm:ss.zzz") : QString();
  const QString text = qtext(line.text), node = qtext(line.node);
  if (role == Qt::DisplayRole) return column == kTime ? time : column == kNode ? node : text;
  if (role == kLevelRole) return qtext(line.level);
  if (role == kLineRole) return QStringList{time, node, text}.join(' ');
  return role == Qt::ToolTipRole && column == kText ? QVariant(text) : QVariant();
}

void LogFilter::setProblemsOnly(bool only) {
  problemsOnly_ = only;
  invalidateFilter();
}

bool LogFilter::accepts(const QModelIndex& index) const { return !problemsOnly_ || index.data(LogModel::kLevelRole).toString() != "info"; }

}  // namespace paceline::runs

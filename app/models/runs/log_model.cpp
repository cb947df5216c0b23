#include "app/models/runs/log_model.h"

#include <algorithm>

#include <QDateTime>

namespace paceline::runs {

LogModel::LogModel(LiveRun& run, QObject* parent) : QAbstractTableModel(parent), run_(run) {
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

int LogModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : rows_; }
int LogModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant LogModel::data(const QModelIndex& index, int role) const {
  if (index.row() >= rows_ || index.row() >= static_cast<int>(run_.log().size())) return {};
  const LogLine& line = run_.log()[static_cast<std::size_t>(index.row())];
  const QString time = QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(line.unixTime * 1000)).toString("HH:mm:ss.zzz");
  const QString text = QString::fromStdString(line.text), node = QString::fromStdString(line.node);
  if (role == Qt::DisplayRole) return index.column() == kTime ? (line.unixTime > 0 ? time : QString()) : index.column() == kNode ? node : text;
  if (role == kLevelRole) return QString::fromStdString(line.level);
  if (role == kLineRole) return QString("%1 %2 %3").arg(time, node, text);
  if (role == Qt::ToolTipRole && index.column() == kText) return text;
  return {};
}

void LogFilter::setWords(const QString& words) {
  words_ = words.simplified().split(' ', Qt::SkipEmptyParts);
  invalidateFilter();
}

void LogFilter::setProblemsOnly(bool only) {
  problemsOnly_ = only;
  invalidateFilter();
}

bool LogFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
  const QModelIndex index = sourceModel()->index(row, 0, parent);
  if (problemsOnly_ && index.data(LogModel::kLevelRole).toString() == "info") return false;
  const QString line = index.data(LogModel::kLineRole).toString();
  return std::all_of(words_.begin(), words_.end(), [&line](const QString& w) { return line.contains(w, Qt::CaseInsensitive); });
}

}  // namespace paceline::runs

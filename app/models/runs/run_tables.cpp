#include "app/models/runs/run_tables.h"

#include <QDateTime>

#include "app/models/words.h"

namespace paceline::runs {
namespace {

constexpr ColumnTable::Heading kLogHeadings[LogModel::kColumns] = {{"Time"}, {"Node"}, {"Text"}};

QString ofWorkers(const WorkerLine& line, const QString& text) { return line.role == "worker" ? text : QString(); }

constexpr ItemColumn<WorkerLine> kNodeTable[WorkersModel::kColumns] = {
    {{"Node"}, [](const WorkerLine& line) { return qtext(line.id); }},
    {{"Where"},
     [](const WorkerLine& line) { return qtext(line.host == "local" || line.host.empty() ? "this computer" : line.host) + (line.device.empty() ? "" : ", " + qtext(line.device)); }},
    {{"State"}, [](const WorkerLine& line) { return qtext(line.state); }},
    {{"Rounds", "", true}, [](const WorkerLine& line) { return ofWorkers(line, QString::number(line.rounds)); }},
    {{"Local steps", "", true}, [](const WorkerLine& line) { return ofWorkers(line, QString::number(line.localSteps)); }},
    {{"Samples/s", "", true}, [](const WorkerLine& line) { return ofWorkers(line, rateText(line.samplesPerSecond)); }},
    {{"Time use", "computing, exchanging, waiting"}, [](const WorkerLine& line) { return ofWorkers(line, line.rounds > 0 ? percentText(line.compute) : QString()); }},
    {{"Staleness", "", true}, [](const WorkerLine& line) { return ofWorkers(line, QString::number(line.staleness, 'g', 3)); }},
    {{"Sent", "", true}, [](const WorkerLine& line) { return ofWorkers(line, bytesText(static_cast<double>(line.bytesSent))); }},
    {{"Received", "", true}, [](const WorkerLine& line) { return ofWorkers(line, bytesText(static_cast<double>(line.bytesReceived))); }}};

}  // namespace

LogModel::LogModel(LiveRun& run, QObject* parent) : ColumnTable(kLogHeadings, parent), run_(run) {
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

WorkersModel::WorkersModel(QObject* parent) : ColumnTable(kNodeTable, parent) {}

void WorkersModel::take(const std::vector<WorkerLine>& lines) {
  if (lines.size() != lines_.size()) {
    beginResetModel();
    lines_ = lines;
    endResetModel();
    return;
  }
  lines_ = lines;
  allChanged();
}

QVariant WorkersModel::cell(int row, int column, int role) const {
  const WorkerLine& line = lines_[static_cast<std::size_t>(row)];
  if (role == Qt::DisplayRole) return kNodeTable[column].shown(line);
  if (role == kUseRole && line.rounds > 0) return QVariant::fromValue(QList<double>{line.compute, line.exchange, line.wait});
  if (role == Qt::ToolTipRole && column == kUse && line.rounds > 0)
    return QString("computing %1, exchanging and evaluating %2, waiting %3")
        .arg(percentText(line.compute), percentText(line.exchange), percentText(line.wait));
  return {};
}

}  // namespace paceline::runs

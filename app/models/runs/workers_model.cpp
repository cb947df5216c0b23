#include "app/models/runs/workers_model.h"

#include "app/models/words.h"

namespace paceline::runs {
namespace {

constexpr ColumnTable::Heading kHeadings[WorkersModel::kColumns] = {
    {"Node"}, {"Where"}, {"State"}, {"Rounds", "", true}, {"Local steps", "", true}, {"Samples/s", "", true},
    {"Time use", "computing, exchanging, waiting"}, {"Staleness", "", true}, {"Sent", "", true}, {"Received", "", true}};

}  // namespace

WorkersModel::WorkersModel(QObject* parent) : ColumnTable(kHeadings, parent) {}

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

QVariant WorkersModel::shown(const WorkerLine& line, int column) {
  const bool trains = line.role == "worker";
  switch (column) {
    case kNode: return qtext(line.id);
    case kPlace: return qtext(line.host == "local" || line.host.empty() ? "this computer" : line.host) + (line.device.empty() ? "" : ", " + qtext(line.device));
    case kState: return qtext(line.state);
    case kRounds: return trains ? QString::number(line.rounds) : QString();
    case kLocalSteps: return trains ? QString::number(line.localSteps) : QString();
    case kRate: return trains ? rateText(line.samplesPerSecond) : QString();
    case kUse: return trains && line.rounds > 0 ? percentText(line.compute) : QString();
    case kStaleness: return trains ? QString::number(line.staleness, 'g', 3) : QString();
    case kSent: return trains ? bytesText(static_cast<double>(line.bytesSent)) : QString();
    case kReceived: return trains ? bytesText(static_cast<double>(line.bytesReceived)) : QString();
    default: return {};
  }
}

QVariant WorkersModel::cell(int row, int column, int role) const {
  const WorkerLine& line = lines_[static_cast<std::size_t>(row)];
  if (role == Qt::DisplayRole) return shown(line, column);
  if (role == kUseRole && line.rounds > 0) return QVariant::fromValue(QList<double>{line.compute, line.exchange, line.wait});
  if (role == Qt::ToolTipRole && column == kUse && line.rounds > 0)
    return QString("computing %1, exchanging and evaluating %2, waiting %3")
        .arg(percentText(line.compute), percentText(line.exchange), percentText(line.wait));
  return {};
}

}  // namespace paceline::runs

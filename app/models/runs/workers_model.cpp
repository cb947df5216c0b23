#include "app/models/runs/workers_model.h"

#include "app/models/words.h"

namespace paceline::runs {
namespace {

bool isNumber(int column) { return column != WorkersModel::kUse && column >= WorkersModel::kRounds; }

QString text(const std::string& s) { return QString::fromStdString(s); }

}  // namespace

void WorkersModel::take(const std::vector<WorkerLine>& lines) {
  if (lines.size() != lines_.size()) {
    beginResetModel();
    lines_ = lines;
    endResetModel();
    return;
  }
  lines_ = lines;
  if (!lines_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

int WorkersModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(lines_.size()); }
int WorkersModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant WorkersModel::shown(const WorkerLine& line, int column) {
  const bool trains = line.role == "worker";
  switch (column) {
    case kNode: return text(line.id);
    case kPlace: return text(line.host == "local" || line.host.empty() ? "this computer" : line.host) + (line.device.empty() ? "" : ", " + text(line.device));
    case kState: return text(line.state);
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

QVariant WorkersModel::data(const QModelIndex& index, int role) const {
  if (index.row() >= rowCount()) return {};
  const WorkerLine& line = lines_[static_cast<std::size_t>(index.row())];
  if (role == Qt::DisplayRole) return shown(line, index.column());
  if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignVCenter | (isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft));
  if (role == kUseRole && line.rounds > 0) return QVariant::fromValue(QList<double>{line.compute, line.exchange, line.wait});
  if (role == kStateRole) return text(line.state);
  if (role == Qt::ToolTipRole && index.column() == kUse && line.rounds > 0)
    return QString("computing %1, exchanging and evaluating %2, waiting %3")
        .arg(percentText(line.compute), percentText(line.exchange), percentText(line.wait));
  return {};
}

QVariant WorkersModel::headerData(int section, Qt::Orientation orientation, int role) const {
  static const char* const kTitles[kColumns] = {"Node",     "Where",     "State", "Rounds", "Local steps", "Samples/s",
                                                "Time use", "Staleness", "Sent",  "Received"};
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
  if (role == Qt::DisplayRole) return QString(kTitles[section]);
  if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignVCenter | (isNumber(section) ? Qt::AlignRight : Qt::AlignLeft));
  if (role == Qt::ToolTipRole && section == kUse) return QString("computing, exchanging, waiting");
  return {};
}

}  // namespace paceline::runs

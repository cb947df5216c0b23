#include "app/models/experiment/resume_nodes.h"

#include <algorithm>

#include "app/models/experiment/draft_words.h"
#include "app/models/experiment/placement_model.h"
#include "app/models/words.h"
#include "engine/core/base/error.h"

namespace paceline::experiment {
namespace {

struct PlaceColumn : ColumnTable::Heading {
  const char* member;  // below the pointer of a node
};
constexpr PlaceColumn kTable[ResumeNodes::kColumns] = {{{QT_TR_NOOP("Node")}, "id"},
                                                       {{QT_TR_NOOP("Role")}, "role"},
                                                       {{QT_TR_NOOP("Host"), QT_TR_NOOP("Where it goes on: a host of the Clusters page")}, "host"},
                                                       {{QT_TR_NOOP("Device"), QT_TR_NOOP("Of that host")}, "device"},
                                                       {{QT_TR_NOOP("Threads"), "", true}, "threads"}};

std::string pointerOf(int row, int column) { return strCat("/nodes/", row, "/", kTable[column].member); }

}  // namespace

ResumeNodes::ResumeNodes(RunSpec spec, const clusters::HostsModel& hosts, std::shared_ptr<const Catalog> catalog, QObject* parent)
    : ColumnTable(kTable, parent), spec_(std::move(spec)), hosts_(hosts), catalog_(std::move(catalog)) {
  connect(&hosts_, &clusters::HostsModel::reloaded, this, &ResumeNodes::judge);
  connect(&hosts_, &clusters::HostsModel::changed, this, &ResumeNodes::judge);
  judge();
}

void ResumeNodes::judge() {
  findings_.clear();
  if (catalog_)
    for (Finding& each : judged(spec_, *catalog_, hosts_).findings)
      if (each.pointer.starts_with("/nodes/")) findings_.push_back(std::move(each));
  for (const auto& [row, typed] : refused_)
    findings_.push_back({.pointer = pointerOf(row, kThreads), .message = strCat("threads must be a whole number above 0; it is \"", typed.toStdString(), "\""), .error = true});
  allChanged();
}

const Finding* ResumeNodes::findingAt(int row, int column) const {
  const auto found = std::ranges::find(findings_, pointerOf(row, column), &Finding::pointer);
  return found == findings_.end() ? nullptr : &*found;
}

QString ResumeNodes::first(bool error) const {
  const auto found = std::ranges::find(findings_, error, &Finding::error);
  if (found == findings_.end()) return {};
  const QString place = placeName(found->pointer, spec_, catalog_.get());
  return place.isEmpty() ? qtext(found->message) : QString("%1: %2").arg(place, qtext(found->message));
}

QString ResumeNodes::error() const { return first(true); }
QString ResumeNodes::warning() const { return first(false); }

Qt::ItemFlags ResumeNodes::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  const Qt::ItemFlags shown = Qt::ItemIsSelectable | Qt::ItemIsEnabled;
  return index.column() >= kHost ? shown | Qt::ItemIsEditable : shown;
}

QString ResumeNodes::shown(int row, int column) const {
  const NodeSpec& node = spec_.nodes[static_cast<std::size_t>(row)];
  if (column == kThreads && refused_.contains(row)) return refused_.at(row);
  switch (column) {
    case kNode: return qtext(node.id);
    case kRole: return said(roleName(node.role));
    case kHost: return qtext(node.host);
    case kDevice: return qtext(node.device);
    default: return QString::number(node.threads);
  }
}

// What it had stays among them, known or not.
QStringList ResumeNodes::choices(int row, int column) const {
  const NodeSpec& node = spec_.nodes[static_cast<std::size_t>(row)];
  QStringList all = column == kHost ? hosts_.names() : column == kDevice ? hosts_.devicesOf(node.host, catalog_.get()) : QStringList();
  const QString now = shown(row, column);
  if (!all.isEmpty() && !all.contains(now)) all.prepend(now);
  return all;
}

QVariant ResumeNodes::cell(int row, int column, int role) const {
  const Finding* finding = findingAt(row, column);
  switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole: return shown(row, column);
    case kFindingRole:
    case Qt::ToolTipRole: return finding ? qtext(finding->message) : QString();
    case Qt::AccessibleTextRole: return finding ? QString("%1, %2").arg(shown(row, column), qtext(finding->message)) : QVariant();
    case kWarningRole: return finding && !finding->error;
    case kChoicesRole: return choices(row, column);
    default: return {};
  }
}

// A device that the new host does not have becomes its first one.
bool ResumeNodes::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !index.isValid() || index.column() < kHost || index.row() >= rows()) return false;
  NodeSpec& node = spec_.nodes[static_cast<std::size_t>(index.row())];
  const QString text = value.toString().trimmed();
  if (index.column() == kThreads) {
    bool whole = false;
    const int threads = text.toInt(&whole);
    refused_.erase(index.row());
    if (whole && threads > 0) node.threads = threads;
    else refused_[index.row()] = text;
  } else if (index.column() == kDevice) {
    node.device = text.toStdString();
  } else if (text.toStdString() != node.host) {
    node.host = text.toStdString();
    const QStringList there = hosts_.devicesOf(node.host, catalog_.get());
    if (!there.contains(qtext(node.device))) node.device = there.front().toStdString();
  }
  judge();
  return true;
}

}  // namespace paceline::experiment

#include "app/models/experiment/groups_model.h"

#include <algorithm>

#include "app/models/experiment/topology_graph.h"
#include "app/models/words.h"
#include "engine/core/base/error.h"
#include "engine/core/spec/speed_groups.h"

namespace paceline::experiment {
namespace {

constexpr ColumnTable::Heading kHeadings[GroupsModel::kColumns] = {
    {"Worker", "Its name in the document"},
    {"Host", "Where it runs"},
    {"Speed", "Of its threads on its host as last measured, against the fastest worker; emulated slowdown counts", true},
    {"Group", "Workers with the same number work in lock-step; groups do not wait for each other", true},
};

}  // namespace

GroupsModel::GroupsModel(ExperimentDraft& draft, Speeds speeds, QObject* parent)
    : ColumnTable(kHeadings, parent), draft_(draft), speeds_(std::move(speeds)), workers_(workersOf(draft.spec())) {
  connect(&draft_, &ExperimentDraft::specChanged, this, &GroupsModel::follow);
  connect(&draft_, &ExperimentDraft::findingsChanged, this, [this] { allChanged({kFindingRole, Qt::ToolTipRole}); });
}

void GroupsModel::follow() {
  std::vector<std::string> workers = workersOf(draft_.spec());
  if (workers.size() != workers_.size()) {
    beginResetModel();
    workers_ = std::move(workers);
    endResetModel();
    return;
  }
  workers_ = std::move(workers);
  allChanged();
}

int GroupsModel::groupOf(const std::string& worker) const {
  const auto& all = draft_.spec().groups;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (std::find(all[i].begin(), all[i].end(), worker) != all[i].end()) return static_cast<int>(i) + 1;
  return 0;
}

std::vector<int> GroupsModel::groups() const {
  std::vector<int> all;
  for (const std::string& worker : workers_) all.push_back(groupOf(worker));
  return all;
}

void GroupsModel::put(const std::vector<int>& groups) {
  std::map<int, std::vector<std::string>> members;  // empty groups are none
  for (std::size_t i = 0; i < workers_.size(); ++i)
    if (groups[i] > 0) members[groups[i]].push_back(workers_[i]);
  draft_.edit([&members](RunSpec& spec) {
    spec.groups.clear();
    for (auto& [number, ids] : members) spec.groups.push_back(std::move(ids));
  });
}

void GroupsModel::eachAlone() {
  std::vector<int> groups;
  for (std::size_t i = 0; i < workers_.size(); ++i) groups.push_back(static_cast<int>(i) + 1);
  put(groups);
}

void GroupsModel::allTogether() { put(std::vector<int>(workers_.size(), 1)); }
void GroupsModel::none() { put(std::vector<int>(workers_.size(), 0)); }

QString GroupsModel::bySpeed(int groups) {
  const std::map<std::string, double> speeds = speeds_(draft_.spec());
  if (workers_.empty()) return "There are no workers to group.";
  std::vector<double> stepSeconds;
  for (const std::string& worker : workers_) {
    const auto speed = speeds.find(worker);
    if (speed == speeds.end() || !(speed->second > 0))
      return qtext(strCat("The speed of the host of worker \"", worker, "\" was never measured: check it on the Clusters page."));
    stepSeconds.push_back(1 / speed->second);
  }
  if (groups > static_cast<int>(workers_.size()))
    return QString("%1 groups need as many workers; there are %2.").arg(groups).arg(workers_.size());
  std::vector<int> numbers = groupsBySpeed(stepSeconds, groups);
  for (int& number : numbers) ++number;  // ours count from 1
  put(numbers);
  return {};
}

QVariant GroupsModel::shown(const std::string& worker, int column) const {
  if (column == kWorker) return qtext(worker);
  if (column == kGroup) return groupOf(worker) == 0 ? QString("–") : QString::number(groupOf(worker));
  if (column == kSpeed) {
    const auto speeds = speeds_(draft_.spec());
    const auto speed = speeds.find(worker);
    return speed == speeds.end() ? QString("not measured") : QString::number(speed->second, 'f', 2);
  }
  const int node = draft_.spec().nodeIndex(worker);
  return node < 0 ? QVariant() : qtext(draft_.spec().nodes[static_cast<std::size_t>(node)].host);
}

QVariant GroupsModel::cell(int row, int column, int role) const {
  const std::string& worker = workers_[static_cast<std::size_t>(row)];
  switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole: return shown(worker, column);
    case kFindingRole:
    case Qt::ToolTipRole:
      if (column == kGroup && groupOf(worker) == 0 && !draft_.spec().groups.empty()) return QString("worker \"%1\" is in no group").arg(qtext(worker));
      return role == Qt::ToolTipRole ? QVariant(heading(column).help) : QVariant();
    case kChoicesRole: {
      if (column != kGroup) return {};
      QStringList numbers{"–"};
      const int most = std::min(static_cast<int>(draft_.spec().groups.size()) + 1, rowCount());
      for (int n = 1; n <= most; ++n) numbers << QString::number(n);
      return numbers;
    }
    default: return {};
  }
}

bool GroupsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || index.column() != kGroup || index.row() >= rowCount()) return false;
  bool ok = false;
  const int typed = value.toString().trimmed().toInt(&ok);
  if (!ok && value.toString().trimmed() != "–") return false;
  std::vector<int> all = groups();
  all[static_cast<std::size_t>(index.row())] = ok ? std::max(0, typed) : 0;
  put(all);
  return true;
}

Qt::ItemFlags GroupsModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  const Qt::ItemFlags shown = Qt::ItemIsSelectable | Qt::ItemIsEnabled;
  return index.column() == kGroup ? shown | Qt::ItemIsEditable : shown;
}

}  // namespace paceline::experiment

#include "app/models/experiment/draft_table.h"

#include "app/models/experiment/topology_graph.h"
#include "app/models/words.h"
#include "engine/core/base/error.h"

namespace paceline::experiment {

QStringList workerNames(const RunSpec& spec) { return qtexts(workersOf(spec)); }

DraftTable::DraftTable(ExperimentDraft& draft, const char* list, std::span<const Heading> headings, std::span<const char* const> members, QObject* parent)
    : ColumnTable(headings, parent), draft_(draft), list_(list), members_(members) {}

void DraftTable::watch() {
  connect(&draft_, &ExperimentDraft::specChanged, this, &DraftTable::follow);
  connect(&draft_, &ExperimentDraft::findingsChanged, this, [this] { allChanged({kFindingRole, Qt::ToolTipRole}); });
  follow();
}

void DraftTable::follow() {
  const int rows = documentRows();
  if (rows == rows_) return allChanged();
  beginResetModel();
  for (const auto& [place, typed] : refused_) draft_.accept(place);
  refused_.clear();
  rows_ = rows;
  endResetModel();
}

std::string DraftTable::pointer(int row, int column) const { return strCat(list_, "/", row, "/", members_[static_cast<std::size_t>(column)]); }

Qt::ItemFlags DraftTable::flags(const QModelIndex& index) const {
  return index.isValid() ? Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemIsEditable : Qt::NoItemFlags;
}

std::optional<Finding> DraftTable::finding(int row, int column) const { return draft_.findingAt(pointer(row, column)); }

QVariant DraftTable::cell(int row, int column, int role) const {
  if (row >= documentRows()) return {};  // the draft is ahead
  switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole: {
      const auto refused = refused_.find(pointer(row, column));
      const QString text = refused == refused_.end() ? shown(row, column) : refused->second;
      return text.isEmpty() && role == Qt::DisplayRole ? empty() : text;
    }
    case kFindingRole:
    case Qt::ToolTipRole:
      if (const auto found = finding(row, column)) return qtext(found->message);
      return role == Qt::ToolTipRole ? QVariant(help(column)) : QVariant();
    case kChoicesRole: return choices(row, column);
    default: return {};
  }
}

bool DraftTable::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !index.isValid() || index.row() >= rows_) return false;
  const QString text = value.toString().trimmed();
  const std::string place = pointer(index.row(), index.column());
  std::string wrong;
  const Change change = changeTo(index.row(), index.column(), text, wrong);
  if (wrong.empty()) {
    refused_.erase(place);
    draft_.accept(place);
    draft_.edit(change);
  } else {
    refused_[place] = text;
    draft_.refuse(place, wrong);
    emit dataChanged(index, index);
  }
  return true;
}

}  // namespace paceline::experiment

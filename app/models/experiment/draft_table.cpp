#include "app/models/experiment/draft_table.h"

namespace paceline::experiment {

DraftTable::DraftTable(ExperimentDraft& draft, int columns, QObject* parent) : QAbstractTableModel(parent), draft_(draft), columns_(columns) {}

void DraftTable::watch() {
  connect(&draft_, &ExperimentDraft::specChanged, this, &DraftTable::follow);
  connect(&draft_, &ExperimentDraft::findingsChanged, this, [this] {
    if (rows_ > 0) emit dataChanged(index(0, 0), index(rows_ - 1, columns_ - 1), {kFindingRole, Qt::ToolTipRole});
  });
  follow();
}

void DraftTable::follow() {
  const int rows = documentRows();
  if (rows != rows_) {
    beginResetModel();
    for (const auto& [place, typed] : refused_) draft_.accept(place);
    refused_.clear();
    rows_ = rows;
    endResetModel();
  } else if (rows > 0) {
    emit dataChanged(index(0, 0), index(rows - 1, columns_ - 1));
  }
}

int DraftTable::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : rows_; }
int DraftTable::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns_; }

Qt::ItemFlags DraftTable::flags(const QModelIndex& index) const {
  return index.isValid() ? Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemIsEditable : Qt::NoItemFlags;
}

const QString* DraftTable::refusedText(const std::string& pointer) const {
  const auto refused = refused_.find(pointer);
  return refused == refused_.end() ? nullptr : &refused->second;
}

void DraftTable::refuse(const QModelIndex& index, const std::string& pointer, const QString& text, const std::string& message) {
  refused_[pointer] = text;
  draft_.refuse(pointer, message);
  emit dataChanged(index, index);
}

void DraftTable::accept(const std::string& pointer) {
  refused_.erase(pointer);
  draft_.accept(pointer);
}

}  // namespace paceline::experiment

// The points that a search tried, as a table: their values, what they gave, what became of them. GUI thread.
#pragma once

#include <QAbstractTableModel>

#include "app/models/runs/search_words.h"

namespace paceline::runs {

class SearchTable : public QAbstractTableModel {
  Q_OBJECT
 public:
  using QAbstractTableModel::QAbstractTableModel;

  void present(const recorder::SearchStory& story, const Titles& titles);  // points keep their rows
  const recorder::SearchStory& story() const { return story_; }
  QString whyOf(int row) const;  // it was tried, and was given up or failed
  std::string runOf(int row) const;  // the newest; "": it has none

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  recorder::SearchStory story_;
  Titles titles_;
};

}  // namespace paceline::runs

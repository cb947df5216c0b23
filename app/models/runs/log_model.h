// The merged log of a followed run, one row a line, appended only. GUI thread. LogFilter shows some of it.
#pragma once

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include "app/models/runs/live_run.h"

namespace paceline::runs {

class LogModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kTime, kNode, kText, kColumns };
  enum Role { kLevelRole = Qt::UserRole, kLineRole };

  explicit LogModel(LiveRun& run, QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  LiveRun& run_;
  int rows_ = 0;
};

class LogFilter : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;
  void setWords(const QString& words);
  void setProblemsOnly(bool only);

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  QStringList words_;
  bool problemsOnly_ = false;
};

}  // namespace paceline::runs

// Which runs to compare: a tree of check boxes, runs that differ only in their seed under one group, with a filter. GUI thread.
#pragma once

#include <set>
#include <string>
#include <vector>

#include <QTreeWidget>
#include <QWidget>

#include "app/models/runs/runs_model.h"

class QLineEdit;

namespace paceline::compare {

class RunPicker : public QWidget {
  Q_OBJECT
 public:
  explicit RunPicker(runs::RunsModel& runs, QWidget* parent = nullptr);

  std::vector<std::string> chosen() const;  // in the order shown
  void choose(const std::vector<std::string>& runs);
  void find();

 signals:
  void changed();

 private:
  void rebuild();
  void filter(const QString& words);
  QTreeWidgetItem* addRun(const runs::RunItem& item, QTreeWidgetItem* group);
  void onItemChanged(QTreeWidgetItem* item);

  runs::RunsModel& runs_;
  QLineEdit* search_;
  QTreeWidget* tree_;
  std::set<std::string> chosen_;
  QString shown_;       // the runs that the tree was built from
  bool building_ = false;
};

}  // namespace paceline::compare

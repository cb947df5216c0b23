// Which runs to compare: a tree of check boxes, runs that differ only in their seed under one group, with a filter. GUI thread.
#pragma once

#include <set>
#include <string>
#include <vector>

#include <QTreeWidget>

#include "app/models/runs/runs_model.h"
#include "app/ui/widgets/controls.h"

namespace paceline::compare {

class RunPicker : public QWidget {
  Q_OBJECT
 public:
  explicit RunPicker(runs::RunsModel& runs);
  void find() { widgets::focusAll(search_); }
  std::vector<std::string> chosen() const;  // in the order shown
  void choose(const std::vector<std::string>& runs);

 signals:
  void changed();

 private:
  void rebuild();
  static QString groupName(const store::RunRow& row);
  void addRun(const runs::RunItem& item, QTreeWidgetItem* group);
  void onItemChanged(QTreeWidgetItem* item);
  void filter(const QString& typed);

  runs::RunsModel& runs_;
  QLineEdit* search_ = widgets::searchField("Filter runs", "pickerSearch", [this](const QString& words) { filter(words); });
  QTreeWidget* tree_ = new QTreeWidget;
  std::set<std::string> chosen_;
  QString shown_;  // the runs that the tree was built from
  bool building_ = false;
};

}  // namespace paceline::compare

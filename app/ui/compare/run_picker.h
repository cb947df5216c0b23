// Which runs to compare: a tree of check boxes over app/models/runs/run_tree.h, with a filter. GUI thread.
#pragma once

#include <set>
#include <string>
#include <vector>

#include <QTreeWidget>

#include "app/models/runs/run_tree.h"
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

 protected:
  void resizeEvent(QResizeEvent* event) override {
    QWidget::resizeEvent(event);
    tree_->doItemsLayout();  // what stands in two lines depends on the width
  }

 private:
  void rebuild();
  static QTreeWidgetItem* newItem(const QString& name, const QString& remark);
  void addEntry(const runs::TreeEntry& entry);
  void addRun(const runs::TreeRun& run, QTreeWidgetItem* made);
  void onItemChanged(QTreeWidgetItem* item);
  void filter(const QString& typed);

  runs::RunsModel& runs_;
  QLineEdit* search_ = widgets::searchField(tr("Filter runs"), "pickerSearch", [this](const QString& words) { filter(words); });
  QTreeWidget* tree_ = new QTreeWidget;
  std::set<std::string> chosen_;
  QString shown_;  // the runs that the tree was built from
  bool building_ = false;
};

}  // namespace paceline::compare

// Going on from an ended run's last checkpoint, with another name, other stop rules, and its nodes on other hosts and devices. GUI thread.
#pragma once

#include <QDialog>
#include <QLineEdit>
#include <QTableView>

#include "app/models/experiment/resume_nodes.h"
#include "app/ui/shell.h"
#include "app/ui/widgets/labels.h"
#include "storage/store/records.h"

namespace paceline::runs {

class ResumeDialog : public QDialog {
  Q_OBJECT
 public:
  ResumeDialog(QWidget* parent, Shell& shell, store::RunRow run);

 private:
  QLineEdit* line(const char* objectName, const QString& name, const QString& shown);
  QString read(RunSpec& spec) const;  // "" or the problem
  void followNodes();
  void go();

  Shell& shell_;
  store::RunRow run_;
  experiment::ResumeNodes nodes_;
  QTableView* table_;
  QLineEdit *name_, *rounds_, *seconds_, *samples_, *accuracy_;
  QLabel* told_ = widgets::wrapped(widgets::label("", "warning"));  // of the nodes
  QLabel* problem_ = widgets::problemLine();
};

}  // namespace paceline::runs

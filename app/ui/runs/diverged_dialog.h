// What a worker had recorded before its loss became no number. GUI thread.
#pragma once

#include <QDialog>
#include <QStandardItemModel>

#include "app/models/task_queue.h"
#include "app/ui/widgets/controls.h"
#include "storage/summary/diverged.h"

namespace paceline::runs {

class DivergedDialog : public QDialog {
  Q_OBJECT
 public:
  DivergedDialog(QWidget* parent, const std::string& storePath, const std::string& run);

 private:
  void take(const summary::Divergence& found);

  QLabel* words_ = widgets::wrapped(widgets::label(tr("Reading the records…")));
  QStandardItemModel model_;
  QTableView* table_;
  QPushButton* copy_;
  QString csv_;
  TaskQueue tasks_;
};

}  // namespace paceline::runs

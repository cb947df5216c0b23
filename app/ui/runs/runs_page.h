// The queue and all runs: a table with search, state filter and trash, details at the right. GUI thread.
#pragma once

#include <QStackedWidget>

#include "app/ui/shell.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/page.h"

namespace paceline::runs {

class QueuePane;
class RunDetails;

class RunsPage : public widgets::Page {
  Q_OBJECT
 public:
  explicit RunsPage(Shell& shell);

  void find() override { widgets::focusAll(search_); }
  void primary() override { shell_.newExperiment(); }
  void entered() override;
  std::vector<std::string> selected() const;
  void trashSelected();
  void selectFirst() { table_->selectRow(0); }

 protected:
  void hideEvent(QHideEvent*) override { trash_->setChecked(false); }  // the other pages never see the trash

 private:
  void buildRow();
  QWidget* buildTable();
  void follow();      // selection or rows changed
  void showEmpty();
  void setTrash(bool on);
  void takeKeyboard();  // the table, where there are rows

  Shell& shell_;
  RunsFilter filter_;
  QueuePane* queue_;
  QTableView* table_;
  QLineEdit* search_;
  widgets::Segments* states_;
  QPushButton* trash_;
  QLabel* count_;
  QStackedWidget* stack_;
  widgets::EmptyState* empty_;
  RunDetails* details_;
};

}  // namespace paceline::runs

// The queue and all runs: a table with search, state filter and trash, details at the right. GUI thread.
#pragma once

#include <QStackedWidget>

#include "app/models/runs/run_rows.h"
#include "app/models/runs/run_views.h"
#include "app/ui/shell.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/page.h"

namespace paceline::widgets {
class PinnedColumns;
}

namespace paceline::runs {

class QueuePane;
class RunDetails;
class ViewMenu;
class Welcome;

class RunsPage : public widgets::Page {
  Q_OBJECT
 public:
  explicit RunsPage(Shell& shell);

  void find() override { widgets::focusAll(search_); }
  void primary() override { shell_.newExperiment(); }
  void entered() override;
  std::vector<std::string> selected() const;  // runs; those of a selected suite, too
  void trashSelected();
  void selectFirst() { table_->selectRow(0); }

 protected:
  void hideEvent(QHideEvent*) override { trash_->setChecked(false); }  // the other pages never see the trash
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void buildRow();
  QWidget* buildTable();
  RunView view() const;
  void setView(const RunView& view);
  void follow();      // selection or rows changed
  void showEmpty();
  void setTrash(bool on);
  std::vector<std::string> chosen() const;  // ids of selected rows: of runs and of suites
  void select(const std::vector<std::string>& ids, const std::string& current);
  void setFolded(const std::string& suite, bool folded);
  bool foldByKey(int key);
  void takeKeyboard();  // the table, where there are rows

  Shell& shell_;
  RunRows rows_;
  std::vector<std::string> kept_;  // what was selected before the table began anew
  std::string keptCurrent_;
  QueuePane* queue_;
  QTableView* table_;
  QLineEdit* search_;
  widgets::Segments* states_;
  QPushButton* trash_;
  QLabel* count_;
  QStackedWidget* stack_;
  widgets::EmptyState* empty_;
  RunDetails* details_;
  ViewMenu* views_;
  Welcome* welcome_;
  QPushButton* sample_;
  widgets::PinnedColumns* pinned_;
};

}  // namespace paceline::runs

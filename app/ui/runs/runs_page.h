// The queue and all runs: a table with search, state filter and trash, details at the right. GUI thread.
#pragma once

#include <QPushButton>
#include <QStackedWidget>

#include "app/ui/widgets/page.h"
#include "app/ui/shell.h"

class QLineEdit;
class QSplitter;

namespace paceline::widgets {
class EmptyState;
class Segments;
}

namespace paceline::runs {

class QueuePane;
class RunDetails;

class RunsPage : public widgets::Page {
  Q_OBJECT
 public:
  explicit RunsPage(Shell& shell, QWidget* parent = nullptr);

  void find() override;
  void primary() override { shell_.newExperiment(); }
  void entered() override;
  std::vector<std::string> selected() const;
  void trashSelected();
  void selectFirst();

 protected:
  void hideEvent(QHideEvent* event) override;  // the other pages never see the trash

 private:
  void buildFilterRow();
  QWidget* buildTable();
  void follow();      // selection or rows changed
  void showEmpty();
  void setTrash(bool on);

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
  QSplitter* splitter_;
};

}  // namespace paceline::runs

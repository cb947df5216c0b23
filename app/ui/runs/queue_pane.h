// The recorder's queue above the table of runs: running, waiting and held entries, with buttons for order, stop and go. Hidden while
// it is empty. Alt+Up and Alt+Down move the selected run, Delete takes it out. GUI thread.
#pragma once

#include <QLabel>
#include <QPushButton>
#include <QTableView>

#include "app/ui/shell.h"

namespace paceline::runs {

class QueuePane : public QWidget {
  Q_OBJECT
 public:
  explicit QueuePane(Shell& shell, QWidget* parent = nullptr);
  bool hasKeyboard() const { return table_->hasFocus(); }
  void stopSelected();

 private:
  void follow();
  void move(int by) { shell_.queue.move(selected_, by); }

  Shell& shell_;
  std::string selected_;  // a run; kept while the order changes
  QLabel* count_;
  QPushButton *go_, *up_, *down_, *stop_;
  QTableView* table_;
};

}  // namespace paceline::runs

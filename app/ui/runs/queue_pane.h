// The recorder's queue above the table of runs: running, waiting and held entries, with buttons for order, hold, stop and go. Hidden while it is empty. Waiting rows are
// dragged, or moved by Alt+Up, Alt+Down, Alt+Home and Alt+End; Space holds them or lets them go, Delete takes them out. What leaves is not selected any more: another Delete is
// not the next one's. GUI thread.
#pragma once

#include <QTableView>

#include "app/ui/shell.h"
#include "app/ui/widgets/controls.h"

namespace paceline::runs {

class QueuePane : public QWidget {
 public:
  explicit QueuePane(Shell& shell);
  bool hasKeyboard() const { return table_->hasFocus(); }
  void stopSelected();

 protected:
  void hideEvent(QHideEvent* event) override;

 private:
  void move(int by) { shell_.queue.move(selected_, by); }
  void holdOrGo();
  void takeSelection();
  void select();  // what is kept, after the rows changed
  void follow();
  std::vector<std::string> selectedThat(bool (*fits)(const recorder::Entry&)) const;

  Shell& shell_;
  std::vector<std::string> selected_;  // runs; kept while the order changes
  bool selecting_ = false;
  int most_ = 0;  // rows that were seen at once
  QLabel* count_ = widgets::label("", "muted");
  QPushButton *go_, *hold_, *up_, *down_, *stop_;
  QTableView* table_;
};

}  // namespace paceline::runs

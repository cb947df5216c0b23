// Of a suite that is searched: a sentence, the points that it tried, why the one that is chosen was; it is held, let go, ended. GUI thread.
#pragma once

#include "app/models/runs/search_table.h"
#include "app/ui/shell.h"
#include "app/ui/widgets/controls.h"

namespace paceline::runs {

class SearchDetails : public QWidget {
 public:
  explicit SearchDetails(Shell& shell);
  void present(const recorder::SearchStory* story);  // nullptr: none, hidden

 private:
  void followChosen();

  Shell& shell_;
  SearchTable model_;
  QTableView* table_;
  widgets::BreakingLabel *sentence_ = new widgets::BreakingLabel, *why_ = new widgets::BreakingLabel("muted");
  QPushButton *hold_, *go_, *end_;
};

}  // namespace paceline::runs

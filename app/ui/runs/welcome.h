// In place of the list of runs while the store has none: what the first minute can be. GUI thread.
#pragma once

#include "app/ui/shell.h"
#include "app/ui/widgets/controls.h"

namespace paceline::runs {

class Welcome : public widgets::ColumnScroll {  // it scrolls where the queue leaves little room
 public:
  explicit Welcome(Shell& shell);
  void follow();  // what can be done now

 private:
  Shell& shell_;
  QPushButton* watch_;
  QLabel* why_ = widgets::wrapped(widgets::label("", "caption"));
};

}  // namespace paceline::runs

// The button for views of the Runs page: saved ones, a name for the present one, its columns. GUI thread.
#pragma once

#include <functional>

#include <QMenu>
#include <QPushButton>

#include "app/models/column_table.h"
#include "app/models/runs/run_views.h"

namespace paceline::runs {

class ViewMenu : public QPushButton {
 public:
  struct Acts {
    std::function<RunView()> present;
    std::function<void(const RunView&)> show;
    std::function<void(int column, bool shown)> setColumn;
  };
  ViewMenu(const std::vector<ColumnTable::Heading>& headings, Acts acts);

 private:
  void fill();
  void addName();
  void addColumns(const RunView& now);

  const std::vector<ColumnTable::Heading>& headings_;
  Acts acts_;
  QMenu* menu_;
};

}  // namespace paceline::runs

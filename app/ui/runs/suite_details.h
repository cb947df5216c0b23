// What is told of one suite that is selected, and what can be done with all of its runs: its cells as squares in their colours, the missing ones run again, the waiting ones
// held, let go, taken out. GUI thread.
#pragma once

#include "app/models/runs/run_rows.h"
#include "app/ui/runs/search_details.h"
#include "app/ui/shell.h"
#include "app/ui/widgets/controls.h"

namespace paceline::runs {

// A square for each cell. Words beside it say the same: colour alone tells nothing.
class CellSquares : public QWidget {
 public:
  explicit CellSquares(std::function<void(const std::string& run)> chosen);
  void present(const std::vector<std::string>& runs, const std::vector<recorder::CellStanding>& standings, const QStringList& names);
  int heightForWidth(int width) const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  int across(int width) const;
  int at(const QPoint& point) const;  // -1: none

  std::function<void(const std::string& run)> chosen_;
  std::vector<std::string> runs_;
  std::vector<recorder::CellStanding> standings_;
  QStringList names_;
};

class SuiteDetails : public QWidget {
 public:
  SuiteDetails(Shell& shell, const RunRows& rows);
  void present(const SuiteFacts* suite);  // nullptr: none, hidden

 private:
  std::vector<std::string> that(bool (*fits)(recorder::CellStanding)) const;

  Shell& shell_;
  const RunRows& rows_;
  SuiteFacts suite_;
  widgets::BreakingLabel* name_ = new widgets::BreakingLabel;
  widgets::BreakingLabel* counts_ = new widgets::BreakingLabel;
  CellSquares* squares_;
  SearchDetails* search_;
  QPushButton *missing_, *hold_, *go_, *first_, *remove_, *stop_, *forget_;
};

}  // namespace paceline::runs

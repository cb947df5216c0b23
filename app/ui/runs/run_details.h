// The pane at the right of the Runs page: of one run its name, notes, tags, actions and numbers; of a suite how its cells are, and what can be done with all of them; of
// several runs what can be done with them together. GUI thread.
#pragma once

#include <QPlainTextEdit>

#include "app/models/runs/run_rows.h"
#include "app/ui/runs/suite_details.h"
#include "app/ui/shell.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/state_mark.h"

namespace paceline::runs {

class RunDetails : public widgets::ScrollPane {
 public:
  RunDetails(Shell& shell, const RunRows& rows);

  std::vector<std::string> ended() const;  // of those that are selected
  // Runs, also those of a selected suite; `suite`: it alone is selected.
  void present(const std::vector<std::string>& selected, const SuiteFacts* suite = nullptr);

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void showTexts(const RunTexts& now, bool other);
  void buildTexts();
  QGridLayout* actions();
  void fillFacts(const RunItem& item);
  void saveTexts();
  std::vector<RunTexts> textsNow() const;
  bool alike() const;  // the notes of all
  void purge();

  Shell& shell_;
  const RunRows& rows_;
  std::vector<std::string> selected_;
  std::vector<std::string> compared_;  // whose documents: of a suite those of all its cells
  std::vector<std::string> shown_;  // whose texts are shown: those of them that have begun
  std::string run_;  // the one that is selected; "": none or several
  RunTexts stored_, texts_;  // as the store had them at the last look; the same with what was saved here since
  SuiteDetails* suite_;
  widgets::StateBadge* state_ = new widgets::StateBadge;
  QLineEdit *name_ = new QLineEdit, *tags_ = new QLineEdit;
  QPlainTextEdit* notes_ = new QPlainTextEdit;
  widgets::BreakingLabel* error_ = new widgets::BreakingLabel;
  QLabel* many_ = widgets::label("", "muted");
  QWidget* errorBox_ = widgets::card({error_, {widgets::copyButton(tr("Copy error"), [this] { return error_->fullText(); }), 0, Qt::AlignLeft}});
  widgets::FactGrid* facts_ = new widgets::FactGrid;
  QString factsShown_;
  QPushButton *compare_, *rerun_, *clone_, *attach_, *trash_, *restore_, *purge_, *open_, *remove_, *diff_, *export_;
  std::vector<QWidget*> ofOne_;  // shown while a run is
};

}  // namespace paceline::runs

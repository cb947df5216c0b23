// The right-hand pane of the runs page: one run's name, notes, tags, actions and numbers. GUI thread.
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>

#include "app/ui/shell.h"
#include "app/ui/widgets/controls.h"

namespace paceline::widgets {
class StateBadge;
}

namespace paceline::runs {

class RunDetails : public widgets::ScrollPane {
  Q_OBJECT
 public:
  explicit RunDetails(Shell& shell, QWidget* parent = nullptr);
  void present(const RunItem* item, int selected);  // nullptr: nothing selected

 private:
  void buildTexts();
  QGridLayout* actions();
  void fillFacts(const RunItem& item);
  void saveTexts();
  void purge();

  Shell& shell_;
  std::string run_;
  widgets::StateBadge* state_;
  QLineEdit *name_, *tags_;
  QPlainTextEdit* notes_;
  QLabel *error_, *many_;
  QWidget* errorBox_;
  widgets::FactGrid* facts_;
  QString factsShown_;
  QPushButton *open_, *compare_, *rerun_, *clone_, *attach_, *trash_, *restore_, *purge_;
};

}  // namespace paceline::runs

// One data set: where it is, what can be done with it, what its check found, its classes and some samples. GUI thread.
#pragma once

#include <QCheckBox>
#include <QProgressBar>

#include "app/models/data/data_sets.h"
#include "app/ui/figure/figure_view.h"
#include "app/ui/shell.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/state_mark.h"

namespace paceline::data {

class SampleGrid;

widgets::StateMark standingMark(SetStanding standing);

class DataPane : public widgets::ScrollPane {
  Q_OBJECT
 public:
  DataPane(Shell& shell, DataSets& sets);
  void setSet(const QString& key);  // "": none
  const QString& key() const { return key_; }
  void act();  // downloads what is not here, checks what is

 private:
  QVBoxLayout* actions();
  QVBoxLayout* samples();
  void follow();
  void followActions(const DataSet& set);
  void followLook(const DataSet& set);
  void fillFacts(const DataSet& set);
  void look();

  Shell& shell_;
  DataSets& sets_;
  QString key_;
  std::uint64_t seed_ = 1;
  QLabel *title_, *summary_, *progressWords_, *problem_, *lookProblem_, *lookHead_, *found_;
  widgets::StateBadge* state_;
  QProgressBar* progress_;
  QPushButton *download_, *check_, *copy_, *forget_, *others_;
  QCheckBox* decode_;
  widgets::FactGrid* facts_;
  QString factsShown_;
  std::shared_ptr<const worker::LookedData> shown_;  // whose classes are drawn
  widgets::Segments* split_;
  figure::FigureView* classes_;
  SampleGrid* grid_;
};

}  // namespace paceline::data

// The card "Groups" of methods that have them: a table with the group of every worker, and buttons that set all of them. GUI thread.
#pragma once

#include "app/models/experiment/groups_model.h"
#include "app/ui/experiment/form_section.h"

class QTableView;

namespace paceline::experiment {

class GroupsSection : public FormSection {
  Q_OBJECT
 public:
  GroupsSection(ExperimentDraft& draft, GroupsModel::Speeds speeds, QWidget* parent = nullptr);
  void follow() override;

 private:
  QWidget* buttons();
  void groupBySpeed();
  void tell(const QString& problem);

  GroupsModel groups_;
  QTableView* table_;
  QLineEdit* count_;
  QLabel* problem_;
};

}  // namespace paceline::experiment

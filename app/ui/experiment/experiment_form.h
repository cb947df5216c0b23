// The form of an experiment, built from the catalogue. Shows the draft and writes into it; every field shows its own finding. GUI thread.
#pragma once

#include <vector>

#include <QScrollArea>

#include "app/models/experiment/draft_table.h"
#include "app/models/experiment/placement_model.h"
#include "app/models/experiment/split_preview.h"
#include "app/ui/experiment/form_section.h"

class QUndoStack;

namespace paceline::experiment {

class ExperimentForm : public QScrollArea {
  Q_OBJECT
 public:
  ExperimentForm(ExperimentDraft& draft, clusters::HostsModel& hosts, QUndoStack& undo, SplitPreview::Ask splits = {}, QWidget* parent = nullptr);
  void reveal(const std::string& pointer);  // scrolls to the field of a finding and focuses it

 private:
  FormSection* cluster(QUndoStack& undo);
  std::vector<widgets::Field*> fields() const;
  void followFindings();

  ExperimentDraft& draft_;
  NodesModel nodes_;
  PlacementModel placement_;
  std::vector<FormSection*> sections_;
  widgets::Field* clusterField_ = nullptr;
};

}  // namespace paceline::experiment

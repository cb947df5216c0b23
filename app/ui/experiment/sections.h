// The cards of the experiment form. GUI thread.
#pragma once

#include "app/models/experiment/draft_table.h"
#include "app/models/experiment/groups_model.h"
#include "app/models/experiment/split_preview.h"
#include "app/ui/experiment/form_section.h"

namespace paceline::experiment {

FormSection* identitySection(ExperimentDraft& draft);                              // name, seeds, tags, notes
FormSection* problemSection(ExperimentDraft& draft, SplitPreview::Ask ask);        // model, data, how it is divided; no `ask`: no preview of the split
FormSection* methodSection(ExperimentDraft& draft);                                // algorithm, aggregation and its engine, rate schedule
FormSection* optimizerSection(ExperimentDraft& draft);                             // and the wire format
FormSection* groupsSection(ExperimentDraft& draft, GroupsModel::Speeds speeds);    // of methods that have them: the group of every worker
FormSection* endingSection(ExperimentDraft& draft);                                // evaluation, checkpoints, stop rules

// Of decentralised methods: a preset with its parameters, a list of edges, or a file; and a picture of it.
class TopologySection : public FormSection {
 public:
  explicit TopologySection(ExperimentDraft& draft);
  bool importFile(const QString& path);  // of ECL's node lists; false: problem() says why, and nothing is changed
  QString problem() const { return problem_->text(); }

 private:
  void openFile();
  void listEdges();  // the preset's edges, to be changed by hand

  EdgesModel edges_;
  QLabel* problem_;
};

}  // namespace paceline::experiment

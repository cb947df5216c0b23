// The cards of the experiment form, each a part of the document. GUI thread.
#pragma once

#include "app/models/experiment/draft_table.h"
#include "app/models/experiment/split_preview.h"
#include "app/ui/experiment/form_section.h"

namespace paceline::experiment {

FormSection* identitySection(ExperimentDraft& draft);                                   // name, seeds, tags, notes
FormSection* problemSection(ExperimentDraft& draft, const SplitPreview::Ask& splits);   // model, data, how it is divided; no `splits`: without a preview of that
FormSection* methodSection(ExperimentDraft& draft);                                     // algorithm, aggregation, rate schedule, optimiser, wire format
FormSection* groupsSection(ExperimentDraft& draft, GroupsModel::Speeds speeds);         // of methods that have them: the group of every worker
FormSection* endingSection(ExperimentDraft& draft);                                     // evaluation, checkpoints, stop rules

}  // namespace paceline::experiment

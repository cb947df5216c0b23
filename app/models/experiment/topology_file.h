// Takes the workers and edges of an ECL node_list.json into a draft. GUI thread; reads the file, which is small.
#pragma once

#include <QString>

#include "app/models/experiment/experiment_draft.h"

namespace paceline::experiment {

// "" or the problems, a line each; then nothing is changed. Workers that the document has keep their settings, others are
// copies of its first one; its workers that the file does not name go.
QString importNodeList(ExperimentDraft& draft, const QString& path);

}  // namespace paceline::experiment

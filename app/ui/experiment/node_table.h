// The table of nodes in the experiment form. GUI thread.
#pragma once

class QTableView;

namespace paceline::experiment {

class NodesModel;

QTableView* nodeTable(NodesModel& model);

}  // namespace paceline::experiment

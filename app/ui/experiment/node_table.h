// The table of nodes in the experiment form. GUI thread.
#pragma once

class QTableView;

namespace paceline {

class NodesModel;

QTableView* nodeTable(NodesModel& model);

}  // namespace paceline

// The table of nodes in the experiment form: editable cells, lists for role and device, cells with a finding underlined. GUI thread.
#pragma once

class QTableView;

namespace paceline {

class NodesModel;

QTableView* nodeTable(NodesModel& model);
void fitNodeTable(QTableView* table);  // as high as its rows, up to twelve

}  // namespace paceline

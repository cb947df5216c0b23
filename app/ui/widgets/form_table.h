// Editable tables of the experiment form: cells with lists where there is something to choose, cells with a finding underlined. GUI thread.
#pragma once

#include <vector>

class QAbstractItemModel;
class QTableView;

namespace paceline::widgets {

// Of a model that speaks TableRole (app/models/column_table.h). The caller gives it a parent; the model outlives it.
QTableView* formTable(QAbstractItemModel& model, const char* objectName, const char* accessibleName);
void fitFormTable(QTableView* table);              // as high as its rows, up to twelve
std::vector<int> selectedRows(const QTableView* table);  // each once

}  // namespace paceline::widgets

// Tables of pages: their look, and columns as wide as what they show. GUI thread; Qt's parents own them.
#pragma once

#include <vector>

#include <QTableView>

#include "app/ui/widgets/theme.h"

namespace paceline::widgets {

// Rows of `rowHeight` px at normal text, no grid, whole rows selected, header like a caption; what has no room is cut in the middle: ends of names differ.
void styleTable(QTableView* table, int rowHeight = kRowHeight);
QTableView* table(QAbstractItemModel& model, const char* objectName, const QString& accessibleName, int rowHeight = kRowHeight);  // so styled; the model outlives it

void fitRows(QTableView* table, int most, int least = 1);  // as high as its rows, up to so many; then it scrolls

// Columns from `widths` on (px at normal text), wider where a heading or a cell needs it, up to a limit; narrower again only after a change of the text
// size. One that a person has made wider or narrower stays so. Column `rest` takes what the others leave, and at least its width: beyond that the table scrolls.
void setWidths(QTableView* table, const std::vector<int>& widths, int rest = -1);

// Order, sorting and the widths that a person has given, across restarts: in the settings under `key`. After setWidths().
void keepColumns(QTableView* table, const QString& key);

}  // namespace paceline::widgets

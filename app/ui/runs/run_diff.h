// Where the documents of several runs differ, as a table in a window of its own. GUI thread.
#pragma once

#include "app/models/runs/run_rows.h"

class QDialog;
class QWidget;

namespace paceline::runs {

QDialog* showDifferences(QWidget* parent, const RunRows& rows, const std::vector<std::string>& runs);  // the window deletes itself when it is closed

}  // namespace paceline::runs

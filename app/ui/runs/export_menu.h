// The formats that runs are exported in, as a menu. GUI thread.
#pragma once

#include <functional>

#include <QMenu>

#include "app/ui/shell.h"

namespace paceline::runs {

// Fills itself whenever it opens, for the runs that are meant then. Asks for the place; a file that is there is replaced only after a question.
QMenu* exportMenu(QWidget* parent, Shell& shell, std::function<std::vector<std::string>()> runs, std::function<double()> target = {});

}  // namespace paceline::runs

// paceline-workbench render FIGURE.json -o FILE: paints a figure document without a window and without a store. What `paceline figure` runs.
#pragma once

#include <QStringList>

namespace paceline::figure {

int renderCommand(const QStringList& arguments);  // after "render"; 0, 1 (cannot read or write) or 2 (usage), with one line on stderr

}  // namespace paceline::figure

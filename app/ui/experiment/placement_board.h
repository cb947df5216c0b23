// Where the nodes of an experiment run. GUI thread.
#pragma once

#include <QScrollArea>
#include <QUndoStack>

#include "app/models/experiment/placement_model.h"

namespace paceline::experiment {

// Above the nodes of the form: table or board, and buttons that place all nodes at once.
QWidget* placementBar(PlacementModel& placement, QUndoStack& undo, std::function<void(bool board)> boardChosen);

// A card for each host, a chip for each node. Chips are dragged from card to card; by keyboard: arrows move the focus, Space selects, Alt+Left
// and Alt+Right move the selected nodes to the neighbouring host, the menu key offers hosts and devices.
QScrollArea* placementBoard(PlacementModel& placement);

}  // namespace paceline::experiment

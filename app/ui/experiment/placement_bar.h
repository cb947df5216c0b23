// Above the nodes of the experiment form: table or board, and buttons that place all nodes at once. GUI thread.
#pragma once

#include <QLabel>
#include <QUndoStack>
#include <QWidget>

#include "app/models/experiment/placement_model.h"

namespace paceline::experiment {

class PlacementBar : public QWidget {
  Q_OBJECT
 public:
  PlacementBar(PlacementModel& placement, QUndoStack& undo, QWidget* parent = nullptr);

 signals:
  void boardChosen(bool board);

 private:
  enum class Over { kUsable, kOthers, kInUse };
  void spread(Over over);
  void tell(const QString& problem);

  PlacementModel& placement_;
  QLabel* problem_;
};

}  // namespace paceline::experiment

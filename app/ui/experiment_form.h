// The form of an experiment, built from the catalogue. Shows the draft and writes into it; every field shows its own finding. GUI thread.
#pragma once

#include <vector>

#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollArea>

#include "app/models/experiment_draft.h"
#include "app/models/nodes_model.h"
#include "app/models/placement_model.h"
#include "app/ui/choice_fields.h"

class QTableView;
class QUndoStack;

namespace paceline {

class PlacementBoard;

class ExperimentForm : public QScrollArea {
  Q_OBJECT
 public:
  ExperimentForm(ExperimentDraft& draft, HostsModel& hosts, QUndoStack& undo, QWidget* parent = nullptr);
  void reveal(const std::string& pointer);  // scrolls to the field of a finding and focuses it

 private:
  QWidget* identity();
  QWidget* method();
  QWidget* problem();
  QWidget* cluster();
  QWidget* ending();
  Field* keep(Field* field);
  QLineEdit* countField(QLayout* layout, const char* objectName, const QString& name, const std::string& pointer, const QString& help,
                        const QString& unit, std::function<bool(RunSpec&, const QString&)> assign);
  void follow();
  void followFindings();
  void followLists();

  ExperimentDraft& draft_;
  NodesModel nodes_;
  PlacementModel placement_;
  QUndoStack& undo_;
  std::vector<Field*> fields_;
  std::vector<ChoiceFields*> choices_;
  QLineEdit *name_, *seeds_, *tags_, *batch_, *every_, *rounds_, *seconds_, *samples_, *accuracy_;
  QPlainTextEdit* notes_;
  QComboBox *aggregation_, *engine_, *evaluateOn_;
  Field *aggregationField_, *clusterField_;
  QTableView* table_;
  PlacementBoard* board_;
};

}  // namespace paceline

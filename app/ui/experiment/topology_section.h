// The card "Topology" of decentralised methods: a preset with its parameters, a list of edges, or a file; and a picture of it. GUI thread.
#pragma once

#include "app/models/experiment/edges_model.h"
#include "app/ui/experiment/form_section.h"

class QPushButton;
class QTableView;

namespace paceline::experiment {

class TopologyPreview;

class TopologySection : public FormSection {
  Q_OBJECT
 public:
  explicit TopologySection(ExperimentDraft& draft, QWidget* parent = nullptr);
  void follow() override;
  bool importFile(const QString& path);  // of ECL's node lists; false: problem() says why, and nothing is changed
  QString problem() const;

 private:
  QWidget* buttons();
  void openFile();
  void listEdges();   // the preset's edges, to be changed by hand
  void tell(const QString& problem);

  EdgesModel edges_;
  ChoiceFields* topology_;
  QTableView* table_;
  QWidget* edgeButtons_;
  QPushButton* asEdges_;
  widgets::Field* tableField_;
  TopologyPreview* preview_;
  QLabel* problem_;
};

}  // namespace paceline::experiment

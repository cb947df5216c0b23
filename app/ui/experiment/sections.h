// The card "Evaluate and stop": evaluation, checkpoints, stop rules. GUI thread.
#pragma once

#include <QPlainTextEdit>

#include "app/models/experiment/edges_model.h"
#include "app/models/experiment/groups_model.h"
#include "app/models/experiment/split_preview.h"
#include "app/ui/experiment/form_section.h"

namespace paceline::experiment {

class EndingSection : public FormSection {
  Q_OBJECT
 public:
  explicit EndingSection(ExperimentDraft& draft, QWidget* parent = nullptr);
  void follow() override;

 private:
  void stopRules();
  void followEvaluator();

  QLineEdit *every_, *checkpoint_, *rounds_, *seconds_, *samples_, *accuracy_;
  QComboBox *on_, *source_;
};

}  // namespace paceline::experiment

// The cards "Experiment" (name, seeds, tags, notes) and "Learning problem" (model, data, how it is divided). GUI thread.
namespace paceline::figure {
class LabelMap;
}

namespace paceline::experiment {

class IdentitySection : public FormSection {
  Q_OBJECT
 public:
  explicit IdentitySection(ExperimentDraft& draft, QWidget* parent = nullptr);
  void follow() override;

 private:
  QLineEdit *name_, *seeds_, *tags_;
  QPlainTextEdit* notes_;
};


class ProblemSection : public FormSection {
  Q_OBJECT
 public:
  explicit ProblemSection(ExperimentDraft& draft, SplitPreview::Ask ask = {}, QWidget* parent = nullptr);  // no `ask`: no preview of the split
  void follow() override;

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void followSplit();
  ChoiceFields *model_, *dataset_, *partition_;
  QLineEdit* batch_;
  figure::LabelMap* map_;
  widgets::Field* mapField_;
  SplitPreview split_;
};

}  // namespace paceline::experiment

// The card "Method": algorithm, how workers' contributions are brought together and by which engine, optimiser, rate schedule, wire format.
// GUI thread.
namespace paceline::experiment {

class MethodSection : public FormSection {
  Q_OBJECT
 public:
  explicit MethodSection(ExperimentDraft& draft, QWidget* parent = nullptr);
  void follow() override;

 private:
  void followAggregation();

  ChoiceFields *algorithm_, *schedule_;
  QComboBox *aggregation_, *engine_;
};

class OptimizerSection : public FormSection {
  Q_OBJECT
 public:
  explicit OptimizerSection(ExperimentDraft& draft, QWidget* parent = nullptr);
  void follow() override;

 private:
  void followMomentum();
  void followWire();

  QLineEdit *momentum_, *weightDecay_, *clipNorm_;
  QComboBox *nesterov_, *decayAll_, *format_, *errorFeedback_;
};

}  // namespace paceline::experiment

// The card "Groups" of methods that have them: a table with the group of every worker, and buttons that set all of them. GUI thread.
class QTableView;

namespace paceline::experiment {

class GroupsSection : public FormSection {
  Q_OBJECT
 public:
  GroupsSection(ExperimentDraft& draft, GroupsModel::Speeds speeds, QWidget* parent = nullptr);
  void follow() override;

 private:
  QWidget* buttons();
  void groupBySpeed();
  void tell(const QString& problem);

  GroupsModel groups_;
  QTableView* table_;
  QLineEdit* count_;
  QLabel* problem_;
};

}  // namespace paceline::experiment

// The card "Topology" of decentralised methods: a preset with its parameters, a list of edges, or a file; and a picture of it. GUI thread.
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

// The form of an experiment, built from the catalogue: a rail of its sections, a card for each, the help of the field with the keyboard below.
// Shows the draft and writes into it; every field shows its own finding. GUI thread.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <QLabel>
#include <QTableView>

#include "app/models/experiment/draft_table.h"
#include "app/models/experiment/draft_words.h"
#include "app/models/experiment/placement_model.h"
#include "app/models/experiment/split_preview.h"
#include "app/ui/experiment/form_section.h"
#include "app/ui/experiment/section_rail.h"
#include "app/ui/widgets/controls.h"

namespace paceline::experiment {

// Of decentralised methods: a preset with its parameters, a list of edges, or a file; and a picture of it.
class TopologySection : public FormSection {
 public:
  explicit TopologySection(ExperimentDraft& draft);
  bool belongs() const override;
  bool importFile(const QString& path);  // of ECL's node lists; false: problem() says why, and nothing is changed
  QString problem() const { return problem_->text(); }
  std::function<void(const QString& sentence)> told;  // what an edit changed that was not asked for by name; it can be undone

 private:
  void openFile();
  void listEdges();  // the preset's edges, to be changed by hand
  void toggleEdge(const std::string& a, const std::string& b);
  void changeEdges(const QString& what, const std::function<std::vector<Edge>(std::vector<Edge>)>& change);

  EdgesModel edges_;
  QLabel* problem_;
};

// A field that is shown, by name.
struct FormPlace {
  QString section, name;
  std::string pointer;
};

class ExperimentForm : public QWidget {
  Q_OBJECT
 public:
  ExperimentForm(ExperimentDraft& draft, clusters::HostsModel& hosts, SplitPreview::Ask splits = {}, QWidget* parent = nullptr);
  void reveal(const std::string& pointer);  // scrolls to the field of a place, or to the row of a node, and gives it the keyboard
  void mark(const std::vector<PlaceChange>& changes);  // fields say what they were, until another document is there; the first is revealed
  void toTop();
  std::vector<FormPlace> places() const;
  QSize minimumSizeHint() const override;  // with the rail above the cards

 signals:
  void told(const QString& sentence);  // what an edit changed that was not asked for by name; it can be undone

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  FormSection* cluster();
  widgets::Field* fieldAt(const std::string& pointer) const;  // the innermost that holds the place; nullptr: none
  int sectionOf(const QWidget* widget) const;                 // -1: in none
  int sectionInView() const;
  void showSection(int section);
  void enter(int section);
  void step(int by);  // to the section before or behind the one with the keyboard
  void followSections();
  void showHelp();
  std::vector<widgets::Field*> fields() const;
  void followVaried();
  void followFindings();
  void forgetTyped();
  void varyFocused();

  ExperimentDraft& draft_;
  NodesModel nodes_;
  PlacementModel placement_;
  std::vector<FormSection*> sections_;
  SectionRail* rail_;
  widgets::ColumnScroll* scroll_;
  QBoxLayout* parts_;
  QLabel* help_;
  bool shows_ = false;  // scrolls to a section by itself
  widgets::Field* clusterField_ = nullptr;
  QTableView* nodeTable_ = nullptr;
  std::map<std::string, QString> marked_;  // by the pointer of a field
};

// Above the nodes of the form: table or board, and buttons that place all nodes at once.
QWidget* placementBar(PlacementModel& placement, std::function<void(bool board)> boardChosen);

// A card for each host, a chip for each node. Chips are dragged from card to card; by keyboard: arrows move the focus, Space selects, Alt+Left
// and Alt+Right move the selected nodes to the neighbouring host, the menu key offers hosts and devices.
QScrollArea* placementBoard(PlacementModel& placement);
std::vector<int> pickedRows(const QScrollArea* board, const RunSpec& spec);  // the nodes that are selected on such a board, in order

}  // namespace paceline::experiment

// An experiment being written, a run or a suite: the form at the left, its findings and its JSON at the right; form and JSON follow each other.
// Whatever takes the draft's place can be undone. GUI thread.
#pragma once

#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>

#include "app/models/experiment/draft_file.h"
#include "app/models/experiment/experiment_draft.h"
#include "app/models/experiment/run_prediction.h"
#include "app/ui/experiment/draft_undo.h"
#include "app/ui/experiment/experiment_form.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/page.h"
#include "app/ui/shell.h"

namespace paceline::experiment {

class SuiteStrip;

struct Template {
  QString title, path;
};
std::vector<Template> templates();  // that the program brings

class ExperimentPage : public widgets::Page {
  Q_OBJECT
 public:
  explicit ExperimentPage(Shell& shell);

  ExperimentDraft& draft() { return draft_; }
  const RunPrediction& prediction() const { return prediction_; }
  bool open(const std::string& json, const QString& what);  // in the draft's place; what: "the template X". False: it cannot be read, and failed() says why
  QString change(const std::function<void(RunSpec&)>& change, const QString& what);  // of the draft, by others than the form, which shows it; in words
  void openTemplate(const Template& chosen);
  std::vector<FormPlace> places() const { return form_->places(); }
  void reveal(const std::string& pointer) { form_->reveal(pointer); }
  void startNew();  // a fresh draft in the place of this one
  bool runAgain(const std::string& json);  // without touching the draft; false: it has errors now, its data set is missing here, or there is no catalogue
  void keepDraft(const QString& folder);   // from here on, and what was kept there comes back
  void primary() override { run(); }
  void entered() override;

 private:
  QPushButton* templatesButton();
  QPlainTextEdit* jsonEditor();
  QWidget* sidePane();
  void run(recorder::EntryKind kind = recorder::EntryKind::kRun);
  void openFile();
  void saveFile();
  void followCatalogue();
  void followFindings();
  void followVerdict();
  QString readyWords() const;
  QString missingWords(const DatasetEntry& set, bool needed) const;  // of one that is not here; needed: by a run that trains here
  void followFetch();
  void fetch();

  Shell& shell_;
  ExperimentDraft draft_;
  DraftUndo undo_;
  RunPrediction prediction_;
  QString opened_;  // the text as it was opened: without changes since, nothing is lost by opening another
  QPushButton *run_, *simulate_;
  ExperimentForm* form_;
  QPlainTextEdit* json_;
  QListWidget* findings_;
  widgets::Segments* sides_ = nullptr;  // prediction or document
  QLabel* verdict_;
  SuiteStrip* suite_ = nullptr;
  QPushButton* fetch_;  // a data set that is not here
  std::unique_ptr<DraftFile> file_;
};

}  // namespace paceline::experiment

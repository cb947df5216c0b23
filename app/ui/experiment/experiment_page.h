// A new experiment: the form at the left, its findings and its JSON at the right; form and JSON follow each other. GUI thread.
#pragma once

#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>

#include "app/models/experiment/experiment_draft.h"
#include "app/ui/widgets/page.h"
#include "app/ui/shell.h"

namespace paceline::experiment {

class ExperimentForm;

class ExperimentPage : public widgets::Page {
  Q_OBJECT
 public:
  explicit ExperimentPage(Shell& shell);

  ExperimentDraft& draft() { return draft_; }
  void loadText(const std::string& json);
  void primary() override { run(); }
  void entered() override;

 private:
  QPushButton* templates();
  QPlainTextEdit* jsonEditor();
  QWidget* sidePane();
  void run();
  void openFile();
  void saveFile();
  void followCatalogue();
  void followFindings();

  Shell& shell_;
  ExperimentDraft draft_;
  QPushButton* run_;
  ExperimentForm* form_;
  QPlainTextEdit* json_;
  QListWidget* findings_;
  QLabel* verdict_;
};

}  // namespace paceline::experiment

// The settings of a search in the strip of the suite: goal, method, budget, what is stopped early. What is written there goes into the document, whose findings say what is
// wrong with it. GUI thread.
#pragma once

#include <QComboBox>
#include <QLineEdit>

#include "app/models/experiment/experiment_draft.h"

namespace paceline::experiment {

class SearchSettings : public QWidget {
  Q_OBJECT
 public:
  explicit SearchSettings(ExperimentDraft& draft, QWidget* parent = nullptr);

 private:
  struct Place {  // of a member of "search"
    const char *section, *key;  // section "": of itself
  };
  QComboBox* choice(const char* name, const QString& words, std::vector<std::pair<QString, QString>> entries, Place place);
  QLineEdit* number(const char* name, const QString& words, const QString& help, Place place);
  void write(Place place, const OrderedJson& value);
  void follow();

  ExperimentDraft& draft_;
  std::vector<std::pair<QComboBox*, Place>> choices_;
  std::vector<std::pair<QLineEdit*, Place>> numbers_;
  QComboBox* early_;  // no halving, by rounds, by seconds
  std::vector<QWidget*> ofHalving_;
};

}  // namespace paceline::experiment

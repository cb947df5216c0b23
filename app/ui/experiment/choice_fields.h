// A catalogue entry and its parameters as fields: the list of entries, the summary of the chosen one, one field for each parameter with
// its help, bounds and unit. GUI thread; writes into the draft.
#pragma once

#include <vector>

#include <QComboBox>
#include <QVBoxLayout>

#include "app/models/experiment/experiment_draft.h"
#include "app/ui/widgets/field.h"

namespace paceline::experiment {

class ChoiceFields : public QWidget {
  Q_OBJECT
 public:
  using Entries = std::function<std::vector<const CatalogEntry*>(const Catalog&)>;
  ChoiceFields(ExperimentDraft& draft, const QString& name, Choice RunSpec::*choice, std::string pointer, Entries entries);

  void follow();                         // the draft's spec or catalogue changed
  std::vector<widgets::Field*> fields() const;

 private:
  void fillList();
  void rebuild();
  void showValues();
  void makeSearchable();
  QString help(const CatalogEntry& entry) const;
  widgets::Field* paramField(const ParamSpec& param);
  const CatalogEntry* entry() const;
  const Choice& chosen() const { return draft_.spec().*choice_; }

  ExperimentDraft& draft_;
  Choice RunSpec::*choice_;
  std::string pointer_;
  Entries entries_;
  const Catalog* shownCatalog_ = nullptr;
  std::string shownId_;
  QComboBox* list_;
  widgets::Field* listField_;
  QVBoxLayout* params_;
  std::vector<widgets::Field*> paramFields_;
};

}  // namespace paceline::experiment

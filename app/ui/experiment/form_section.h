// One card of the experiment form. Its fields show the draft, write into it, and give the reason where they do not apply.
// GUI thread.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <QFrame>

#include "app/models/experiment/experiment_draft.h"
#include "app/models/words.h"
#include "app/ui/experiment/choice_fields.h"

namespace paceline::experiment {

class FormSection : public QFrame {
  Q_OBJECT
 public:
  FormSection(ExperimentDraft& draft, const QString& title, QWidget* parent = nullptr);

  virtual void follow() {}             // the draft's spec or catalogue changed
  std::vector<widgets::Field*> fields() const;  // those of its choices too

 protected:
  using Words = std::vector<std::pair<QString, QString>>;  // shown word, value
  using TextChange = std::function<void(RunSpec&, const std::string&)>;

  widgets::Field* keep(widgets::Field* field);  // adds it below the others
  void add(QWidget* widget);
  ChoiceFields* choice(const QString& name, Choice RunSpec::*choice, const std::string& pointer, ChoiceFields::Entries entries);
  // Help, limits and unit of fixed members come from their description. A number that `assign` takes, or the finding that it is none.
  QLineEdit* numberField(const char* objectName, const QString& name, const std::string& pointer, std::function<bool(RunSpec&, const QString&)> assign);
  QComboBox* listField(const char* objectName, const QString& name, const std::string& pointer, TextChange assign);
  widgets::Field* fieldOf(const QWidget* editor) const;
  // Enabled, or disabled with the reason below it; a value that is set without effect can still be changed.
  void applies(QWidget* editor, bool applies, bool set, const QString& reason);
  const AlgorithmEntry* algorithm() const;  // nullptr: not known
  ExperimentDraft& draft() { return draft_; }
  const RunSpec& spec() const { return draft_.spec(); }

 private:
  ExperimentDraft& draft_;
  std::vector<widgets::Field*> fields_;
  std::vector<ChoiceFields*> choices_;
};

// Fills the list when its words are others, and shows that of `now`; an unknown value is shown as it is.
void showChoice(QComboBox* list, const std::vector<std::pair<QString, QString>>& words, const std::string& now);

template <class Entry>
ChoiceFields::Entries entriesOf(std::vector<Entry> Catalog::*list) {
  return [list](const Catalog& catalog) {
    std::vector<const CatalogEntry*> entries;
    for (const Entry& entry : catalog.*list) entries.push_back(&entry);
    return entries;
  };
}

// "" is nullopt. false: the text is no number of that type.
bool assigned(std::optional<double>& into, const QString& typed);
bool assigned(std::optional<std::int64_t>& into, const QString& typed);
bool assigned(double& into, const QString& typed);
bool assigned(int& into, const QString& typed);
QString shown(const std::optional<double>& value);
QString shown(const std::optional<std::int64_t>& value);

}  // namespace paceline::experiment

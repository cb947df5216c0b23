#include "app/ui/experiment/choice_fields.h"

#include <QCompleter>

#include "app/models/words.h"
#include "app/ui/widgets/controls.h"

namespace paceline::experiment {
namespace {

constexpr int kSearched = 15;  // entries; more are found by typing

QString spoken(std::string name) {
  for (char& c : name)
    if (c == '_') c = ' ';
  QString words = qtext(name);
  if (!words.isEmpty()) words[0] = words[0].toUpper();
  return words;
}

}  // namespace

ChoiceFields::ChoiceFields(ExperimentDraft& draft, const QString& name, Choice RunSpec::*choice, std::string pointer, Entries entries)
    : draft_(draft), choice_(choice), pointer_(std::move(pointer)), entries_(std::move(entries)), list_(new QComboBox), params_(new QVBoxLayout) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(widgets::kGap);
  list_->setObjectName(qtext(pointer_.substr(1)) + "List");
  listField_ = new widgets::Field(name, list_, pointer_ + "/id");
  column->addWidget(listField_);
  params_->setSpacing(widgets::kGap);
  column->addLayout(params_);
  list_->setMaxVisibleItems(20);
  connect(list_, &QComboBox::activated, this, [this](int index) {
    const std::string id = list_->itemData(index).toString().toStdString();
    if (id == chosen().id) return;
    draft_.edit([&](RunSpec& spec) { spec.*choice_ = Choice{.id = id, .params = {}}; });
  });
  follow();
}

const CatalogEntry* ChoiceFields::entry() const {
  if (!draft_.catalog()) return nullptr;
  for (const CatalogEntry* each : entries_(*draft_.catalog()))
    if (each->id == chosen().id) return each;
  return nullptr;
}

void ChoiceFields::fillList() {
  shownCatalog_ = draft_.catalog();
  list_->clear();
  if (!shownCatalog_) return;
  const std::vector<const CatalogEntry*> entries = entries_(*shownCatalog_);
  const bool many = static_cast<int>(entries.size()) > kSearched;
  for (const CatalogEntry* each : entries) {
    const QString title = qtext(each->title.empty() ? each->id : each->title);
    list_->addItem(many && each->title != each->id ? title + " · " + qtext(each->id) : title, qtext(each->id));
    list_->setItemData(list_->count() - 1, help(*each), Qt::ToolTipRole);
  }
  if (many && !list_->isEditable()) makeSearchable();
}

// Typing narrows the list to entries with that text in title or id; any other text goes back to the chosen entry.
void ChoiceFields::makeSearchable() {
  list_->setEditable(true);
  list_->setInsertPolicy(QComboBox::NoInsert);
  list_->completer()->setFilterMode(Qt::MatchContains);
  list_->completer()->setCompletionMode(QCompleter::PopupCompletion);
  list_->completer()->setCaseSensitivity(Qt::CaseInsensitive);
  list_->lineEdit()->setPlaceholderText("Type to search");
  connect(list_->lineEdit(), &QLineEdit::editingFinished, this, [this] {
    const int at = list_->findText(list_->currentText(), Qt::MatchFixedString);
    if (at >= 0 && list_->itemData(at).toString().toStdString() != chosen().id) return emit list_->activated(at);
    list_->setCurrentIndex(list_->findData(qtext(chosen().id)));
    list_->lineEdit()->setText(list_->currentIndex() < 0 ? qtext(chosen().id) : list_->itemText(list_->currentIndex()));
  });
}

QString ChoiceFields::help(const CatalogEntry& entry) const {
  QString facts;
  if (choice_ == &RunSpec::model) {
    if (const ModelEntry* model = findEntry(draft_.catalog()->models, entry.id)) facts = factsOf(*model);
  } else if (choice_ == &RunSpec::dataset) {
    if (const DatasetEntry* dataset = findEntry(draft_.catalog()->datasets, entry.id)) facts = factsOf(*dataset);
  }
  return facts.isEmpty() ? qtext(entry.summary) : qtext(entry.summary) + " " + facts;
}

void ChoiceFields::follow() {
  const bool otherCatalog = shownCatalog_ != draft_.catalog();
  if (otherCatalog) fillList();
  const int at = list_->findData(qtext(chosen().id));
  if (at >= 0 || !shownCatalog_) {
    list_->setCurrentIndex(at);
  } else {  // an unknown id of the document is shown as it is
    list_->setCurrentIndex(-1);
    list_->setPlaceholderText(qtext(chosen().id));
    if (list_->isEditable()) list_->setEditText(qtext(chosen().id));
  }
  if (otherCatalog || shownId_ != chosen().id) rebuild();
  showValues();
}

void ChoiceFields::rebuild() {
  shownId_ = chosen().id;
  widgets::emptyLayout(params_);
  paramFields_.clear();
  const CatalogEntry* now = entry();
  listField_->setHelp(now ? help(*now) : QString());
  listField_->editor()->setToolTip(now ? qtext(now->reference) : QString());
  if (!now) return;
  for (const ParamSpec& param : now->params) {
    paramFields_.push_back(paramField(param));
    params_->addWidget(paramFields_.back());
  }
}

widgets::Field* ChoiceFields::paramField(const ParamSpec& param) {
  const std::string pointer = pointer_ + "/params";
  const QString name = qtext(pointer.substr(1) + "/" + param.name);
  const auto write = [this, param, pointer](const QString& typed) { draft_.setParam(choice_, pointer, param, typed); };
  QWidget* editor = nullptr;
  if (param.type == ParamType::kChoice || param.type == ParamType::kBoolean) {
    auto* list = new QComboBox;
    list->setObjectName(name);
    if (param.type == ParamType::kBoolean) {
      list->addItem("yes", "true");
      list->addItem("no", "false");
    }
    for (const std::string& choice : param.choices) list->addItem(qtext(choice), qtext(choice));
    connect(list, &QComboBox::activated, this, [list, write](int index) { write(list->itemData(index).toString()); });
    editor = list;
  } else {
    editor = widgets::textEditor(name.toUtf8(), write, param.type != ParamType::kText);
  }
  const QString bounds = widgets::boundsText(param);
  const QString fallback = "default " + ExperimentDraft::paramText(param.fallback);
  const bool number = param.type == ParamType::kInteger || param.type == ParamType::kReal;
  QString limits = !number ? QString() : bounds.isEmpty() ? fallback : bounds + ", " + fallback;
  if (!limits.isEmpty()) limits = " " + limits.left(1).toUpper() + limits.mid(1) + ".";
  auto* field = new widgets::Field(spoken(param.name), editor, pointer + "/" + param.name, qtext(param.help) + limits, qtext(param.unit));
  return field;
}

void ChoiceFields::showValues() {
  const CatalogEntry* now = entry();
  if (!now) return;
  for (std::size_t i = 0; i < now->params.size() && i < paramFields_.size(); ++i) {
    const ParamSpec& param = now->params[i];
    const auto& given = chosen().params.values();
    const auto found = given.find(param.name);
    const QString shown = ExperimentDraft::paramText(found == given.end() ? param.fallback : found->second);
    if (auto* edit = qobject_cast<QLineEdit*>(paramFields_[i]->editor())) widgets::showText(edit, shown);
    if (auto* list = qobject_cast<QComboBox*>(paramFields_[i]->editor())) list->setCurrentIndex(list->findData(shown));
  }
}

std::vector<widgets::Field*> ChoiceFields::fields() const {
  std::vector<widgets::Field*> all{listField_};
  all.insert(all.end(), paramFields_.begin(), paramFields_.end());
  return all;
}

}  // namespace paceline::experiment

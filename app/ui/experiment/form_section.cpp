#include "app/ui/experiment/form_section.h"

#include <algorithm>

#include <QCompleter>
#include <QMessageBox>
#include <QToolButton>

#include "app/models/experiment/draft_vary.h"
#include "app/models/experiment/draft_words.h"
#include "app/models/experiment/own_code.h"
#include "app/ui/experiment/vary_controls.h"
#include "app/ui/widgets/choice_list.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/file_dialog.h"
#include "engine/core/base/error.h"
#include "engine/core/spec/pinned_file.h"
#include "engine/core/spec/schema.h"

namespace paceline::experiment {
namespace {

constexpr int kSearched = 15;  // entries; more are found by typing

// "0 to 1", "at least 0"
QString boundsText(const ParamSpec& param) {
  const auto number = [](double bound) { return qtext(boundText(bound)); };
  if (param.min && param.max) return QObject::tr("%1 to %2").arg(number(*param.min), number(*param.max));
  if (param.min) return QObject::tr("at least %1").arg(number(*param.min));
  if (param.max) return QObject::tr("at most %1").arg(number(*param.max));
  return {};
}

// Fills the list when its words are others, and shows that of `now`; an unknown value is shown as it is.
void showChoice(QComboBox* list, const FormSection::Words& words, const std::string& now) {
  bool same = list->count() == static_cast<int>(words.size());
  for (int i = 0; same && i < list->count(); ++i)
    same = list->itemText(i) == words[static_cast<std::size_t>(i)].first && list->itemData(i).toString() == words[static_cast<std::size_t>(i)].second;
  if (!same) {
    list->clear();
    for (const auto& [word, meaning] : words) list->addItem(word, meaning);
  }
  list->setPlaceholderText(qtext(now));
  list->setCurrentIndex(list->findData(qtext(now)));
}

// What was refused stays to be mended: its finding names it.
void showValue(QLineEdit* editor, const ExperimentDraft& draft, const std::string& pointer, const QString& single) {
  const QString* refused = draft.refused(pointer);
  const auto axis = pointer == kSeedPlace ? std::nullopt : axisOf(draft.state(), pointer);
  const QString value = axis ? axisText(draft.state(), *axis) : single;
  widgets::showText(editor, refused ? *refused : value);
}

}  // namespace

// A catalogue entry and its parameters: the list of entries, one field for each parameter with its help, bounds and unit. What few people set
// goes into the section's fold.
class ChoiceFields : public QWidget {
 public:
  ChoiceFields(ExperimentDraft& draft, const QString& name, Choice RunSpec::*choice, std::string pointer, widgets::Fold& more)
      : draft_(draft), choice_(choice), pointer_(std::move(pointer)), folded_(widgets::boxed(widgets::down({widgets::label(name, "head"), moreParams_}))) {
    more.content()->addWidget(folded_);
    list_->setObjectName(qtext(pointer_.substr(1)) + "List");
    list_->setMaxVisibleItems(20);
    listField_ = new widgets::Field(name, list_, pointer_ + "/id");
    offerVary(*listField_, draft_, [this] {
      FormSection::Words words;
      if (!draft_.catalog()) return words;
      for (const CatalogEntry* each : entriesAt(*draft_.catalog(), pointer_)) words.emplace_back(titleOf(*each), qtext(each->id));
      return words;
    });
    setLayout(widgets::down({listField_, params_}));
    connect(list_, &QComboBox::activated, this, [this](int index) { draft_.choose(choice_, pointer_, list_->itemData(index).toString().toStdString()); });
    follow();
  }

  void follow() {  // the draft's spec or catalogue changed
    const bool otherCatalog = shownCatalog_ != draft_.catalog();
    if (otherCatalog) fillList();
    const int at = list_->findData(qtext(chosen().id));
    list_->setCurrentIndex(at);
    if (at < 0 && shownCatalog_) {  // an unknown id of the document is shown as it is
      list_->setPlaceholderText(qtext(chosen().id));
      if (list_->isEditable()) list_->setEditText(qtext(chosen().id));
    }
    if (otherCatalog || shownId_ != chosen().id) rebuild();
    showValues();
  }

  std::vector<widgets::Field*> fields() const {
    std::vector<widgets::Field*> all{listField_};
    all.insert(all.end(), paramFields_.begin(), paramFields_.end());
    return all;
  }

 private:
  const Choice& chosen() const { return draft_.spec().*choice_; }

  const CatalogEntry* entry() const { return entryAt(draft_.catalog(), pointer_, chosen().id); }

  void fillList() {
    shownCatalog_ = draft_.catalog();
    list_->clear();
    if (!shownCatalog_) return;
    const std::vector<const CatalogEntry*> entries = entriesAt(*shownCatalog_, pointer_);
    const bool many = static_cast<int>(entries.size()) > kSearched;
    for (const CatalogEntry* each : entries) {
      list_->addItem(many && each->title != each->id ? titleOf(*each) + widgets::kTitleAndId + qtext(each->id) : titleOf(*each), qtext(each->id));
      list_->setItemData(list_->count() - 1, help(*each), Qt::ToolTipRole);
    }
    if (many && !list_->isEditable()) makeSearchable();
  }

  // Typing narrows the list to entries with that text in title or id; Return takes the one of just that title or id, any other text goes back to
  // the chosen entry.
  void makeSearchable() {
    widgets::makeSearchable(list_, tr("Type to search"));
    list_->completer()->setCaseSensitivity(Qt::CaseInsensitive);
    connect(list_->lineEdit(), &QLineEdit::editingFinished, this, [this] {
      const int at = widgets::entryCalled(*list_, list_->currentText());
      if (at >= 0 && list_->itemData(at).toString().toStdString() != chosen().id) return emit list_->activated(at);
      list_->setCurrentIndex(list_->findData(qtext(chosen().id)));
      list_->lineEdit()->setText(list_->currentIndex() < 0 ? qtext(chosen().id) : list_->itemText(list_->currentIndex()));
    });
  }

  QString help(const CatalogEntry& entry) const {
    QString facts;
    if (choice_ == &RunSpec::model) {
      if (const ModelEntry* model = findEntry(draft_.catalog()->models, entry.id)) facts = factsOf(*model);
    } else if (choice_ == &RunSpec::dataset) {
      if (const DatasetEntry* dataset = findEntry(draft_.catalog()->datasets, entry.id)) facts = factsOf(*dataset);
    }
    return facts.isEmpty() ? said(entry.summary) : said(entry.summary) + " " + facts;
  }

  void rebuild() {
    shownId_ = chosen().id;
    widgets::emptyLayout(params_);
    widgets::emptyLayout(moreParams_);
    paramFields_.clear();
    confirm_ = nullptr;
    folded_->hide();
    const CatalogEntry* now = entry();
    listField_->setHelp(now ? help(*now) : QString());
    list_->setToolTip(now ? qtext(now->reference) : QString());
    if (!now) return;
    for (const ParamSpec& param : now->params) {
      paramFields_.push_back(paramField(param));
      (param.advanced ? moreParams_ : params_)->addWidget(paramFields_.back());
      if (param.advanced) folded_->show();
    }
  }

  widgets::Field* paramField(const ParamSpec& param) {
    const std::string pointer = pointer_ + "/params";
    const QString name = qtext(pointer.substr(1) + "/" + param.name);
    const std::string place = pointer + "/" + param.name;
    const auto write = [this, param, pointer, place](const QString& typed) {
      varies(draft_.state(), place) ? draft_.setVaried(place, typed) : draft_.setParam(choice_, pointer, param, typed);
    };
    QWidget* editor = nullptr;
    FormSection::Words words;
    if (param.type == ParamType::kChoice || param.type == ParamType::kBoolean) {
      auto* list = new widgets::ChoiceList;
      list->setObjectName(name);
      if (param.type == ParamType::kBoolean) {
        list->addItem(tr("yes"), "true");
        list->addItem(tr("no"), "false");
      }
      for (const std::string& choice : param.choices) list->addItem(said(labelOf(param, choice)), qtext(choice));
      for (int i = 0; i < list->count(); ++i) words.emplace_back(list->itemText(i), list->itemData(i).toString());
      connect(list, &QComboBox::activated, this, [list, write](int index) { write(list->itemData(index).toString()); });
      editor = list;
    } else {
      editor = widgets::textEditor(name.toUtf8(), write, param.type != ParamType::kText);
    }
    const QString bounds = boundsText(param);
    const QString fallback = tr("default %1").arg(ExperimentDraft::paramText(param.fallback));
    const bool number = param.type == ParamType::kInteger || param.type == ParamType::kReal;
    QString limits = !number ? QString() : bounds.isEmpty() ? fallback : tr("%1, %2", "limits, default").arg(bounds, fallback);
    if (!limits.isEmpty()) limits = " " + tr("%1.", "a sentence").arg(limits.left(1).toUpper() + limits.mid(1));
    auto* field = new widgets::Field(said(labelOf(param)), editor, place, said(param.help) + limits, said(param.unit));
    if (param.file) offerFile(*field, param, write);
    offerVary(*field, draft_, words.empty() ? std::function<FormSection::Words()>() : [words] { return words; });
    return field;
  }

  // A file is chosen; code of it is confirmed where nobody has yet.
  void offerFile(widgets::Field& field, const ParamSpec& param, const std::function<void(const QString&)>& write) {
    const QString title = said(labelOf(param));
    auto* editor = qobject_cast<QLineEdit*>(field.editor());
    field.offerPress(tr("Choose…"), tr("Choose a file for %1").arg(title), [this, editor, title, write] {
      const QString path = widgets::askOpenPath(this, {.title = title, .at = editor->text()});
      if (path.isEmpty()) return;
      editor->setText(path);
      write(path);
    });
    if (!param.code) return;
    confirm_ = field.offerPress(tr("Confirm…"), tr("Confirm that runs may execute this file"), [this, editor] { confirmCode(editor->text()); });
    confirm_->setObjectName("confirm:" + QString::fromStdString(field.pointer()));
    confirm_->hide();
    auto* look = new OwnModelLook(confirm_);
    connect(look, &OwnModelLook::changed, &field, [&field, look] { field.setFact(look->words()); });
    connect(&draft_, &ExperimentDraft::findingsChanged, confirm_, [this, look, name = param.name] {  // the document has been judged, with what is confirmed by now
      const auto* named = valueOf<std::string>(chosen().params, name);
      const std::optional<OwnCode> code = named ? ownCode(qtext(*named), commandNow()) : std::nullopt;
      confirm_->setVisible(code && !code->confirmed);
      look->look(code, draft_.spec());
    });
  }

  // What starts the chosen entry's code; empty: it is loaded.
  QString commandNow() const {
    const CatalogEntry* now = entry();
    return now ? qtext(commandOf(now->params, chosen().params)) : QString();
  }

  void confirmCode(const QString& named) {
    const std::optional<OwnCode> code = ownCode(named, commandNow());
    if (!code) return;
    const bool sure = widgets::sure(this, tr("Confirm this file"), tr("%1\nSHA-256 %2\n\nA model file is code: the hosts of a run execute it with your rights there. This window never does. Confirm it if you know who wrote it; another content is asked for again.").arg(code->command.isEmpty() ? code->path : code->command + ' ' + code->path, code->sha256));
    if (!sure) return;
    if (const QString problem = confirm(*code); !problem.isEmpty()) QMessageBox::warning(this, tr("Confirm this file"), problem);
    draft_.validateNow();
  }

  void showValues() {
    const CatalogEntry* now = entry();
    if (!now) return;
    const auto& given = chosen().params.values();
    for (std::size_t i = 0; i < now->params.size() && i < paramFields_.size(); ++i) {
      const auto found = given.find(now->params[i].name);
      const QString fallback = ExperimentDraft::paramText(now->params[i].fallback);
      QString shown = found == given.end() ? fallback : ExperimentDraft::paramText(found->second);
      if (now->params[i].file) shown = qtext(pinnedFile(shown.toStdString()).path);  // its content is the document's matter
      paramFields_[i]->setChanged(shown != fallback);
      if (auto* edit = qobject_cast<QLineEdit*>(paramFields_[i]->editor())) showValue(edit, draft_, paramFields_[i]->pointer(), shown);
      if (auto* list = qobject_cast<QComboBox*>(paramFields_[i]->editor())) list->setCurrentIndex(list->findData(shown));
    }
  }

  ExperimentDraft& draft_;
  Choice RunSpec::*choice_;
  std::string pointer_, shownId_;
  const Catalog* shownCatalog_ = nullptr;
  QComboBox* list_ = new widgets::ChoiceList;
  QVBoxLayout *params_ = widgets::down({}), *moreParams_ = widgets::down({});
  QWidget* folded_;  // the second, under the choice's name
  widgets::Field* listField_;
  std::vector<widgets::Field*> paramFields_;
  QToolButton* confirm_ = nullptr;  // of its parameter with code
};

FormSection::FormSection(ExperimentDraft& draft, const QString& title) : draft_(draft), rows_(widgets::down({widgets::label(title, "section")})) {
  widgets::styleCard(this);
  more_->button()->setObjectName("more:" + title);
  widgets::addAll(qobject_cast<QVBoxLayout*>(layout()), {rows_, more_});
}

void FormSection::follow() {
  for (const auto& act : followers_) act();
  setVisible(belongs());
  followFold();
}

// "More: 2 set, 1 error"; nothing where nothing is folded away.
void FormSection::followFold() {
  int here = 0, set = 0, errors = 0;
  for (const widgets::Field* field : fields()) {
    if (!more_->isAncestorOf(field) || !field->isVisibleTo(more_->inside())) continue;
    ++here, set += field->isSet();
    errors += field->finding() && field->finding()->error;
  }
  QStringList words;
  if (set > 0) words << tr("%1 set").arg(set);
  if (errors > 0) words << tr("%n error(s)", nullptr, errors);
  more_->setWords(words.join(", "));
  more_->setVisible(here > 0);
}

void FormSection::fold(std::initializer_list<widgets::Field*> fields) {
  for (widgets::Field* field : fields) more_->content()->addWidget(field);
}

void FormSection::fold(std::initializer_list<QWidget*> editors) {
  for (const QWidget* editor : editors) fold({fieldOf(editor)});
}

widgets::Field* FormSection::keep(widgets::Field* field) {
  fields_.push_back(field);
  add(field);
  return field;
}

widgets::Field* FormSection::keepNote(const std::string& pointer) {
  auto* nothing = new QWidget;
  nothing->setFixedHeight(0);
  return keep(new widgets::Field("", nothing, pointer));
}

void FormSection::choice(const QString& name, Choice RunSpec::*choice, const std::string& pointer) {
  auto* made = new ChoiceFields(draft_, name, choice, pointer, *more_);
  choices_.push_back(made);
  add(made);
  onFollow([made] { made->follow(); });
}

QLineEdit* FormSection::text(const char* objectName, const QString& name, const std::string& pointer, const QString& help, std::function<QString()> read,
                             const std::function<void(const QString&)>& write) {
  QLineEdit* editor = widgets::textEditor(objectName, write);
  keep(new widgets::Field(name, editor, pointer, help));
  followText(editor, pointer, std::move(read));
  return editor;
}

void FormSection::followText(QLineEdit* editor, const std::string& pointer, std::function<QString()> read) {
  onFollow([this, editor, pointer, read = std::move(read)] { showValue(editor, draft_, pointer, read()); });
}

QLineEdit* FormSection::numberEditor(const char* objectName, const QString& name, const std::string& pointer,
                                     std::function<const char*(RunSpec&, const QString&)> read) {
  const auto write = [this, pointer, read = std::move(read)](const QString& typed) {
    if (varies(draft_.state(), pointer)) return draft_.setVaried(pointer, typed);
    const char* wanted = "";
    draft_.accept(pointer);  // first: who follows the edit shows what is refused
    draft_.edit([&](RunSpec& spec) { wanted = read(spec, typed); });
    if (*wanted) draft_.refuse(pointer, wanted, typed);
  };
  QLineEdit* editor = widgets::textEditor(objectName, write, true);
  const FieldInfo* info = fieldAt(pointer);
  offerVary(*keep(new widgets::Field(name, editor, pointer, helpAt(pointer), said(info ? info->unit : ""))), draft_, {});
  return editor;
}

QComboBox* FormSection::list(const char* objectName, const QString& name, const std::string& pointer, std::function<Words()> words,
                             std::function<std::string()> read, std::function<void(RunSpec&, const std::string&)> write) {
  auto* list = new widgets::ChoiceList;
  list->setObjectName(objectName);
  connect(list, &QComboBox::activated, this, [this, list, write = std::move(write)](int index) {
    const std::string chosen = list->itemData(index).toString().toStdString();
    draft_.edit([&](RunSpec& spec) { write(spec, chosen); });
  });
  offerVary(*keep(new widgets::Field(name, list, pointer, helpAt(pointer))), draft_, words);
  onFollow([list, words = std::move(words), read = std::move(read)] { showChoice(list, words(), read()); });
  return list;
}

widgets::Field* FormSection::fieldOf(const QWidget* editor) const {
  const auto found = std::ranges::find(fields_, editor, &widgets::Field::editor);
  PACELINE_CHECK(found != fields_.end(), "an editor of this section");
  return *found;
}

void FormSection::applies(QWidget* editor, bool applies, bool set, const QString& reason) {
  widgets::Field* field = fieldOf(editor);
  field->setApplies(applies || set, applies ? QString() : reason);
}

std::vector<widgets::Field*> FormSection::fields() const {
  std::vector<widgets::Field*> all = fields_;
  for (const ChoiceFields* each : choices_)
    for (widgets::Field* field : each->fields()) all.push_back(field);
  return all;
}

const AlgorithmEntry* FormSection::algorithm() const {
  return draft_.catalog() ? findEntry(draft_.catalog()->algorithms, spec().algorithm.id) : nullptr;
}

}  // namespace paceline::experiment

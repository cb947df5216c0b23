#include "app/ui/experiment/search_settings.h"

#include "app/models/words.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/field.h"
#include "app/ui/widgets/flow_layout.h"

namespace paceline::experiment {
namespace {

constexpr int kNumberWidth = 72;  // px
constexpr const char *kHalving = "halving", *kBudget = "budget";

// A number where one was typed, else the text: its finding says what must be there.
OrderedJson valueOf(const QString& typed) {
  const QString text = typed.trimmed();
  bool whole = false, real = false;
  const qlonglong integer = text.toLongLong(&whole);
  const double number = text.toDouble(&real);
  if (text.isEmpty()) return nullptr;
  return whole ? OrderedJson(integer) : real ? OrderedJson(number) : OrderedJson(text.toStdString());
}

QString shown(const OrderedJson& value) { return value.is_null() ? QString() : value.is_string() ? qtext(value.get<std::string>()) : qtext(dumped(value)); }

QWidget* named(const QString& words, QWidget* control) {
  auto* label = widgets::label(words, "muted");
  label->setBuddy(control);
  control->setAccessibleName(words);
  return widgets::boxed(widgets::across({label, control}));
}

}  // namespace

SearchSettings::SearchSettings(ExperimentDraft& draft, QWidget* parent) : QWidget(parent), draft_(draft), early_(new QComboBox) {
  setObjectName("searchSettings");
  auto* flow = new widgets::FlowLayout(std::initializer_list<QWidget*>{});
  setLayout(flow);
  choice("searchGoal", tr("Best is"), {{tr("the best accuracy"), "accuracy_best"}, {tr("the last accuracy"), "accuracy_last"}, {tr("the shortest time to the target"), "time_to_target"}, {tr("the most samples/s"), "samples_per_s"}}, {"", "goal"});
  choice("searchMethod", tr("Method"), {{tr("Bayesian (TPE)"), "bayesian"}, {tr("Random"), "random"}}, {"", "method"});
  number("searchRuns", tr("Runs"), tr("At most so many runs"), {kBudget, "runs"});
  number("searchMinutes", tr("Minutes"), tr("All runs together take at most so long; empty: no limit"), {kBudget, "minutes"});
  early_->setObjectName("searchEarly");
  for (const auto& [words, id] : {std::pair(tr("never"), ""), std::pair(tr("by rounds"), "rounds"), std::pair(tr("by seconds"), "seconds")}) early_->addItem(words, QString(id));
  early_->setToolTip(tr("Stops runs that fall behind (successive halving)"));
  connect(early_, &QComboBox::activated, this, [this] {
    const std::string by = early_->currentData().toString().toStdString();
    draft_.changeSearch([&by](OrderedJson& search) {
      constexpr int kFirst = 10, kEta = 2;
      if (by.empty()) search.erase(kHalving);
      else if (search.contains(kHalving) && search[kHalving].is_object()) search[kHalving]["by"] = by;
      else search[kHalving] = {{"by", by}, {"first", kFirst}, {"eta", kEta}};
    });
  });
  flow->addWidget(named(tr("Stop early"), early_));
  ofHalving_.push_back(number("searchFirst", tr("first after"), tr("A run is looked at after so many rounds or seconds, and after eta, eta^2 ... times as many"), {kHalving, "first"})->parentWidget());
  ofHalving_.push_back(number("searchEta", tr("best 1 of"), tr("So many that come there, one goes on (eta)"), {kHalving, "eta"})->parentWidget());
  connect(&draft_, &ExperimentDraft::specChanged, this, &SearchSettings::follow);
  follow();
}

QComboBox* SearchSettings::choice(const char* name, const QString& words, std::vector<std::pair<QString, QString>> entries, Place place) {
  auto* list = new QComboBox;
  list->setObjectName(name);
  for (const auto& [entry, id] : entries) list->addItem(entry, id);
  connect(list, &QComboBox::activated, this, [this, list, place] { write(place, list->currentData().toString().toStdString()); });
  layout()->addWidget(named(words, list));
  choices_.emplace_back(list, place);
  return list;
}

QLineEdit* SearchSettings::number(const char* name, const QString& words, const QString& help, Place place) {
  auto* editor = new QLineEdit;
  editor->setObjectName(name);
  editor->setToolTip(help);
  editor->setFixedWidth(widgets::scaled(kNumberWidth));
  connect(editor, &QLineEdit::textEdited, this, [this, place](const QString& typed) { write(place, valueOf(typed)); });
  layout()->addWidget(named(words, editor));
  numbers_.emplace_back(editor, place);
  return editor;
}

void SearchSettings::write(Place place, const OrderedJson& value) {
  draft_.changeSearch([&](OrderedJson& search) {
    OrderedJson& section = *place.section == 0 ? search : search[place.section];
    if (value.is_null() && section.is_object()) section.erase(place.key);
    else if (section.is_object() || section.is_null()) section[place.key] = value;
  });
}

void SearchSettings::follow() {
  const SearchSpec fresh;  // what holds where the document says nothing
  const OrderedJson& search = draft_.state().search;
  const auto at = [&search](Place place) -> OrderedJson {
    const OrderedJson section = *place.section == 0 ? search : search.value(place.section, OrderedJson::object());
    return section.is_object() ? section.value(place.key, OrderedJson()) : OrderedJson();
  };
  for (const auto& [list, place] : choices_) {
    const OrderedJson now = at(place);
    if (const int index = list->findData(shown(now.is_string() ? now : OrderedJson(*place.key == 'g' ? written(fresh.goal) : written(fresh.method)))); index >= 0) list->setCurrentIndex(index);
  }
  for (const auto& [editor, place] : numbers_) widgets::showText(editor, shown(at(place)));
  const bool halved = search.contains(kHalving) && search[kHalving].is_object();
  early_->setCurrentIndex(!halved ? 0 : std::max(1, early_->findData(shown(at({kHalving, "by"})))));
  for (QWidget* each : ofHalving_) each->setVisible(halved);
}

}  // namespace paceline::experiment

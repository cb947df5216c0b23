#include "app/ui/experiment/experiment_form.h"

#include <QApplication>
#include <QHeaderView>
#include <QPlainTextEdit>
#include <QResizeEvent>
#include <QScrollBar>
#include <QShortcut>

#include "app/models/experiment/draft_vary.h"
#include "app/models/experiment/draft_words.h"
#include "app/models/experiment/topology_graph.h"
#include "app/ui/experiment/form_cards.h"
#include "app/ui/experiment/vary_controls.h"
#include "app/ui/palette/keys.h"
#include "app/ui/widgets/context_menu.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/flow_layout.h"
#include "app/ui/widgets/input_rules.h"
#include "engine/core/base/error.h"

namespace paceline::experiment {
namespace {

constexpr int kRoleWidth = 74;  // "evaluator"

}  // namespace

ExperimentForm::ExperimentForm(ExperimentDraft& draft, clusters::HostsModel& hosts, SplitPreview::Ask splits, QWidget* parent)
    : QWidget(parent), draft_(draft), nodes_(draft), placement_(draft, hosts), scroll_(new widgets::ColumnScroll), help_(widgets::wrapped(widgets::label("", "caption"))) {
  scroll_->setAccessibleName(tr("Experiment form"));
  nodes_.setChoices({.hosts = [this] { return placement_.hosts(); }, .devices = [this](const std::string& host) { return placement_.devices(host); }});
  FormSection* groups = groupsSection(draft_, [this](const RunSpec& spec) { return placement_.speeds(spec); });
  auto* topology = new TopologySection(draft_);
  topology->told = [this](const QString& sentence) { emit told(sentence); };
  sections_ = {identitySection(draft_), problemSection(draft_, splits), cluster(), methodSection(draft_), groups, topology, endingSection(draft_)};
  rail_ = new SectionRail({tr("Experiment"), tr("Problem"), tr("Cluster"), tr("Method"), tr("Groups"), tr("Topology"), tr("Stop")});
  QVBoxLayout* column = widgets::down({}, {widgets::kGroupGap, widgets::kGroupGap, widgets::kGroupGap, widgets::kPageMargin}, widgets::kGroupGap);
  for (FormSection* each : sections_) column->addWidget(each);
  column->addStretch(1);
  scroll_->setWidget(widgets::boxed(column));
  scroll_->widget()->setObjectName("plain");
  help_->setObjectName("formHelp");
  help_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  parts_ = new QBoxLayout(QBoxLayout::LeftToRight);
  parts_->setSpacing(0);
  parts_->addWidget(rail_);
  parts_->addWidget(scroll_, 1);
  QVBoxLayout* all = widgets::down({{parts_, 1}, widgets::horizontalLine(), widgets::boxed(widgets::across({{help_, 1}}, {widgets::kGroupGap, 6, widgets::kGroupGap, 6}))}, {}, 0);
  all->setSizeConstraint(QLayout::SetNoConstraint);  // minimumSizeHint() says it
  setLayout(all);
  const auto order = [this] { widgets::orderTabs(scroll_->widget()); };
  const auto follow = [this, order](int source) {
    if (source == static_cast<int>(ExperimentDraft::Source::kLoad)) forgetTyped(), marked_.clear();
    for (FormSection* section : sections_) section->follow();
    followVaried();
    followFindings();
    order();
    showHelp();
  };
  connect(&draft_, &ExperimentDraft::specChanged, this, follow);
  connect(&draft_, &ExperimentDraft::findingsChanged, this, &ExperimentForm::followFindings);
  connect(&placement_, &PlacementModel::changed, groups, &FormSection::follow);
  connect(&placement_, &PlacementModel::changed, this, order);  // after the board, which made its chips anew
  connect(rail_, &SectionRail::chosen, this, &ExperimentForm::showSection);
  connect(rail_, &SectionRail::entered, this, &ExperimentForm::enter);
  connect(scroll_->verticalScrollBar(), &QScrollBar::valueChanged, this, [this] {
    if (!shows_) rail_->setCurrent(sectionInView());
  });
  connect(qApp, &QApplication::focusChanged, this, &ExperimentForm::showHelp);
  const auto shortcut = [this](const char* keys, const QString& does, auto act) {
    auto* made = new QShortcut(QKeySequence(keys), this);
    made->setContext(Qt::WidgetWithChildrenShortcut);
    palette::tellKeys(made, tr("Experiment form"), does);
    connect(made, &QShortcut::activated, this, act);
  };
  shortcut("Ctrl+L", tr("Vary the field or cell with the keyboard, or no more"), [this] { varyFocused(); });
  shortcut("Ctrl+PgUp", tr("To the section before"), [this] { step(-1); });
  shortcut("Ctrl+PgDown", tr("To the next section"), [this] { step(1); });
  const auto fit = [this] { help_->setFixedHeight(2 * help_->fontMetrics().lineSpacing()); };  // so that nothing moves while one goes through the fields
  connect(&widgets::Theme::instance(), &widgets::Theme::changed, this, fit);
  help_->ensurePolished();
  fit();
  follow(static_cast<int>(ExperimentDraft::Source::kLoad));
  rail_->setCurrent(0);
}

QSize ExperimentForm::minimumSizeHint() const { return {scroll_->minimumSizeHint().width(), QWidget::minimumSizeHint().height()}; }

void ExperimentForm::resizeEvent(QResizeEvent* event) {
  const bool beside = width() >= scroll_->minimumSizeHint().width() + rail_->wide();
  rail_->setAlong(beside ? Qt::Vertical : Qt::Horizontal);
  parts_->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
  QWidget::resizeEvent(event);
}

void ExperimentForm::toTop() { scroll_->verticalScrollBar()->setValue(0); }

int ExperimentForm::sectionOf(const QWidget* widget) const {
  for (std::size_t i = 0; i < sections_.size(); ++i)
    if (widget && sections_[i]->isAncestorOf(widget)) return static_cast<int>(i);
  return -1;
}

// The last that begins above the middle of what is seen.
int ExperimentForm::sectionInView() const {
  const int middle = scroll_->verticalScrollBar()->value() + scroll_->viewport()->height() / 2;
  int found = 0;
  for (std::size_t i = 0; i < sections_.size(); ++i)
    if (!sections_[i]->isHidden() && sections_[i]->y() <= middle) found = static_cast<int>(i);
  return found;
}

void ExperimentForm::showSection(int section) {
  shows_ = true;
  scroll_->verticalScrollBar()->setValue(sections_[static_cast<std::size_t>(section)]->y() - widgets::kGroupGap);
  shows_ = false;
  rail_->setCurrent(section);
}

// To its first error, else its first field or its table.
void ExperimentForm::enter(int section) {
  showSection(section);
  const FormSection* card = sections_[static_cast<std::size_t>(section)];
  const auto topOf = [card](const widgets::Field* field) { return field->mapTo(card, QPoint()).y(); };
  widgets::Field* first = nullptr;
  for (widgets::Field* field : card->fields()) {
    if (field->finding() && field->finding()->error) return reveal(field->pointer());
    const bool takes = field->isVisible() && field->editor()->isEnabled() && field->editor()->focusPolicy() != Qt::NoFocus;
    if (takes && (!first || topOf(field) < topOf(first))) first = field;
  }
  if (first) return first->editor()->setFocus(Qt::TabFocusReason);
  for (QTableView* table : card->findChildren<QTableView*>())  // the cluster has no field
    if (table->isVisible()) return table->setFocus(Qt::TabFocusReason);
}

void ExperimentForm::step(int by) {
  const int here = sectionOf(QApplication::focusWidget()), many = static_cast<int>(sections_.size());
  int next = (here < 0 ? rail_->current() : here) + by;
  while (next >= 0 && next < many && sections_[static_cast<std::size_t>(next)]->isHidden()) next += by;
  if (next >= 0 && next < many) enter(next);
}

// What is said of each section: by the fields in it, and of its tables.
void ExperimentForm::followSections() {
  std::vector<std::pair<int, int>> counts(sections_.size());
  for (const Finding& finding : draft_.findings()) {
    const int at = sectionOf(fieldAt(finding.pointer));
    if (at >= 0) ++(finding.error ? counts[static_cast<std::size_t>(at)].first : counts[static_cast<std::size_t>(at)].second);
  }
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    sections_[i]->followFold();
    rail_->setState(static_cast<int>(i), counts[i].first, counts[i].second);
    rail_->setShown(static_cast<int>(i), !sections_[i]->isHidden());
  }
}

void ExperimentForm::showHelp() {
  QWidget* now = QApplication::focusWidget();
  if (now && !isAncestorOf(now)) return;  // of where the person was last
  QString words = tr("The help of a field stands here while it has the keyboard. Ctrl+Page Down goes to the next section.");
  for (; now && now != this; now = now->parentWidget())
    if (const auto* field = qobject_cast<widgets::Field*>(now); field && !field->help().isEmpty()) words = field->help();
  help_->setText(words);
  help_->setToolTip(words);
}

FormSection* ExperimentForm::cluster() {
  auto* section = new FormSection(draft_, tr("Cluster"));
  QTableView* table = nodeTable_ = widgets::formTable(nodes_, "nodeTable", tr("Nodes"));
  QHeaderView* header = table->horizontalHeader();
  header->resizeSection(NodesModel::kRole, std::max(kRoleWidth, header->sectionSize(NodesModel::kRole)));
  header->setSectionResizeMode(NodesModel::kId, QHeaderView::Stretch);
  QScrollArea* board = placementBoard(placement_);
  board->hide();
  QWidget* bar = placementBar(placement_, [table, board](bool chosen) { table->setVisible(!chosen), board->setVisible(chosen); });
  QPushButton* addEvaluator = widgets::button(tr("Add evaluator"), "plus", [this] { nodes_.addNode(Role::kEvaluator); },
                                              {.name = "addEvaluator", .help = tr("A node that evaluates while the workers go on; one at most")});
  auto* row = new widgets::FlowLayout({widgets::button(tr("Add worker"), "plus", [this] { nodes_.addNode(Role::kWorker); }, {.name = "addWorker"}),
                                      widgets::button(tr("Add server"), "plus", [this] { nodes_.addNode(Role::kServer); }), addEvaluator,
                                      widgets::button(tr("Remove"), "minus", [this, table, board] { nodes_.removeRows(board->isHidden() ? widgets::selectedRows(table) : pickedRows(board, draft_.spec())); }, {.name = "removeNodes"})});
  row->addWidget(varyCellButton(table, nodes_, "varyCell"));
  QWidget* buttons = widgets::boxed(row);
  widgets::offerButtons(table, buttons);
  for (QWidget* each : std::initializer_list<QWidget*>{bar, table, board, buttons}) section->add(each);
  clusterField_ = section->keepNote("/nodes");
  section->onFollow([this, table, addEvaluator] {
    addEvaluator->setEnabled(draft_.spec().evaluators().empty());
    widgets::fitFormTable(table);
  });
  return section;
}

// A field that is being typed into shows what is there instead: its text was undone, or belongs to another document.
void ExperimentForm::forgetTyped() {
  for (QLineEdit* each : findChildren<QLineEdit*>()) each->setModified(false);
  for (QPlainTextEdit* each : findChildren<QPlainTextEdit*>()) each->document()->setModified(false);
}

std::vector<widgets::Field*> ExperimentForm::fields() const {
  std::vector<widgets::Field*> all;
  for (const FormSection* section : sections_) {
    const std::vector<widgets::Field*> own = section->fields();
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

// What runs of a suite do not take from its base is not edited here; a choice not even where some take it, whose names would no longer tell what they are.
// What is said of a choice is not said again of each of its parameters, which stand below it.
void ExperimentForm::followVaried() {
  QString ofChoice;
  for (widgets::Field* field : fields()) {
    const bool own = field->pointer() != kSeedPlace && varies(draft_.state(), field->pointer());
    const auto varied = own ? std::nullopt : variedAt(draft_.state(), draft_.catalog(), field->pointer());
    const bool parameter = field->pointer().find("/params/") != std::string::npos;
    const QString words = varied ? varied->sentence() : QString();
    if (!parameter) ofChoice = words;
    field->setVaries(own, !varied);
    const auto marked = marked_.find(field->pointer());
    const QString notice = words.isEmpty() && marked != marked_.end() ? marked->second : parameter && words == ofChoice ? QString() : words;
    field->setNotice(notice, varied && (varied->left.isEmpty() || field->pointer().ends_with("/id")));
  }
}

// Of the field, or of the table's cell, that has the keyboard.
void ExperimentForm::varyFocused() {
  for (QWidget* up = QApplication::focusWidget(); up && up != this; up = up->parentWidget()) {
    auto* field = qobject_cast<widgets::Field*>(up);
    if (field && field->mayVary()) return field->toggleVary();
    auto* table = qobject_cast<QTableView*>(up);
    auto* model = table ? qobject_cast<DraftTable*>(table->model()) : nullptr;
    if (model) return toggleCell(table, *model);
  }
}

void ExperimentForm::followFindings() {
  for (widgets::Field* field : fields()) {
    std::optional<Finding> finding = draft_.findingAt(field->pointer());
    // What belongs to a field below is told there.
    if (finding && field->pointer() == "/stop" && finding->pointer != "/stop") finding.reset();
    if (finding && field->pointer() == "/nodes" && finding->pointer != "/nodes")
      finding->message = strCat(placeName(finding->pointer, draft_.spec(), draft_.catalog()).toStdString(), ": ", finding->message);
    field->showFinding(finding);
    if (field->pointer() == "/stop") field->setVisible(finding.has_value());  // it has no editor
  }
  clusterField_->setVisible(draft_.findingAt("/nodes").has_value());
  followSections();
}

std::vector<FormPlace> ExperimentForm::places() const {
  std::vector<FormPlace> all;
  for (std::size_t i = 0; i < sections_.size(); ++i)
    for (const widgets::Field* field : sections_[i]->fields()) {
      const QWidget* around = sections_[i]->more().isAncestorOf(field) ? sections_[i]->more().inside() : sections_[i];
      if (!sections_[i]->isHidden() && field->isVisibleTo(around) && !field->name().isEmpty()) all.push_back({rail_->name(static_cast<int>(i)), field->name(), field->pointer()});
    }
  return all;
}

void ExperimentForm::mark(const std::vector<PlaceChange>& changes) {
  for (const PlaceChange& each : changes)
    marked_[each.pointer] = each.before.isEmpty() ? tr("Changed: not set before") : tr("Changed: it was %1").arg(each.before);
  followVaried();
  for (const widgets::Field* field : fields())
    if (marked_.contains(field->pointer())) widgets::unfold(field->parentWidget());
  if (!changes.empty()) reveal(changes.front().pointer);
}

widgets::Field* ExperimentForm::fieldAt(const std::string& pointer) const {
  widgets::Field* best = nullptr;
  for (widgets::Field* field : fields())
    if (isAtOrBelow(pointer, field->pointer()) && (!best || field->pointer().size() > best->pointer().size())) best = field;
  if (best) return best;
  const std::string part = pointer.substr(0, pointer.find('/', 1));  // of a part as a whole: its first field
  for (widgets::Field* field : fields())
    if (isAtOrBelow(field->pointer(), part)) return field;
  return nullptr;
}

void ExperimentForm::reveal(const std::string& pointer) {
  const int row = isAtOrBelow(pointer, "/nodes") ? QString::fromStdString(pointer).section('/', 2, 2).toInt() : -1;
  if (row >= 0 && row < nodes_.rowCount() && nodeTable_->isVisibleTo(this) && !clusterField_->isVisibleTo(this)) {
    nodeTable_->setCurrentIndex(nodes_.index(row, NodesModel::kId));
    scroll_->ensureWidgetVisible(nodeTable_, 0, 80);
    return nodeTable_->setFocus(Qt::OtherFocusReason);
  }
  widgets::Field* best = fieldAt(pointer);
  if (!best) return;
  widgets::unfold(best);
  scroll_->widget()->layout()->activate();
  scroll_->ensureWidgetVisible(best, 0, 80);
  rail_->setCurrent(sectionOf(best));
  best->editor()->setFocus(Qt::OtherFocusReason);
}

}  // namespace paceline::experiment

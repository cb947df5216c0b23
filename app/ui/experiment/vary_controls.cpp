#include "app/ui/experiment/vary_controls.h"

#include <algorithm>

#include <QCheckBox>
#include <QHeaderView>
#include <QScrollBar>

#include "app/models/experiment/draft_vary.h"
#include "app/models/experiment/draft_words.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/flow_layout.h"

namespace paceline::experiment {
namespace {

constexpr int kMostGridHeight = 190;  // px; then it scrolls

// A box for each word of a choice; those that are checked are the list that varies. One at least stays checked.
class VaryBoxes : public QWidget {
 public:
  VaryBoxes(ExperimentDraft& draft, std::string pointer, std::function<FormSection::Words()> words) : draft_(draft), pointer_(std::move(pointer)), words_(std::move(words)) {
    setLayout(new widgets::FlowLayout(std::initializer_list<QWidget*>{}));
    connect(&draft_, &ExperimentDraft::specChanged, this, [this] { follow(); });
    follow();
  }

 private:
  void follow() {
    const auto axis = axisOf(draft_.state(), pointer_);
    if (!axis) return;
    const FormSection::Words words = words_();
    if (words != shown_) rebuild(words);
    const std::vector<std::string> ids = axisIds(draft_.state(), *axis);
    for (std::size_t i = 0; i < boxes_.size(); ++i) boxes_[i]->setChecked(std::ranges::find(ids, shown_[i].second.toStdString()) != ids.end());
  }

  void rebuild(const FormSection::Words& words) {
    shown_ = words;
    boxes_.clear();
    widgets::emptyLayout(layout());
    for (const auto& [word, id] : words) {
      auto* box = new QCheckBox(word);
      box->setObjectName(qtext(pointer_) + ":" + id);
      connect(box, &QCheckBox::clicked, this, [this] { write(); });
      layout()->addWidget(box);
      boxes_.push_back(box);
    }
  }

  // In the order of the list so far; what is new comes last.
  void write() {
    std::vector<std::string> ids;
    const auto isChecked = [this](const std::string& id) {
      for (std::size_t i = 0; i < boxes_.size(); ++i)
        if (shown_[i].second.toStdString() == id) return boxes_[i]->isChecked();
      return true;  // the document has it, the catalogue not
    };
    const auto axis = axisOf(draft_.state(), pointer_);
    for (const std::string& id : axis ? axisIds(draft_.state(), *axis) : std::vector<std::string>())
      if (isChecked(id) && std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
    for (std::size_t i = 0; i < boxes_.size(); ++i)
      if (const std::string id = shown_[i].second.toStdString(); boxes_[i]->isChecked() && std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
    if (ids.empty()) return follow();
    draft_.setVariedIds(pointer_, ids);
  }

  ExperimentDraft& draft_;
  std::string pointer_;
  std::function<FormSection::Words()> words_;
  FormSection::Words shown_;
  std::vector<QCheckBox*> boxes_;
};

}  // namespace

void offerVary(widgets::Field& field, ExperimentDraft& draft, std::function<FormSection::Words()> words) {
  QWidget* boxes = words ? new VaryBoxes(draft, field.pointer(), std::move(words)) : nullptr;
  field.offerVary([&field, &draft, boxes](bool on) {
    on ? draft.vary(field.pointer()) : draft.endVary(field.pointer());
    auto* editor = qobject_cast<QLineEdit*>(field.editor());
    if (!on || boxes || !editor) return;
    editor->setFocus(Qt::OtherFocusReason);
    editor->end(false);
  }, boxes);
}

QPushButton* varyCellButton(QTableView* table, DraftTable& model, const char* objectName) {
  return widgets::button(QObject::tr("Vary cell"), "vary", [table, &model] { toggleCell(table, model); },
                         {.name = objectName, .help = QObject::tr("Turns the chosen cell into a list or a range, or back into one value: 1, 2, 4; 1..8 step 2; 0.001..1 log 4 (Ctrl+L)")});
}

void toggleCell(QTableView* table, DraftTable& model) {
  const QModelIndex index = table->currentIndex();
  const bool on = !index.data(kVariedRole).toBool();
  table->setFocus(Qt::OtherFocusReason);
  if (model.setVaries(index, on) && on) table->edit(index);
}

SuiteStrip::SuiteStrip(ExperimentDraft& draft, const runs::RunsModel& stored, RunPrediction& prediction, QWidget* parent)
    : QFrame(parent), draft_(draft), stored_(stored), prediction_(prediction), model_(draft), sentence_(widgets::wrapped(widgets::label(""))),
      searched_(widgets::button(tr("Search"), "search", [this] { draft_.setSearched(searched_->isChecked()); }, {.kind = "quiet", .name = "searchButton", .help = tr("Chooses points by what earlier ones gave, within a budget, instead of running all combinations. In a field: search 0.001..1 log")})),
      open_(widgets::button(tr("Grid"), "vary", [this] { pane_->setVisible(open_->isChecked() && draft_.state().search.empty()), followSearch(), fitGrid(); }, {.kind = "quiet", .name = "suiteGridButton", .help = tr("Shows the runs; a box that is not checked is left out")})),
      settings_(new SearchSettings(draft)), grid_(new QTableView) {
  setObjectName("suiteStrip");
  sentence_->setObjectName("suiteSentence");
  searched_->setCheckable(true);
  open_->setCheckable(true);
  grid_->setModel(&model_);
  grid_->setObjectName("suiteGrid");
  grid_->setAccessibleName(tr("Runs of the suite"));
  grid_->setTabKeyNavigation(false);  // arrows go from run to run, Tab to the buttons
  grid_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  grid_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  grid_->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  const auto put = [this](bool run) { return [this, run] { model_.set(grid_->selectionModel()->selectedIndexes(), run); }; };
  QPushButton* out = widgets::button(tr("Leave out"), "minus", put(false), {.kind = "quiet", .name = "leaveOut", .help = tr("The selected runs; Space changes one")});
  QPushButton* in = widgets::button(tr("Put back"), "plus", put(true), {.kind = "quiet", .name = "putBack", .help = tr("The selected runs")});
  pane_ = widgets::boxed(widgets::down({grid_, widgets::across({out, in, widgets::room()})}));
  pane_->hide();
  setLayout(widgets::down({widgets::across({{sentence_, 1}, searched_, open_}), settings_, pane_}, {widgets::kPageMargin, widgets::kGroupGap, widgets::kPageMargin, widgets::kGroupGap}));
  connect(&draft_, &ExperimentDraft::findingsChanged, this, &SuiteStrip::follow);
  connect(&stored_, &runs::RunsModel::refreshed, this, &SuiteStrip::follow);
  connect(&prediction_, &RunPrediction::changed, this, &SuiteStrip::follow);
  connect(&model_, &QAbstractItemModel::modelReset, this, &SuiteStrip::fitGrid);
  follow();
}

void SuiteStrip::follow() {
  const SearchSpace* search = draft_.search();
  const bool searched = !draft_.state().search.empty();
  QString sentence = suiteSentence(draft_.state(), draft_.catalog(), draft_.axes(), draft_.positions().size());
  if (searched) sentence = search ? searchSentence(draft_.state(), draft_.catalog(), *search) : tr("A search that cannot be read yet");
  followTime(sentence);
  setVisible(!sentence.isEmpty());
  searched_->setChecked(searched);
  open_->setText(searched ? tr("Settings") : tr("Grid"));
  open_->setToolTip(searched ? tr("What is best, the budget, and what is stopped early") : tr("Shows the runs; a box that is not checked is left out"));
  if (searched) pane_->hide();
  else pane_->setVisible(open_->isChecked());
  followSearch();
}

// The simulator's where it knows all runs: the prediction beside the form says the same.
void SuiteStrip::followTime(const QString& sentence) {
  const SearchSpace* search = draft_.search();
  const bool bounded = search && search->spec().budget.minutes;  // its sentence says so
  const QString simulated = prediction_.suiteTime();
  QString time, by;
  if (!simulated.isEmpty()) {
    time = tr("%1 (simulated)", "a time").arg(simulated);
    by = tr("What the simulator of this computer says of each run, added up: they are taken one after the other. %1").arg(prediction_.suiteSources());
  } else if (!bounded) {
    time = timeText(draft_.runnable(), stored_, search ? search->spec().budget.runs.value_or(0) : 0);
  }
  sentence_->setText(time.isEmpty() ? sentence : sentence + ", " + time);
  sentence_->setToolTip(by.isEmpty() ? by : QString("<p>%1</p>").arg(by.toHtmlEscaped()));  // as rich text it breaks into lines
  sentence_->setAccessibleDescription(by);
}

void SuiteStrip::followSearch() { settings_->setVisible(open_->isChecked() && !draft_.state().search.empty()); }

void SuiteStrip::fitGrid() {
  int height = grid_->horizontalHeader()->sizeHint().height() + 2 * grid_->frameWidth();
  for (int row = 0; row < model_.rowCount() && height < kMostGridHeight; ++row) height += grid_->rowHeight(row);
  if (grid_->horizontalScrollBar()->isVisible()) height += grid_->horizontalScrollBar()->height();
  grid_->setFixedHeight(std::min(height, kMostGridHeight));
}

}  // namespace paceline::experiment

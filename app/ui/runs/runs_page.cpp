#include "app/ui/runs/runs_page.h"

#include <QApplication>
#include <QHeaderView>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPlainTextEdit>
#include <QSettings>
#include <QShortcut>
#include <algorithm>

#include "app/figures/figure.h"
#include "app/models/words.h"
#include "app/ui/widgets/state_mark.h"

namespace paceline::runs {
namespace {

constexpr int kMostQueued = 6;  // rows; then the queue scrolls

widgets::StateMark queueMark(const QModelIndex& index) {
  const QString word = index.data().toString();
  if (word == "Held") return {"lock", widgets::Token::kWarn};
  if (word == "Waiting") return {"waiting", widgets::Token::kTextMuted};
  return widgets::stateMark(static_cast<store::RunState>(index.data(RunQueue::kStateRole).toInt()));
}

// The protection of the run's traffic, from the versions in its record.
QString protectionText(const std::string& versions) {
  const QString mode = QJsonDocument::fromJson(QByteArray::fromStdString(versions)).object()["protection"].toString();
  if (mode == "plain") return "none needed: one host";
  if (mode == "curve") return "CURVE, keys of this run";
  if (mode == "aes_gcm") return "AES-GCM, keys of this run";
  return mode;
}

}  // namespace

// The recorder's queue above the table of runs: running, waiting and held entries, with buttons for order, stop and go. Hidden while it is
// empty. Alt+Up and Alt+Down move the selected run, Delete takes it out. When it leaves nothing is selected: another Delete is not the next one's.
class QueuePane : public QWidget {
 public:
  explicit QueuePane(Shell& shell) : shell_(shell), table_(widgets::table(shell.queue, "queueTable", "Queue")) {
    setObjectName("queuePane");
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setItemDelegateForColumn(RunQueue::kState, widgets::markedCells(queueMark, table_));
    widgets::setWidths(table_, {220, 96, 150, 150}, RunQueue::kText);
    QHBoxLayout* title = widgets::across({widgets::label("Queue", "section"), count_, widgets::room(), go_, up_, down_, stop_}, {widgets::kPageMargin, 12, widgets::kPageMargin, 0});
    setLayout(widgets::down({title, table_, widgets::horizontalLine()}));
    connect(&shell_.queue, &RunQueue::changed, this, &QueuePane::follow);
    connect(&widgets::Theme::instance(), &widgets::Theme::changed, this, &QueuePane::follow);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
      if (now.isValid()) selected_ = now.data(RunQueue::kRunRole).toString().toStdString(), follow();
    });
    connect(&shell_.queue, &RunQueue::leaves, this, [this](const std::string& run) {
      if (run == selected_) table_->selectionModel()->clear();  // else the view selects its neighbour
    });
    connect(table_, &QTableView::activated, this, [this] {
      if (const recorder::Entry* entry = shell_.queue.find(selected_); entry && !entry->waiting) shell_.openRun(selected_);
    });
    for (const auto& [key, by] : {std::pair(Qt::Key_Up, -1), std::pair(Qt::Key_Down, 1)})
      new QShortcut(QKeySequence(Qt::ALT | key), table_, this, [this, by = by] { move(by); }, Qt::WidgetShortcut);
    follow();
  }
  bool hasKeyboard() const { return table_->hasFocus(); }

  void stopSelected() {
    if (shell_.queue.find(selected_)) shell_.stopRun(selected_);
  }

 private:
  void move(int by) { shell_.queue.move(selected_, by); }

  void follow() {
    const RunQueue& queue = shell_.queue;
    setVisible(queue.busy());
    const auto waiting = std::ranges::count(queue.entries(), true, &recorder::Entry::waiting);
    count_->setText(QString("%1 in progress, %2 waiting").arg(queue.rowCount() - waiting).arg(waiting));
    const int row = queue.rowOf(selected_);
    if (row >= 0 && table_->currentIndex().row() != row) table_->selectRow(row);
    const recorder::Entry* entry = queue.find(selected_);
    go_->setVisible(queue.held() > 0);
    for (QPushButton* each : {up_, down_}) each->setEnabled(entry && entry->waiting && waiting > 1);
    stop_->setEnabled(entry && entry->state != store::RunState::kStopping);
    stop_->setText(entry && entry->waiting ? "Remove" : "Stop");
    widgets::fitRows(table_, kMostQueued);
  }

  Shell& shell_;
  std::string selected_;  // a run; kept while the order changes
  QLabel* count_ = widgets::label("", "muted");
  QPushButton* go_ = widgets::button("Go", "play", [this] { shell_.queue.go(); }, {.kind = "primary", .name = "queueGo", .help = "Starts the runs held since the restart of this computer"});
  QPushButton* up_ = widgets::button("Up", "", [this] { move(-1); }, {.name = "queueUp", .help = "Before the one above (Alt+Up)"});
  QPushButton* down_ = widgets::button("Down", "", [this] { move(1); }, {.name = "queueDown", .help = "Behind the one below (Alt+Down)"});
  QPushButton* stop_ = widgets::button("Stop", "stop", [this] { stopSelected(); }, {.kind = "bad", .name = "queueStop"});
  QTableView* table_;
};

// The right-hand pane: one run's name, notes, tags, actions and numbers.
class RunDetails : public widgets::ScrollPane {
 public:
  explicit RunDetails(Shell& shell) : widgets::ScrollPane(264), shell_(shell) {
    buildTexts();
    widgets::addAll(column_, {state_, many_, name_, tags_, notes_, actions(), errorBox_, widgets::horizontalLine(), facts_, widgets::room()});
    present({});
  }

  std::vector<std::string> ended() const {  // of those that are selected
    std::vector<std::string> runs;
    for (const std::string& run : selected_)
      if (const RunItem* item = shell_.runs.find(run); item && !isActive(item->row.state)) runs.push_back(run);
    return runs;
  }

  void present(const std::vector<std::string>& selected) {
    selected_ = selected;
    const RunItem* first = selected.empty() ? nullptr : shell_.runs.find(selected.front());
    const RunItem* item = selected.size() == 1 ? first : nullptr;  // whose texts and numbers are shown
    many_->setText(selected.empty() ? "Select a run to see its details." : plural(static_cast<int>(selected.size()), "run") + " selected");
    many_->setVisible(item == nullptr);
    for (QWidget* each : ofOne_) each->setVisible(item != nullptr);
    const bool other = item != nullptr && item->row.id != run_;
    if (!item || other) saveTexts();  // what was typed about the one that goes
    run_ = item ? item->row.id : std::string();
    const bool trashed = first && first->row.trashed, stale = item && item->row.state == store::RunState::kStale;
    attach_->setVisible(stale && !trashed);
    compare_->setVisible(first && !trashed);  // what is compared is not in the trash
    trash_->setVisible(first && !trashed);
    trash_->setEnabled(!ended().empty());
    restore_->setVisible(trashed);
    purge_->setVisible(trashed);
    errorBox_->setVisible(item && !item->row.error.empty());
    if (!item) {
      factsShown_.clear();
      return widgets::emptyLayout(facts_);
    }
    for (QPushButton* each : {rerun_, clone_}) each->setEnabled(!item->row.specText.empty());
    state_->setState(item->row.state);
    error_->setFullText(asSentence(qtext(item->row.error)));
    showTexts(textsOf(item->row), other);
    fillFacts(*item);
  }

 protected:
  bool eventFilter(QObject* object, QEvent* event) override {
    if (object == notes_ && event->type() == QEvent::FocusOut) saveTexts();
    return widgets::ScrollPane::eventFilter(object, event);
  }

 private:
  // What changed in the store, or all of another run; not over what is being typed.
  void showTexts(const RunTexts& now, bool other) {
    const bool name = other || now.name != stored_.name, tags = other || now.tags != stored_.tags, notes = other || now.notes != stored_.notes;
    if (name) texts_.name = now.name;
    if (tags) texts_.tags = now.tags;
    if (notes) texts_.notes = now.notes;
    stored_ = now;
    if (name && (other || !name_->isModified())) name_->setText(qtext(now.name)), name_->setCursorPosition(0);
    if (tags && (other || !tags_->isModified())) tags_->setText(qtexts(now.tags).join(", "));
    if (notes && (other || !notes_->document()->isModified())) notes_->setPlainText(qtext(now.notes));
  }

  void buildTexts() {
    name_->setAccessibleName("Name");
    tags_->setAccessibleName("Tags");
    tags_->setPlaceholderText("Tags, separated by commas");
    notes_->setAccessibleName("Notes");
    notes_->setPlaceholderText("Notes");
    notes_->setFixedHeight(64);
    notes_->setTabChangesFocus(true);
    for (QLineEdit* each : {name_, tags_}) connect(each, &QLineEdit::editingFinished, this, &RunDetails::saveTexts);
    notes_->installEventFilter(this);
    QAction* save = notes_->addAction("Save notes");
    save->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_S));
    save->setShortcutContext(Qt::WidgetShortcut);
    connect(save, &QAction::triggered, this, &RunDetails::saveTexts);
  }

  QGridLayout* actions() {
    QPushButton* open = widgets::button("Open", "runs", [this] { shell_.openRun(run_); });
    compare_ = widgets::button("Compare", "compare", [this] { shell_.compareRuns(selected_); }, {.name = "compareSelected"});
    rerun_ = widgets::button("Run again", "rerun", [this] { shell_.rerun(run_); });
    clone_ = widgets::button("Edit a copy", "draft", [this] { shell_.cloneRun(run_); });
    attach_ = widgets::button("Attach", "refresh", [this] { shell_.queue.attach(run_); }, {.help = "Follow this run again: fetch what is missing from its hosts"});
    trash_ = widgets::button("Trash", "trash", [this] { shell_.moveRuns(ended(), true); }, {.name = "trashSelected", .help = "Move to the trash (Del)"});
    restore_ = widgets::button("Restore", "restore", [this] { shell_.moveRuns(selected_, false); }, {.name = "restoreSelected"});
    purge_ = widgets::button("Delete", "trash", [this] { purge(); }, {.kind = "bad", .help = "Delete for ever"});
    auto* grid = new QGridLayout;
    grid->setSpacing(widgets::kGap);
    int i = 0;
    for (QPushButton* each : {open, rerun_, compare_, clone_, trash_, attach_, restore_, purge_}) grid->addWidget(each, i / 2, i % 2), ++i;
    ofOne_ = {state_, name_, tags_, notes_, open, rerun_, clone_};
    return grid;
  }

  void fillFacts(const RunItem& item) {
    const store::RunRow& row = item.row;
    const std::pair<const char*, QString> facts[] = {
        {"Algorithm", qtext(row.algorithm.empty() ? "" : displayName(row.algorithm))},
        {"Model", row.model.empty() ? QString() : shell_.runs.titleOf(row.model)},
        {"Data", row.dataset.empty() ? QString() : shell_.runs.titleOf(row.dataset) + (row.partition.empty() ? QString() : ", " + shell_.runs.titleOf(row.partition))},
        {"Seed", row.specText.empty() ? QString() : QString::number(row.seed)},
        {"Best accuracy", item.measured ? percentText(item.accuracyBest) : QString()},
        {"Samples/s", item.measured && item.samplesPerSecond > 0 ? rateText(item.samplesPerSecond) : QString()},
        {"Wall time", item.measured && item.wallSeconds > 0 ? durationText(item.wallSeconds) : QString()},
        {"Created", whenText(row.createdUtc)},
        {"Ended", row.endedUtc > 0 ? whenText(row.endedUtc) : QString()},
        {"End", row.error.empty() ? reasonWord(row.reason) : QString()},
        {"Protection", protectionText(row.versions)},
        {"Source", qtext(row.source)},
        {"Id", qtext(row.id)},
        {"Configuration", qtext(row.configHash.substr(0, 12))},
    };
    QString all;
    for (const auto& [name, value] : facts) all += value + '\n';
    if (all == factsShown_) return;  // a text that is being selected stays
    factsShown_ = all;
    widgets::emptyLayout(facts_);
    for (const auto& [name, value] : facts) facts_->add(name, value, qstrcmp(name, "Id") == 0 || qstrcmp(name, "Configuration") == 0);
  }

  // Only what was typed: a field shows line ends and commas of its own, and must not write those by being visited.
  void saveTexts() {
    RunTexts texts = texts_;
    if (name_->isModified()) texts.name = name_->text().trimmed().toStdString();
    if (tags_->isModified()) texts.tags = tagsIn(tags_->text());
    if (notes_->document()->isModified()) texts.notes = notes_->toPlainText().toStdString();
    for (QLineEdit* each : {name_, tags_}) each->setModified(false);
    notes_->document()->setModified(false);
    if (texts == std::exchange(texts_, texts)) return;
    shell_.describeRun(run_, texts);
  }

  void purge() {
    const std::vector<std::string> runs = selected_;  // those that are asked about, whatever is selected then
    const bool one = runs.size() == 1;
    const QString what = one ? "\"" + name_->text() + "\"" : plural(static_cast<int>(runs.size()), "run");
    const QString loss = QString("%1 and everything recorded of %2 will be gone. This cannot be undone.").arg(what, one ? "it" : "them");
    if (!widgets::sure(this, "Delete for ever", loss)) return;
    const auto left = std::make_shared<std::vector<std::string>>();
    shell_.recorder.ask([runs, left](recorder::Client& client) { *left = client.purge(runs); },
                        [this, left] { if (!left->empty()) shell_.tell(qtexts(*left).join(" ").toStdString()); });
  }

  Shell& shell_;
  std::vector<std::string> selected_;
  std::string run_;  // whose texts are shown; "": none's
  RunTexts stored_, texts_;  // as the store had them at the last look; the same with what was saved here since
  widgets::StateBadge* state_ = new widgets::StateBadge;
  QLineEdit *name_ = new QLineEdit, *tags_ = new QLineEdit;
  QPlainTextEdit* notes_ = new QPlainTextEdit;
  widgets::BreakingLabel* error_ = new widgets::BreakingLabel;
  QLabel* many_ = widgets::label("", "muted");
  QWidget* errorBox_ = widgets::card({error_, {widgets::copyButton("Copy error", [this] { return error_->fullText(); }), 0, Qt::AlignLeft}});
  widgets::FactGrid* facts_ = new widgets::FactGrid;
  QString factsShown_;
  QPushButton *compare_, *rerun_, *clone_, *attach_, *trash_, *restore_, *purge_;
  std::vector<QWidget*> ofOne_;  // shown while a run is
};

RunsPage::RunsPage(Shell& shell) : widgets::Page("Runs"), shell_(shell), queue_(new QueuePane(shell)), stack_(new QStackedWidget), details_(new RunDetails(shell)) {
  titleRow_->addWidget(widgets::button("New experiment", "plus", [this] { shell_.newExperiment(); }, {.kind = "primary", .help = "Ctrl+N"}));
  buildRow();
  QSplitter* splitter = widgets::splitter(Qt::Horizontal, {{buildTable(), 830, 1}, {details_, 272}});
  splitter->setObjectName("runsSplitter");
  widgets::addAll(body_, {widgets::horizontalLine(), queue_, {splitter, 1}});
  connect(&shell_.runs, &RunsModel::refreshed, this, &RunsPage::follow);
  for (const auto change : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved}) connect(&filter_, change, this, &RunsPage::showEmpty);
  connect(&filter_, &QAbstractItemModel::modelReset, this, &RunsPage::showEmpty);
  follow();
}

void RunsPage::buildRow() {
  search_ = widgets::searchField("Search name, tag, algorithm, model, data, state", "runsSearch", [this](const QString& text) {
    filter_.setWords(text);
    QSettings().setValue("runs/search", text);
    showEmpty();
  });
  search_->setMinimumWidth(280);
  search_->setMaximumWidth(380);
  states_ = new widgets::Segments({"All", "Active", "Finished", "Problems"});
  trash_ = widgets::button("Trash", "trash", {}, {.kind = "quiet", .name = "showTrash"});
  trash_->setCheckable(true);
  count_ = widgets::label("", "muted");
  widgets::addAll(addRow(), {{search_, 2}, states_, widgets::room(), count_, trash_});
  connect(states_, &widgets::Segments::chosen, this, [this](int index) {
    filter_.setStates(static_cast<RunsFilter::States>(index));
    QSettings().setValue("runs/states", index);
    showEmpty();
  });
  connect(trash_, &QPushButton::toggled, this, &RunsPage::setTrash);
}

QWidget* RunsPage::buildTable() {
  filter_.setSourceModel(&shell_.runs);
  table_ = widgets::table(filter_, "runsTable", "Runs");
  table_->setSortingEnabled(true);
  table_->sortByColumn(RunsModel::kCreated, Qt::DescendingOrder);
  table_->setItemDelegateForColumn(RunsModel::kName, widgets::runNameCells(table_));
  table_->setItemDelegateForColumn(RunsModel::kState, widgets::runStateCells(table_));
  QHeaderView* header = table_->horizontalHeader();
  widgets::setWidths(table_, {216, 104, 90, 80, 80, 90, 104, 80, 110});
  header->setMinimumSectionSize(56);
  header->setSectionsMovable(true);
  widgets::keepColumns(table_, "runs/header");
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunsPage::follow);
  connect(table_, &QTableView::activated, this, [this](const QModelIndex& index) {
    shell_.openRun(index.data(RunsModel::kIdRole).toString().toStdString());
  });
  empty_ = new widgets::EmptyState("runs", "", "", "New experiment", [this] { shell_.newExperiment(); });
  stack_->addWidget(table_);
  stack_->addWidget(empty_);
  search_->setText(QSettings().value("runs/search").toString());
  states_->setCurrent(QSettings().value("runs/states", 0).toInt());
  return stack_;
}

std::vector<std::string> RunsPage::selected() const {
  std::vector<std::string> runs;
  for (const QModelIndex& index : table_->selectionModel()->selectedRows())
    runs.push_back(index.data(RunsModel::kIdRole).toString().toStdString());
  return runs;
}

void RunsPage::follow() {
  const bool here = isAncestorOf(QApplication::focusWidget());
  details_->present(selected());
  showEmpty();
  if (here && !isAncestorOf(QApplication::focusWidget())) takeKeyboard();  // a button of the details has gone; the next in turn is one of a message
}

void RunsPage::showEmpty() {
  const bool inTable = table_->hasFocus();
  const int all = shell_.runs.rowCount(), shown = filter_.rowCount();
  count_->setText(shown == all ? plural(all, "run") : QString("%1 of %2").arg(shown).arg(plural(all, "run")));
  if (!shell_.runs.loaded()) empty_->setWords("Reading the store", "");
  else if (all > 0) empty_->setWords("Nothing matches", "No run has all of these words and that state.");
  else if (shell_.runs.trashed()) empty_->setWords("The trash is empty", "Runs that are moved to the trash wait here until they are restored or deleted for ever.");
  else empty_->setWords("No runs yet", "A run is one training: real worker and server processes, measured round by round. Set one up, or import results (File menu).");
  empty_->setActionVisible(shell_.runs.loaded() && all == 0 && !shell_.runs.trashed());
  stack_->setCurrentIndex(shown > 0 ? 0 : 1);
  details_->setVisible(shown > 0);
  if (inTable && shown == 0) takeKeyboard();  // else the rail has it
}

void RunsPage::setTrash(bool on) {
  trash_->setText(on ? "Back to runs" : "Trash");
  title_->setText(on ? "Trash" : "Runs");
  shell_.runs.setTrashed(on);
}

void RunsPage::trashSelected() {
  if (queue_->hasKeyboard()) return queue_->stopSelected();
  if (shell_.runs.trashed()) return;
  if (const std::vector<std::string> runs = details_->ended(); !runs.empty()) shell_.moveRuns(runs, true);
}

void RunsPage::takeKeyboard() {
  (table_->isVisible() ? static_cast<QWidget*>(table_) : this)->setFocus(Qt::OtherFocusReason);
}

void RunsPage::entered() {
  shell_.runs.refresh();
  if (!search_->hasFocus()) takeKeyboard();
}

}  // namespace paceline::runs

#include "app/ui/runs/run_details.h"

#include <algorithm>
#include <memory>

#include <QJsonDocument>
#include <QJsonObject>

#include "app/cluster/run/run_session.h"
#include "app/figures/figure.h"
#include "app/models/words.h"
#include "app/ui/runs/export_menu.h"
#include "app/ui/runs/run_diff.h"

namespace paceline::runs {
namespace {

// The protection of the run's traffic, from the versions in its record.
QString protectionText(const std::string& versions) {
  const QString mode = QJsonDocument::fromJson(QByteArray::fromStdString(versions)).object()["protection"].toString();
  if (mode == "plain") return QObject::tr("none needed: one host");
  if (mode == "curve") return QObject::tr("CURVE, keys of this run");
  if (mode == "aes_gcm") return QObject::tr("AES-GCM, keys of this run");
  return mode;
}

// What the texts of several runs have in common; of one its own.
RunTexts sharedBy(const std::vector<RunTexts>& texts) {
  if (texts.empty()) return {};
  RunTexts shared = texts.front();
  for (const RunTexts& each : texts) {
    std::erase_if(shared.tags, [&each](const std::string& tag) { return std::ranges::find(each.tags, tag) == each.tags.end(); });
    if (each.notes != shared.notes) shared.notes.clear();
    if (each.name != shared.name) shared.name.clear();
  }
  return shared;
}

// One of several: tags that all had come and go, notes that all had are replaced; those that differ grow.
RunTexts changed(RunTexts now, const RunTexts& before, const RunTexts& after, bool addNotes) {
  const auto has = [](const std::vector<std::string>& tags, const std::string& tag) { return std::ranges::find(tags, tag) != tags.end(); };
  std::erase_if(now.tags, [&](const std::string& tag) { return has(before.tags, tag) && !has(after.tags, tag); });
  for (const std::string& tag : after.tags)
    if (!has(now.tags, tag)) now.tags.push_back(tag);
  if (addNotes) now.notes += (now.notes.empty() ? "" : "\n") + after.notes;
  else if (after.notes != before.notes) now.notes = after.notes;
  return now;
}

}  // namespace

RunDetails::RunDetails(Shell& shell, const RunRows& rows) : widgets::ScrollPane(264), shell_(shell), rows_(rows), suite_(new SuiteDetails(shell, rows)) {
  buildTexts();
  widgets::addAll(column_, {suite_, state_, many_, name_, tags_, notes_, actions(), errorBox_, widgets::horizontalLine(), facts_, widgets::room()});
  present({});
}

std::vector<std::string> RunDetails::ended() const {
  std::vector<std::string> runs;
  for (const std::string& run : selected_)
    if (const RunItem* item = shell_.runs.find(run); item && !isActive(item->row.state)) runs.push_back(run);
  return runs;
}

std::vector<RunTexts> RunDetails::textsNow() const {
  std::vector<RunTexts> texts;
  for (const std::string& run : shown_)
    if (const RunItem* item = shell_.runs.find(run)) texts.push_back(textsOf(item->row));
  return texts;
}

void RunDetails::present(const std::vector<std::string>& selected, const SuiteFacts* suite) {
  selected_ = selected;
  std::vector<std::string> begun;
  std::ranges::copy_if(selected, std::back_inserter(begun), [this](const std::string& run) { return shell_.runs.find(run) != nullptr; });
  const RunItem* first = begun.empty() ? nullptr : shell_.runs.find(begun.front());
  const RunItem* item = suite == nullptr && selected.size() == 1 ? rows_.itemOf(selected.front()) : nullptr;  // whose numbers are shown; of a cell its document's
  const bool other = begun != shown_, one = item != nullptr && first != nullptr, pending = item != nullptr && first == nullptr;
  if (other) saveTexts();  // what was typed about those that go
  shown_ = begun;
  run_ = one ? item->row.id : std::string();
  suite_->present(suite);
  many_->setText(pending                                ? qtext(item->row.name) + "\n" + (shell_.queue.find(selected.front()) ? tr("has not begun.") : tr("never began."))
                 : selected.empty() && suite == nullptr ? tr("Select a run to see its details.")
                                                        : tr("%n run(s) selected", nullptr, static_cast<int>(selected.size())));
  many_->setVisible(!one && suite == nullptr);
  for (QWidget* each : ofOne_) each->setVisible(one);
  for (QWidget* each : std::initializer_list<QWidget*>{tags_, notes_}) each->setVisible(first != nullptr);
  clone_->setVisible(item != nullptr);
  const bool trashed = first && first->row.trashed, stale = one && item->row.state == store::RunState::kStale;
  attach_->setVisible(stale && !trashed);
  remove_->setVisible(pending && shell_.queue.find(selected.front()) != nullptr);
  compare_->setVisible(first && !trashed);  // what is compared is not in the trash
  trash_->setVisible(first && !trashed);
  export_->setVisible(first != nullptr);
  compared_ = suite != nullptr ? suite->runs : selected;
  diff_->setVisible(compared_.size() > 1);
  trash_->setEnabled(!ended().empty());
  restore_->setVisible(trashed);
  purge_->setVisible(trashed);
  errorBox_->setVisible(one && !item->row.error.empty());
  if (first) showTexts(sharedBy(textsNow()), other);
  if (!item) {
    factsShown_.clear();
    return widgets::emptyLayout(facts_);
  }
  for (QPushButton* each : {rerun_, clone_}) each->setEnabled(!item->row.specText.empty());
  state_->setState(item->row.state);
  error_->setFullText(asSentence(qtext(item->row.error)));
  fillFacts(*item);
}

bool RunDetails::eventFilter(QObject* object, QEvent* event) {
  if (object == notes_ && event->type() == QEvent::FocusOut) saveTexts();
  return widgets::ScrollPane::eventFilter(object, event);
}

// What changed in the store, or all of other runs; not over what is being typed.
void RunDetails::showTexts(const RunTexts& now, bool other) {
  const bool name = other || now.name != stored_.name, tags = other || now.tags != stored_.tags, notes = other || now.notes != stored_.notes;
  if (name) texts_.name = now.name;
  if (tags) texts_.tags = now.tags;
  if (notes) texts_.notes = now.notes;
  stored_ = now;
  if (name && (other || !name_->isModified())) name_->setText(qtext(now.name)), name_->setCursorPosition(0);
  if (tags && (other || !tags_->isModified())) tags_->setText(qtexts(now.tags).join(", "));
  if (notes && (other || !notes_->document()->isModified())) notes_->setPlainText(qtext(now.notes));
  const bool several = shown_.size() > 1;
  tags_->setPlaceholderText(several ? tr("Tags of all %1, separated by commas").arg(shown_.size()) : tr("Tags, separated by commas"));
  notes_->setPlaceholderText(alike() ? (several ? tr("Notes of all %1").arg(shown_.size()) : tr("Notes")) : tr("Notes differ; what is written here is added to each"));
}

bool RunDetails::alike() const {
  const std::vector<RunTexts> texts = textsNow();
  return std::ranges::all_of(texts, [&texts](const RunTexts& each) { return each.notes == texts.front().notes; });
}

void RunDetails::buildTexts() {
  name_->setAccessibleName(tr("Name"));
  tags_->setAccessibleName(tr("Tags"));
  notes_->setAccessibleName(tr("Notes"));
  notes_->setFixedHeight(64);
  notes_->setTabChangesFocus(true);
  for (QLineEdit* each : {name_, tags_}) connect(each, &QLineEdit::editingFinished, this, &RunDetails::saveTexts);
  notes_->installEventFilter(this);
  QAction* save = notes_->addAction(tr("Save notes"));
  save->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_S));
  save->setShortcutContext(Qt::WidgetShortcut);
  connect(save, &QAction::triggered, this, &RunDetails::saveTexts);
}

QGridLayout* RunDetails::actions() {
  open_ = widgets::button(tr("Open"), "runs", [this] { shell_.openRun(run_); });
  compare_ = widgets::button(tr("Compare"), "compare", [this] { shell_.compareRuns(selected_); }, {.name = "compareSelected"});
  diff_ = widgets::button(tr("Differences"), "", [this] { showDifferences(this, rows_, compared_); }, {.name = "diffSelected", .help = tr("Where the documents of the selected runs differ")});
  rerun_ = widgets::button(tr("Run again"), "rerun", [this] { shell_.rerun(run_); });
  clone_ = widgets::button(tr("Edit a copy"), "draft", [this] { shell_.cloneRun(run_); });
  attach_ = widgets::button(tr("Attach"), "refresh", [this] { shell_.queue.attach(run_); }, {.help = tr("Follow this run again: fetch what is missing from its hosts")});
  trash_ = widgets::button(tr("Trash"), "trash", [this] { shell_.moveRuns(ended(), true); }, {.name = "trashSelected", .help = tr("Move to the trash (Del)")});
  restore_ = widgets::button(tr("Restore"), "restore", [this] { shell_.moveRuns(selected_, false); }, {.name = "restoreSelected"});
  purge_ = widgets::button(tr("Delete"), "trash", [this] { purge(); }, {.kind = "bad", .help = tr("Delete for ever")});
  remove_ = widgets::button(tr("Remove"), "", [this] { shell_.stopRuns(selected_); }, {.kind = "bad", .name = "removePending", .help = tr("Take it out of the queue")});
  export_ = widgets::button(tr("Export"), "export", {}, {.name = "exportSelected", .help = tr("As files, in any format (Ctrl+Shift+E)")});
  export_->setMenu(exportMenu(this, shell_, [this] { return shown_; }));
  auto* grid = new QGridLayout;
  grid->setSpacing(widgets::kGap);
  int i = 0;
  for (QPushButton* each : {open_, rerun_, compare_, clone_, trash_, export_, restore_, purge_, attach_}) grid->addWidget(each, i / 2, i % 2), ++i;
  grid->addWidget(remove_, 0, 0);  // in the places of Open and Edit a copy: never beside them
  grid->addWidget(diff_, 1, 1);
  ofOne_ = {state_, name_, open_, rerun_};
  return grid;
}

void RunDetails::fillFacts(const RunItem& item) {
  const store::RunRow& row = item.row;
  const std::pair<QString, QString> facts[] = {
      {tr("Algorithm"), said(row.algorithm.empty() ? "" : displayName(row.algorithm))},
      {tr("Model"), row.model.empty() ? QString() : shell_.runs.titleOf(row.model)},
      {tr("Data"), row.dataset.empty() ? QString() : shell_.runs.titleOf(row.dataset) + (row.partition.empty() ? QString() : ", " + shell_.runs.titleOf(row.partition))},
      {tr("Seed"), row.specText.empty() ? QString() : QString::number(row.seed)},
      {tr("Best accuracy"), item.measured ? percentText(item.accuracyBest) : QString()},
      {tr("Samples/s"), item.measured && item.samplesPerSecond > 0 ? rateText(item.samplesPerSecond) : QString()},
      {tr("Wall time"), item.measured && item.wallSeconds > 0 ? durationText(item.wallSeconds) : QString()},
      {tr("Created"), whenText(row.createdUtc)},
      {tr("Ended"), row.endedUtc > 0 ? whenText(row.endedUtc) : QString()},
      {tr("End"), row.error.empty() ? reasonWord(row.reason) : QString()},
      {tr("Protection"), protectionText(row.versions)},
      {tr("Source"), said(row.source)},
      {tr("Goes on from"), qtext(run::resumedFrom(row))},
      {tr("Id"), qtext(row.id)},
      {tr("Configuration"), qtext(row.configHash.substr(0, 12))},
  };
  QString all;
  for (const auto& [name, value] : facts) all += value + '\n';
  if (all == factsShown_) return;  // a text that is being selected stays
  factsShown_ = all;
  widgets::emptyLayout(facts_);
  for (const auto& [name, value] : facts) facts_->add(name, value, name == tr("Id") || name == tr("Goes on from") || name == tr("Configuration"));
}

// Only what was typed: a field shows line ends and commas of its own, and must not write those by being visited.
void RunDetails::saveTexts() {
  RunTexts texts = texts_;
  const bool several = shown_.size() > 1, added = several && !alike() && notes_->document()->isModified();
  if (name_->isModified()) texts.name = name_->text().trimmed().toStdString();
  if (tags_->isModified()) texts.tags = tagsIn(tags_->text());
  if (notes_->document()->isModified()) texts.notes = notes_->toPlainText().toStdString();
  for (QLineEdit* each : {name_, tags_}) each->setModified(false);
  notes_->document()->setModified(false);
  const RunTexts before = std::exchange(texts_, texts);
  if (texts == before) return;
  if (added) notes_->clear(), texts_.notes.clear();
  std::vector<std::pair<std::string, RunTexts>> changes;
  for (const std::string& run : shown_)
    if (const RunItem* item = shell_.runs.find(run)) changes.emplace_back(run, several ? changed(textsOf(item->row), before, texts, added) : texts);
  shell_.describeRuns(changes);
}

void RunDetails::purge() {
  const std::vector<std::string> runs = selected_;  // those that are asked about, whatever is selected then
  const bool one = runs.size() == 1;
  const QString what = one ? "\"" + name_->text() + "\"" : tr("%n run(s)", nullptr, static_cast<int>(runs.size()));
  const QString loss = (one ? tr("%1 and everything recorded of it will be gone. This cannot be undone.") : tr("%1 and everything recorded of them will be gone. This cannot be undone.")).arg(what);
  if (!widgets::sure(this, tr("Delete for ever"), loss)) return;
  const auto left = std::make_shared<std::vector<std::string>>();
  shell_.recorder.ask([runs, left](recorder::Client& client) { *left = client.purge(runs); },
                      [this, left] { if (!left->empty()) shell_.tell(qtexts(*left).join(" ").toStdString()); });
}

}  // namespace paceline::runs

#include "app/ui/runs/run_details.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QMessageBox>

#include "app/figures/figure.h"
#include "app/models/words.h"
#include "app/ui/widgets/state_mark.h"

namespace paceline::runs {
namespace {

// The protection of the run's traffic, from the versions in its record.
QString protectionText(const std::string& versions) {
  const QString mode = QJsonDocument::fromJson(QByteArray::fromStdString(versions)).object()["protection"].toString();
  if (mode == "plain") return "none needed: one host";
  if (mode == "curve") return "CURVE, keys of this run";
  if (mode == "aes_gcm") return "AES-GCM, keys of this run";
  return mode;
}

}  // namespace

RunDetails::RunDetails(Shell& shell, QWidget* parent)
    : widgets::ScrollPane(264, parent), shell_(shell), state_(new widgets::StateBadge), name_(new QLineEdit), tags_(new QLineEdit), notes_(new QPlainTextEdit),
      error_(widgets::selectable(widgets::wrapped(widgets::label("")))), many_(widgets::label("", "muted")), errorBox_(widgets::card()), facts_(new widgets::FactGrid) {
  QPushButton* copy = widgets::copyButton("Copy error", [this] { return error_->text(); });
  widgets::addAll(qobject_cast<QVBoxLayout*>(errorBox_->layout()), {error_, {copy, 0, Qt::AlignLeft}});
  buildTexts();
  widgets::addAll(column(), {state_, many_, name_, tags_, notes_, actions(), errorBox_, widgets::horizontalLine(), facts_, widgets::room()});
  present(nullptr, 0);
}

void RunDetails::buildTexts() {
  name_->setAccessibleName("Name");
  tags_->setAccessibleName("Tags");
  tags_->setPlaceholderText("Tags, separated by commas");
  notes_->setAccessibleName("Notes");
  notes_->setPlaceholderText("Notes");
  notes_->setFixedHeight(64);
  notes_->setTabChangesFocus(true);
  for (QLineEdit* each : {name_, tags_}) connect(each, &QLineEdit::editingFinished, this, &RunDetails::saveTexts);
  QAction* save = notes_->addAction("Save notes");
  save->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_S));
  save->setShortcutContext(Qt::WidgetShortcut);
  connect(save, &QAction::triggered, this, &RunDetails::saveTexts);
}

QGridLayout* RunDetails::actions() {
  open_ = widgets::button("Open", "runs", [this] { shell_.openRun(run_); });
  compare_ = widgets::button("Compare", "compare", [this] { shell_.compareRuns({run_}); });
  rerun_ = widgets::button("Run again", "rerun", [this] { shell_.rerun(run_); });
  clone_ = widgets::button("Edit a copy", "draft", [this] { shell_.cloneRun(run_); });
  attach_ = widgets::button("Attach", "refresh", [this] { shell_.queue.attach(run_); }, {.help = "Follow this run again: fetch what is missing from its hosts"});
  trash_ = widgets::button("Trash", "trash", [this] { shell_.trashRuns({run_}); }, {.help = "Move to the trash (Del)"});
  restore_ = widgets::button("Restore", "restore", [this] { shell_.recorder.ask([run = run_](recorder::Client& client) { client.restore({run}); }); });
  purge_ = widgets::button("Delete", "trash", [this] { purge(); }, {.kind = "bad", .help = "Delete for ever"});
  auto* grid = new QGridLayout;
  grid->setSpacing(widgets::kGap);
  int i = 0;
  for (QPushButton* each : {open_, compare_, rerun_, clone_, attach_, trash_, restore_, purge_}) grid->addWidget(each, i / 2, i % 2), ++i;
  return grid;
}

void RunDetails::present(const RunItem* item, int selected) {
  many_->setText(selected > 1 ? QString("%1 runs selected").arg(selected) : "Select a run to see its details.");
  many_->setVisible(item == nullptr);
  for (QWidget* each : std::initializer_list<QWidget*>{state_, name_, tags_, notes_, open_, compare_, rerun_, clone_}) each->setVisible(item != nullptr);
  const bool other = item != nullptr && item->row.id != run_;
  run_ = item ? item->row.id : std::string();
  const bool trashed = item && item->row.trashed, stale = item && item->row.state == store::RunState::kStale;
  attach_->setVisible(stale && !trashed);
  trash_->setVisible(item && !trashed);
  trash_->setEnabled(item && !isActive(item->row.state));
  restore_->setVisible(trashed);
  purge_->setVisible(trashed);
  errorBox_->setVisible(item && !item->row.error.empty());
  if (!item) {
    factsShown_.clear();
    return widgets::emptyLayout(facts_);
  }
  for (QPushButton* each : {rerun_, clone_}) each->setEnabled(!item->row.specText.empty());
  state_->setState(item->row.state);
  error_->setText(qtext(item->row.error));
  if (other || !name_->hasFocus()) name_->setText(qtext(item->row.name));
  if (other || !tags_->hasFocus()) tags_->setText(qtexts(item->row.tags).join(", "));
  if (other || !notes_->hasFocus()) notes_->setPlainText(qtext(item->row.notes));
  name_->setCursorPosition(0);
  fillFacts(*item);
}

void RunDetails::fillFacts(const RunItem& item) {
  const store::RunRow& row = item.row;
  const std::pair<const char*, QString> facts[] = {
      {"Algorithm", qtext(row.algorithm.empty() ? "" : displayName(row.algorithm))},
      {"Model", qtext(row.model)},
      {"Data", qtext(row.dataset) + (row.partition.empty() ? QString() : ", " + qtext(row.partition))},
      {"Seed", row.specText.empty() ? QString() : QString::number(row.seed)},
      {"Best accuracy", item.measured ? percentText(item.accuracyBest) : QString()},
      {"Samples/s", item.measured && item.samplesPerSecond > 0 ? rateText(item.samplesPerSecond) : QString()},
      {"Wall time", item.measured && item.wallSeconds > 0 ? durationText(item.wallSeconds) : QString()},
      {"Created", whenText(row.createdUtc)},
      {"Ended", row.endedUtc > 0 ? whenText(row.endedUtc) : QString()},
      {"Ended by", qtext(row.reason)},
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

void RunDetails::saveTexts() {
  const RunItem* item = shell_.runs.find(run_);
  if (!item) return;
  const std::string name = name_->text().trimmed().toStdString(), notes = notes_->toPlainText().toStdString();
  const std::vector<std::string> tags = tagsIn(tags_->text());
  if (name == item->row.name && notes == item->row.notes && tags == item->row.tags) return;
  shell_.recorder.ask([run = run_, name, notes, tags](recorder::Client& client) { client.setText(run, name, notes, tags); });
}

void RunDetails::purge() {
  const auto answer = QMessageBox::question(this, "Delete for ever", QString("\"%1\" and everything recorded of it will be gone. This cannot be undone.").arg(name_->text()),
                                            QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Cancel);
  if (answer != QMessageBox::Discard) return;
  const auto left = std::make_shared<std::vector<std::string>>();
  shell_.recorder.ask([run = run_, left](recorder::Client& client) { *left = client.purge({run}); },
                      [this, left] { if (!left->empty()) shell_.tell(qtexts(*left).join(" ").toStdString()); });
}

}  // namespace paceline::runs

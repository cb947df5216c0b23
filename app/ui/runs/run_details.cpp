#include "app/ui/runs/run_details.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMessageBox>
#include <QScrollArea>

#include "app/figures/figure.h"
#include "app/models/words.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/state_mark.h"

namespace paceline::runs {
namespace {

QString text(const std::string& s) { return QString::fromStdString(s); }

QStringList tagsOf(const store::RunRow& row) {
  QStringList tags;
  for (const std::string& tag : row.tags) tags << text(tag);
  return tags;
}

// How the run's data travelled between nodes, from what its record says of its making.
QString protectionText(const std::string& versions) {
  const QString mode = QJsonDocument::fromJson(QByteArray::fromStdString(versions)).object()["protection"].toString();
  if (mode == "plain") return "none needed: one host";
  if (mode == "curve") return "CURVE, keys of this run";
  if (mode == "aes_gcm") return "AES-GCM, keys of this run";
  return mode;
}

}  // namespace

RunDetails::RunDetails(Shell& shell, QWidget* parent)
    : QFrame(parent), shell_(shell), state_(new widgets::StateBadge), name_(new QLineEdit), tags_(new QLineEdit), notes_(new QPlainTextEdit),
      error_(widgets::label("")), many_(widgets::label("", "muted")), errorBox_(widgets::card()), body_(new QWidget), facts_(new QGridLayout) {
  setObjectName("pane");
  setMinimumWidth(264);
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(body_);
  body_->setObjectName("plain");
  outer->addWidget(scroll);
  auto* column = new QVBoxLayout(body_);
  column->setContentsMargins(widgets::kGroupGap, widgets::kGroupGap, widgets::kGroupGap, widgets::kGroupGap);
  column->setSpacing(widgets::kGap);
  column->addWidget(state_);
  column->addWidget(many_);
  buildTexts(column);
  buildActions(column);
  column->addWidget(errorBox_);
  facts_->setHorizontalSpacing(12);
  facts_->setVerticalSpacing(6);
  facts_->setColumnStretch(1, 1);
  column->addWidget(widgets::horizontalLine());
  column->addLayout(facts_);
  column->addStretch(1);
  present(nullptr, 0);
}

void RunDetails::buildTexts(QVBoxLayout* column) {
  name_->setAccessibleName("Name");
  tags_->setAccessibleName("Tags");
  tags_->setPlaceholderText("Tags, separated by commas");
  notes_->setAccessibleName("Notes");
  notes_->setPlaceholderText("Notes");
  notes_->setFixedHeight(64);
  notes_->setTabChangesFocus(true);
  column->addWidget(name_);
  column->addWidget(tags_);
  column->addWidget(notes_);
  connect(name_, &QLineEdit::editingFinished, this, &RunDetails::saveTexts);
  connect(tags_, &QLineEdit::editingFinished, this, &RunDetails::saveTexts);
  auto* save = new QAction("Save notes", notes_);
  save->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_S));
  save->setShortcutContext(Qt::WidgetShortcut);
  notes_->addAction(save);
  connect(save, &QAction::triggered, this, &RunDetails::saveTexts);
}

void RunDetails::buildActions(QVBoxLayout* column) {
  auto* grid = new QGridLayout;
  grid->setSpacing(widgets::kGap);
  open_ = widgets::button("Open", "runs");
  compare_ = widgets::button("Compare", "compare");
  rerun_ = widgets::button("Run again", "rerun");
  clone_ = widgets::button("Edit a copy", "draft");
  attach_ = widgets::button("Attach", "refresh");
  attach_->setToolTip("Follow this run again: fetch what is missing from its hosts");
  trash_ = widgets::button("Trash", "trash");
  restore_ = widgets::button("Restore", "restore");
  purge_ = widgets::button("Delete", "trash", "bad");
  trash_->setToolTip("Move to the trash (Del)");
  purge_->setToolTip("Delete for ever");
  QPushButton* const all[] = {open_, compare_, rerun_, clone_, attach_, trash_, restore_, purge_};
  for (int i = 0; i < 8; ++i) grid->addWidget(all[i], i / 2, i % 2);
  column->addLayout(grid);
  connect(open_, &QPushButton::clicked, this, [this] { shell_.openRun(run_); });
  connect(compare_, &QPushButton::clicked, this, [this] { shell_.compareRuns({run_}); });
  connect(rerun_, &QPushButton::clicked, this, [this] { shell_.rerun(run_); });
  connect(clone_, &QPushButton::clicked, this, [this] { shell_.cloneRun(run_); });
  connect(attach_, &QPushButton::clicked, this, [this] { shell_.queue.attach(run_); });
  connect(trash_, &QPushButton::clicked, this, [this] { shell_.trashRuns({run_}); });
  connect(restore_, &QPushButton::clicked, this, [this] { shell_.workspace.write([run = run_](store::StoreWriter& w) { w.restore(run); }); });
  connect(purge_, &QPushButton::clicked, this, &RunDetails::purge);
  auto* box = qobject_cast<QVBoxLayout*>(errorBox_->layout());
  error_->setWordWrap(true);
  error_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  box->addWidget(error_);
  QPushButton* copy = widgets::button("Copy error", "copy");
  box->addWidget(copy, 0, Qt::AlignLeft);
  connect(copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(error_->text()); });
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
  rerun_->setEnabled(!item->row.specText.empty());
  clone_->setEnabled(!item->row.specText.empty());
  state_->setState(item->row.state);
  error_->setText(text(item->row.error));
  if (other || !name_->hasFocus()) name_->setText(text(item->row.name));
  if (other || !tags_->hasFocus()) tags_->setText(tagsOf(item->row).join(", "));
  if (other || !notes_->hasFocus()) notes_->setPlainText(text(item->row.notes));
  name_->setCursorPosition(0);
  fillFacts(*item);
}

void RunDetails::fillFacts(const RunItem& item) {
  const store::RunRow& row = item.row;
  const std::pair<const char*, QString> facts[] = {
      {"Algorithm", text(row.algorithm.empty() ? "" : displayName(row.algorithm))},
      {"Model", text(row.model)},
      {"Data", text(row.dataset) + (row.partition.empty() ? QString() : ", " + text(row.partition))},
      {"Seed", row.specText.empty() ? QString() : QString::number(row.seed)},
      {"Best accuracy", item.measured ? percentText(item.accuracyBest) : QString()},
      {"Samples/s", item.measured && item.samplesPerSecond > 0 ? rateText(item.samplesPerSecond) : QString()},
      {"Wall time", item.measured && item.wallSeconds > 0 ? durationText(item.wallSeconds) : QString()},
      {"Created", whenText(row.createdUtc)},
      {"Ended", row.endedUtc > 0 ? whenText(row.endedUtc) : QString()},
      {"Ended by", text(row.reason)},
      {"Protection", protectionText(row.versions)},
      {"Source", text(row.source)},
      {"Id", text(row.id)},
      {"Configuration", text(row.configHash.substr(0, 12))},
  };
  QString all;
  for (const auto& [name, value] : facts) all += value + '\n';
  if (all == factsShown_) return;  // a text that is being selected stays
  factsShown_ = all;
  widgets::emptyLayout(facts_);
  int line = 0;
  for (const auto& [name, value] : facts) {
    if (value.isEmpty()) continue;
    auto* shown = widgets::label(value, qstrcmp(name, "Id") == 0 || qstrcmp(name, "Configuration") == 0 ? "mono" : "");
    shown->setTextInteractionFlags(Qt::TextSelectableByMouse);
    shown->setWordWrap(true);
    facts_->addWidget(widgets::label(name, "muted"), line, 0, Qt::AlignTop);
    facts_->addWidget(shown, line++, 1);
  }
}

void RunDetails::saveTexts() {
  const RunItem* item = shell_.runs.find(run_);
  if (!item) return;
  const std::string name = name_->text().trimmed().toStdString(), notes = notes_->toPlainText().toStdString();
  std::vector<std::string> tags;
  for (const QString& tag : tags_->text().split(',', Qt::SkipEmptyParts))
    if (!tag.trimmed().isEmpty()) tags.push_back(tag.trimmed().toStdString());
  if (name == item->row.name && notes == item->row.notes && tags == item->row.tags) return;
  shell_.workspace.write([run = run_, name, notes, tags](store::StoreWriter& writer) { writer.setText(run, name, notes, tags); });
}

void RunDetails::purge() {
  const auto answer = QMessageBox::question(this, "Delete for ever", QString("\"%1\" and everything recorded of it will be gone. This cannot be undone.").arg(name_->text()),
                                            QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Cancel);
  if (answer != QMessageBox::Discard) return;
  shell_.workspace.write([run = run_](store::StoreWriter& writer) { writer.purge(run); });
}

}  // namespace paceline::runs

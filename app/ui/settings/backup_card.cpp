#include "app/ui/settings/backup_card.h"

#include "app/ui/settings/card_fields.h"
#include "app/ui/widgets/file_dialog.h"

namespace paceline {
BackupCard::BackupCard(BackupModel& model)
    : model_(model), planned_(new QCheckBox(tr("When a run ends and the newest copy is old enough"))), folder_(textLine("backupFolder", 420)), every_(numberLine("backupEvery")), keep_(numberLine("backupKeep")),
      folderField_(new widgets::Field(tr("Folder"), folder_, "", tr("Each copy in it is named by its time"))), everyField_(new widgets::Field(tr("Every"), every_, "", tr("The newest copy is then older than this"), tr("hours"))),
      keepField_(new widgets::Field(tr("Keep"), keep_, "", tr("Of the copies in the folder the newest stay, older ones go"), tr("copies"))),
      now_(widgets::button(tr("Back up now"), "copy", [this] { model_.backUpNow(); }, {.name = "backUpNow", .help = tr("Copies the store, also while runs are recorded, and checks the copy")})),
      state_(widgets::label("", "caption")), outcome_(widgets::wrapped(widgets::label("", "caption"))) {
  widgets::styleCard(this);
  setProperty("manual", "copies-of-the-store");
  planned_->setObjectName("backupPlanned");
  state_->setObjectName("backupState");
  outcome_->setObjectName("backupOutcome");
  folderField_->offerPress(tr("Choose…"), tr("Choose a folder"), [this] { choose(); });
  widgets::addAll(static_cast<QVBoxLayout*>(layout()), {widgets::label(tr("Copies of the store"), "section"), new widgets::Field(tr("By themselves"), planned_, ""), folderField_, everyField_, keepField_, widgets::across({now_, state_, widgets::room()}), outcome_});
  for (QLineEdit* each : {folder_, every_, keep_}) connect(each, &QLineEdit::editingFinished, this, &BackupCard::keep);
  connect(planned_, &QCheckBox::clicked, this, &BackupCard::keep);
  connect(&model_, &BackupModel::changed, this, &BackupCard::follow);
  follow();
}

void BackupCard::choose() {
  const QString folder = widgets::askFolderPath(this, {.title = tr("A folder for copies of the store"), .at = folder_->text()});
  if (folder.isEmpty()) return;
  folder_->setText(folder);
  keep();
}

void BackupCard::keep() { model_.set({.planned = planned_->isChecked(), .folder = folder_->text(), .every = every_->text(), .keep = keep_->text()}); }

void BackupCard::follow() {
  const BackupModel::Typed& typed = model_.typed();
  planned_->setChecked(typed.planned);
  widgets::showText(folder_, typed.folder);
  widgets::showText(every_, typed.every);
  widgets::showText(keep_, typed.keep);
  showProblem(folderField_, model_.problems().folder);
  showProblem(everyField_, model_.problems().every);
  showProblem(keepField_, model_.problems().keep);
  state_->setText(model_.busy() ? tr("Copying") : model_.state());
  outcome_->setText(model_.outcome());
  outcome_->setVisible(!model_.outcome().isEmpty());
  widgets::setLook(outcome_, "role", model_.outcomeFailed() ? "finding" : "caption");
}

}  // namespace paceline

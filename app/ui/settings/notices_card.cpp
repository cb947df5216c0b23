#include "app/ui/settings/notices_card.h"

#include "app/models/words.h"
#include "app/ui/desktop_notices.h"
#include "app/ui/settings/card_fields.h"

namespace paceline {
namespace {

constexpr int kLeastWidth = 420;

QCheckBox* box(const QString& words, const char* name) {
  auto* made = new QCheckBox(words);
  made->setObjectName(name);
  return made;
}

}  // namespace

NoticesCard::NoticesCard(NoticesModel& model)
    : model_(model), address_(textLine("noticeAddress", kLeastWidth, "https://hooks.slack.com/services/…")), command_(textLine("noticeCommand", kLeastWidth, "~/bin/tell \"$1\" \"$3\"")),
      target_(box(tr("Target reached"), "noticeTarget")), failed_(box(tr("Run failed"), "noticeFailed")), suite_(box(tr("Suite ended"), "noticeSuite")),
      addressField_(new widgets::Field(tr("Web address"), address_, "", tr("Gets each notice as JSON (POST); Slack, Mattermost and others show its sentence"))),
      commandField_(new widgets::Field(tr("Command"), command_, "", tr("Of the shell; $1 is what happened (target, failed, suite), $2 the run, $3 its name"))),
      endsField_(new widgets::Field(tr("Told of"), widgets::boxed(widgets::across({target_, failed_, suite_, widgets::room()})), "")),
      try_(widgets::button(tr("Try now"), "play", [this] { model_.tryNow(); }, {.name = "tryNotice", .help = tr("Tells the address and the command that this is a trial")})), trial_(widgets::wrapped(widgets::label("", "caption"))), program_(widgets::wrapped(widgets::label("", "caption"))) {
  widgets::styleCard(this);
  setProperty("manual", "notices");
  trial_->setObjectName("noticeTrial");
  auto* desktop = box(tr("When a run fails or reaches its target while another window is in front"), "desktopNotices");
  desktop->setChecked(noticesWanted());
  connect(desktop, &QCheckBox::toggled, this, setNoticesWanted);
  widgets::addAll(static_cast<QVBoxLayout*>(layout()), {widgets::label(tr("Notices"), "section"), new widgets::Field(tr("Desktop notices"), desktop, ""), addressField_, commandField_, endsField_,
                                                        widgets::across({try_, {trial_, 1}}), program_});
  for (QLineEdit* each : {address_, command_}) connect(each, &QLineEdit::editingFinished, this, &NoticesCard::keep);
  for (QCheckBox* each : {target_, failed_, suite_}) connect(each, &QCheckBox::clicked, this, &NoticesCard::keep);
  connect(&model_, &NoticesModel::changed, this, &NoticesCard::follow);
  follow();
}

void NoticesCard::keep() {
  model_.set({.target = target_->isChecked(), .failed = failed_->isChecked(), .suite = suite_->isChecked(), .webhook = address_->text().trimmed().toStdString(), .command = command_->text().trimmed().toStdString()});
}

void NoticesCard::follow() {
  const notices::Settings& settings = model_.settings();
  widgets::showText(address_, qtext(settings.webhook));
  widgets::showText(command_, qtext(settings.command));
  target_->setChecked(settings.target), failed_->setChecked(settings.failed), suite_->setChecked(settings.suite);
  showProblem(addressField_, model_.problems().address);
  showProblem(commandField_, model_.problems().command);
  showProblem(endsField_, model_.problems().ends);
  try_->setEnabled(model_.hears() && !model_.problems().any());
  trial_->setText(model_.trying() ? tr("Telling") : model_.trial());
  widgets::setLook(trial_, "role", model_.trialFailed() && !model_.trying() ? "finding" : "caption");
  program_->setText(tr("The program %1 hears of every end, too.").arg(model_.program()));
  program_->setVisible(!model_.program().isEmpty());
}

}  // namespace paceline

#include "app/ui/clusters/host_ask_dialogs.h"

#include <QDialog>
#include <QLineEdit>

#include "app/models/words.h"
#include "app/ui/widgets/controls.h"

namespace paceline::clusters {
namespace {

constexpr int kWidth = 480;

struct Parts {
  QDialog* dialog;
  QVBoxLayout* column;
};

Parts made(QWidget* window, const QString& title, const QString& words) {
  auto* dialog = new QDialog(window);
  dialog->setWindowTitle(title);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setMinimumWidth(kWidth);
  QVBoxLayout* column = widgets::down({widgets::label(title, "section"), widgets::wrapped(widgets::label(words))}, {widgets::kPageMargin, widgets::kPageMargin, widgets::kPageMargin, widgets::kGroupGap}, 12);
  dialog->setLayout(column);
  return {dialog, column};
}

void endRow(const Parts& parts, QPushButton* no, QPushButton* yes) {
  parts.column->addLayout(widgets::across({widgets::room(), no, yes}, {0, widgets::kGap, 0, 0}));
  QObject::connect(no, &QPushButton::clicked, parts.dialog, &QDialog::reject);
  QObject::connect(yes, &QPushButton::clicked, parts.dialog, &QDialog::accept);
}

}  // namespace

HostAskDialogs::HostAskDialogs(GuiPrompts& prompts, QWidget* window) : QObject(window), prompts_(prompts), window_(window) {
  connect(&prompts_, &GuiPrompts::asked, this, &HostAskDialogs::ask);
  connect(&prompts_, &GuiPrompts::withdrawn, this, [this](int id) {
    if (open_ && id == openId_) open_->reject();
  });
}

void HostAskDialogs::ask(const AskedPrompt& question) {
  QDialog* dialog = question.aboutKey ? keyDialog(question) : secretDialog(question);
  open_ = dialog;
  openId_ = question.id;
  dialog->open();
}

QDialog* HostAskDialogs::keyDialog(const AskedPrompt& question) {
  const Parts parts = made(window_, QString("Is this %1?").arg(qtext(question.key.host)),
                           "This host has not been connected to before. Compare the fingerprint with what its administrator tells you, or "
                           "with what ssh-keygen -lf prints on the host itself.");
  auto* facts = new widgets::FactGrid;
  facts->add("Host", qtext(question.key.host), true);
  facts->add("Address", qtext(question.key.address), true);
  facts->add("Key type", qtext(question.key.type), true);
  facts->add("SHA-256", qtext(question.key.fingerprint), true);
  parts.column->addLayout(facts);
  QPushButton *no = widgets::button("Do not connect", "", {}, {.name = "refuseKey"}), *yes = widgets::button("Trust this key", "lock", {}, {.name = "trustKey"});
  yes->setAutoDefault(false);
  no->setDefault(true);
  endRow(parts, no, yes);
  no->setFocus();
  connect(parts.dialog, &QDialog::finished, this, [this, id = question.id](int result) { prompts_.decide(id, result == QDialog::Accepted); });
  return parts.dialog;
}

QDialog* HostAskDialogs::secretDialog(const AskedPrompt& question) {
  const Parts parts = made(window_, qtext(question.host) + " asks", qtext(question.prompt));
  auto* typed = new QLineEdit;
  typed->setObjectName("secret");
  typed->setAccessibleName(qtext(question.prompt));
  typed->setEchoMode(question.echo ? QLineEdit::Normal : QLineEdit::Password);
  parts.column->addWidget(typed);
  parts.column->addWidget(widgets::label("Kept in memory until this window and the recorder end; written nowhere.", "caption"));
  QPushButton *no = widgets::button("Cancel", "", {}), *yes = widgets::button("Continue", "", {}, {.kind = "primary", .name = "continueSecret"});
  yes->setDefault(true);
  endRow(parts, no, yes);
  typed->setFocus();
  connect(parts.dialog, &QDialog::finished, this, [this, typed, id = question.id](int result) {
    prompts_.answer(id, result == QDialog::Accepted ? std::optional(typed->text().toStdString()) : std::nullopt);
    typed->clear();
  });
  return parts.dialog;
}

}  // namespace paceline::clusters

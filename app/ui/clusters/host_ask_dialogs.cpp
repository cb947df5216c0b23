#include "app/ui/clusters/host_ask_dialogs.h"

#include <memory>

#include <QDialog>
#include <QPointer>

#include "app/models/words.h"
#include "app/ui/widgets/controls.h"

namespace paceline::clusters {
namespace {

QDialog* made(QWidget* window, const QString& title, const QString& words, widgets::Cells middle, QPushButton* no, QPushButton* yes) {
  auto* dialog = new QDialog(window);
  dialog->setWindowTitle(title);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setMinimumWidth(480);
  QVBoxLayout* column = widgets::down({widgets::label(title, "section"), widgets::wrapped(widgets::label(words))},
                                      {widgets::kPageMargin, widgets::kPageMargin, widgets::kPageMargin, widgets::kGroupGap}, 12);
  widgets::addAll(column, middle);
  column->addLayout(widgets::across({widgets::room(), no, yes}, {0, widgets::kGap, 0, 0}));
  dialog->setLayout(column);
  QObject::connect(no, &QPushButton::clicked, dialog, &QDialog::reject);
  QObject::connect(yes, &QPushButton::clicked, dialog, &QDialog::accept);
  return dialog;
}

QDialog* keyDialog(GuiPrompts& prompts, QWidget* window, const AskedPrompt& question) {
  auto* facts = new widgets::FactGrid;
  facts->add("Host", qtext(question.key.host), true);
  facts->add("Address", qtext(question.key.address), true);
  facts->add("Key type", qtext(question.key.type), true);
  facts->add("SHA-256", qtext(question.key.fingerprint), true);
  QPushButton *no = widgets::button("Do not connect", "", {}, {.name = "refuseKey"}), *yes = widgets::button("Trust this key", "lock", {}, {.name = "trustKey"});
  QDialog* dialog = made(window, QString("Is this %1?").arg(qtext(question.key.host)),
                         "This host has not been connected to before. Compare the fingerprint with what its administrator tells you, or "
                         "with what ssh-keygen -lf prints on the host itself.",
                         {facts}, no, yes);
  yes->setAutoDefault(false);
  no->setDefault(true);
  no->setFocus();
  QObject::connect(dialog, &QDialog::finished, &prompts, [&prompts, id = question.id](int result) { prompts.decide(id, result == QDialog::Accepted); });
  return dialog;
}

QDialog* secretDialog(GuiPrompts& prompts, QWidget* window, const AskedPrompt& question) {
  auto* typed = new QLineEdit;
  typed->setObjectName("secret");
  typed->setAccessibleName(qtext(question.prompt));
  typed->setEchoMode(question.echo ? QLineEdit::Normal : QLineEdit::Password);
  QLabel* kept = widgets::label("Kept in memory until this window and the recorder end; written nowhere.", "caption");
  QPushButton *no = widgets::button("Cancel", "", {}), *yes = widgets::button("Continue", "", {}, {.kind = "primary", .name = "continueSecret"});
  QDialog* dialog = made(window, qtext(question.host) + " asks", qtext(question.prompt), {typed, kept}, no, yes);
  yes->setDefault(true);
  typed->setFocus();
  QObject::connect(dialog, &QDialog::finished, &prompts, [&prompts, typed, id = question.id](int result) {
    prompts.answer(id, result == QDialog::Accepted ? std::optional(typed->text().toStdString()) : std::nullopt);
    typed->clear();
  });
  return dialog;
}

}  // namespace

void showPrompts(GuiPrompts& prompts, QWidget* window) {
  struct Open {
    QPointer<QDialog> dialog;
    int id = 0;
  };
  const auto open = std::make_shared<Open>();
  QObject::connect(&prompts, &GuiPrompts::asked, window, [&prompts, window, open](const AskedPrompt& question) {
    *open = {question.aboutKey ? keyDialog(prompts, window, question) : secretDialog(prompts, window, question), question.id};
    open->dialog->open();
  });
  QObject::connect(&prompts, &GuiPrompts::withdrawn, window, [open](int id) {
    if (open->dialog && id == open->id) open->dialog->reject();
  });
}

}  // namespace paceline::clusters

#include "app/ui/clusters/host_ask_dialogs.h"

#include <QDialog>
#include <QGridLayout>
#include <QLineEdit>
#include <QVBoxLayout>

#include "app/ui/widgets/controls.h"

namespace paceline::clusters {
namespace {

constexpr int kWidth = 480;

QString text(const std::string& s) { return QString::fromStdString(s); }

struct Parts {
  QDialog* dialog;
  QVBoxLayout* column;
};

Parts made(QWidget* window, const QString& title, const QString& words) {
  auto* dialog = new QDialog(window);
  dialog->setWindowTitle(title);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setMinimumWidth(kWidth);
  auto* column = new QVBoxLayout(dialog);
  column->setContentsMargins(widgets::kPageMargin, widgets::kPageMargin, widgets::kPageMargin, widgets::kGroupGap);
  column->setSpacing(12);
  column->addWidget(widgets::label(title, "section"));
  auto* said = widgets::label(words);
  said->setWordWrap(true);
  column->addWidget(said);
  return {dialog, column};
}

void endRow(const Parts& parts, QPushButton* no, QPushButton* yes) {
  auto* row = new QHBoxLayout;
  row->setContentsMargins(0, widgets::kGap, 0, 0);
  row->addStretch(1);
  row->addWidget(no);
  row->addWidget(yes);
  parts.column->addLayout(row);
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
  const Parts parts = made(window_, QString("Is this %1?").arg(text(question.key.host)),
                           "This host has not been connected to before. Compare the fingerprint with what its administrator tells you, or "
                           "with what ssh-keygen -lf prints on the host itself.");
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(12);
  grid->setVerticalSpacing(6);
  grid->setColumnStretch(1, 1);
  const std::pair<const char*, std::string> lines[] = {
      {"Host", question.key.host}, {"Address", question.key.address}, {"Key type", question.key.type}, {"SHA-256", question.key.fingerprint}};
  int row = 0;
  for (const auto& [name, value] : lines) {
    auto* shown = widgets::label(text(value), "mono");
    shown->setTextInteractionFlags(Qt::TextSelectableByMouse);
    shown->setWordWrap(true);
    grid->addWidget(widgets::label(name, "muted"), row, 0, Qt::AlignTop);
    grid->addWidget(shown, row++, 1);
  }
  parts.column->addLayout(grid);
  QPushButton *no = widgets::button("Do not connect"), *yes = widgets::button("Trust this key", "lock");
  no->setObjectName("refuseKey");
  yes->setObjectName("trustKey");
  yes->setAutoDefault(false);
  no->setDefault(true);
  endRow(parts, no, yes);
  no->setFocus();
  connect(parts.dialog, &QDialog::finished, this, [this, id = question.id](int result) { prompts_.decide(id, result == QDialog::Accepted); });
  return parts.dialog;
}

QDialog* HostAskDialogs::secretDialog(const AskedPrompt& question) {
  const Parts parts = made(window_, text(question.host) + " asks", text(question.prompt));
  auto* typed = new QLineEdit;
  typed->setObjectName("secret");
  typed->setAccessibleName(text(question.prompt));
  typed->setEchoMode(question.echo ? QLineEdit::Normal : QLineEdit::Password);
  parts.column->addWidget(typed);
  parts.column->addWidget(widgets::label("Kept in memory until this window closes; written nowhere.", "caption"));
  QPushButton *no = widgets::button("Cancel"), *yes = widgets::primaryButton("Continue");
  yes->setObjectName("continueSecret");
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

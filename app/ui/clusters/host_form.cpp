#include "app/ui/clusters/host_form.h"

#include <QCompleter>

#include "app/models/clusters/host_target.h"
#include "app/models/words.h"
#include "app/ui/widgets/field.h"

namespace paceline::clusters {
HostForm::HostForm(Shell& shell, QWidget* parent)
    : widgets::ScrollPane(372, parent), shell_(shell), title_(widgets::label("", "section")), problem_(widgets::wrapped(widgets::label("", "finding"))), target_(new QComboBox),
      kind_(new QComboBox), jump_(new QComboBox), address_(new QComboBox), acceptNew_(new QCheckBox("Accept an unknown key without asking")),
      env_(new QPlainTextEdit), save_(widgets::button("Add host", "", [this] { save(); }, {.kind = "primary", .name = "saveHost"})) {
  problem_->setContentsMargins(widgets::kGroupGap, 0, widgets::kGroupGap, 0);
  problem_->setObjectName("hostFormProblem");
  buildTarget();
  widgets::addAll(column(), {title_, quick_});
  buildFields();
  column()->addStretch(1);
  widgets::addAll(outer(), {problem_, widgets::across({widgets::room(), widgets::button("Cancel", "", [this] { emit cancelled(); }), save_}, {widgets::kGroupGap, widgets::kGap, widgets::kGroupGap, widgets::kGroupGap})});
}

void HostForm::buildTarget() {
  target_->setEditable(true);
  target_->setInsertPolicy(QComboBox::NoInsert);
  target_->setObjectName("hostTarget");
  target_->lineEdit()->setPlaceholderText("alias, or user@host:port");
  target_->completer()->setFilterMode(Qt::MatchContains);
  target_->completer()->setCompletionMode(QCompleter::PopupCompletion);
  QPushButton* import = widgets::button("Import from a file…", "imported", [this] { emit importAsked(); }, {.kind = "quiet", .name = "importHosts"});
  quick_ = widgets::boxed(widgets::down({new widgets::Field("Host", target_, "", "An alias of ~/.ssh/config, or an address"), {import, 0, Qt::AlignLeft}, widgets::horizontalLine()}));
  connect(target_->lineEdit(), &QLineEdit::textChanged, this, &HostForm::takeTarget);
  connect(target_->lineEdit(), &QLineEdit::returnPressed, this, &HostForm::save);
}

widgets::Field* HostForm::line(QLineEdit** into, const char* objectName, const QString& name, const QString& help) {
  *into = new QLineEdit;
  (*into)->setObjectName(objectName);
  return new widgets::Field(name, *into, "", help);
}

void HostForm::buildFields() {
  kind_->addItem("SSH", "ssh");
  kind_->addItem("Slurm", "slurm");
  kind_->setObjectName("hostKind");
  jump_->setObjectName("hostJump");
  address_->setEditable(true);
  address_->setInsertPolicy(QComboBox::NoInsert);
  address_->setObjectName("hostDataAddress");
  env_->setObjectName("hostEnvironment");
  env_->setFixedHeight(72);
  env_->setTabChangesFocus(true);
  auto* interface = new widgets::Field("Data interface", address_, "", "IP that other hosts' nodes connect to; empty: its address");
  ofSsh_ = {new widgets::Field("Kind", kind_, ""),
            line(&host_, "hostAddress", "Address", "Host name, IP or alias"),
            line(&port_, "hostPort", "Port", "Empty: as ~/.ssh/config says, else 22"),
            line(&user_, "hostUser", "User", "Empty: as ~/.ssh/config says"),
            line(&identity_, "hostIdentity", "Identity file", "A private key; empty: as ssh finds it"),
            new widgets::Field("Jump host", jump_, "", "Connected to first; its key is verified as well"),
            line(&knownHosts_, "hostKnownHosts", "Known hosts", "File of known keys; empty: as ssh does"),
            acceptNew_};
  ofSlurm_ = line(&slurm_, "hostSlurm", "Slurm options", "For sbatch, separated by spaces");
  column()->addWidget(line(&name_, "hostName", "Name", "What documents call it"));
  for (QWidget* each : ofSsh_) {
    if (each == ofSsh_[6]) column()->addWidget(interface);
    column()->addWidget(each);
  }
  widgets::addAll(column(), {line(&libraries_, "hostLibraries", "LibTorch folder", "On the host; empty: the system's, else a bundle is sent"), ofSlurm_,
                 new widgets::Field("Environment", env_, "", "NAME=VALUE, one a line; nothing secret: it is kept in the list of hosts")});
  connect(kind_, &QComboBox::currentIndexChanged, this, &HostForm::followKind);
}

void HostForm::followKind() {
  const bool local = entry_.kind == "local";
  for (QWidget* each : ofSsh_) each->setVisible(!local);
  ofSlurm_->setVisible(!local && kind_->currentData().toString() == "slurm");
  name_->setEnabled(before_ != "local");
}

void HostForm::add() {
  before_.clear();
  title_->setText("Add host");
  save_->setText("Add host");
  quick_->show();
  fill({});
  target_->clearEditText();
  askAliases();
  target_->setFocus(Qt::OtherFocusReason);
}

void HostForm::edit(const hosts::HostEntry& entry) {
  before_ = entry.name;
  title_->setText("Edit " + (entry.name == "local" ? QString("this computer") : qtext(entry.name)));
  save_->setText("Save");
  quick_->hide();
  fill(entry);
  (entry.name == "local" ? static_cast<QWidget*>(address_) : host_)->setFocus(Qt::OtherFocusReason);
}

void HostForm::fill(const hosts::HostEntry& entry) {
  entry_ = entry;
  problem_->clear();
  name_->setText(qtext(entry.name));
  kind_->setCurrentIndex(std::max(0, kind_->findData(qtext(entry.kind))));
  host_->setText(qtext(entry.address));
  port_->setText(entry.port > 0 ? QString::number(entry.port) : QString());
  user_->setText(qtext(entry.user));
  identity_->setText(qtext(entry.identity));
  knownHosts_->setText(qtext(entry.knownHosts));
  libraries_->setText(qtext(entry.libraries));
  acceptNew_->setChecked(entry.acceptNewKey);
  env_->setPlainText(environmentText(entry));
  slurm_->setText(qtexts(entry.slurm).join(' '));
  fillLists(entry);
  followKind();
}

void HostForm::fillLists(const hosts::HostEntry& entry) {
  jump_->clear();
  jump_->addItem("as ~/.ssh/config says", QString());
  for (const HostItem& other : shell_.hosts.items())
    if (other.entry.kind == "ssh" && other.entry.name != entry.name) jump_->addItem(qtext(other.entry.name), qtext(other.entry.name));
  jump_->setCurrentIndex(std::max(0, jump_->findData(qtext(entry.jump))));
  address_->clear();
  if (const HostItem* item = shell_.hosts.find(entry.name))
    for (const HostAddress& each : item->figures.addresses)
      if (!each.address.startsWith("fe80")) address_->addItem(each.address);
  address_->setEditText(qtext(entry.dataAddress));
}

// Reading ~/.ssh/config may follow includes: not on this thread.
void HostForm::askAliases() {
  inBackground(tasks_, this, [aliases = shell_.hosts.services().aliases](const std::stop_token&) { return qtexts(aliases()); },
               [this](const QStringList& names, const QString& /*error*/) {  // the box takes addresses without them
                 const QString typed = target_->currentText();
                 const QSignalBlocker quiet(target_->lineEdit());
                 target_->clear();
                 target_->addItems(names);
                 target_->setCurrentIndex(-1);
                 target_->setEditText(typed);
               });
}

void HostForm::takeTarget() {
  hosts::HostEntry entry;
  const QString wrong = readTarget(target_->currentText(), shell_.hosts.book(), entry);
  problem_->setText(target_->currentText().trimmed().isEmpty() ? QString() : wrong);
  if (!wrong.isEmpty()) return;
  name_->setText(qtext(entry.name));
  host_->setText(qtext(entry.address));
  user_->setText(qtext(entry.user));
  port_->setText(entry.port > 0 ? QString::number(entry.port) : QString());
}

QString HostForm::read(hosts::HostEntry& entry) const {
  entry.name = name_->text().trimmed().toStdString();
  if (entry_.kind != "local") entry.kind = kind_->currentData().toString().toStdString();
  entry.address = host_->text().trimmed().toStdString();
  entry.user = user_->text().trimmed().toStdString();
  entry.identity = identity_->text().trimmed().toStdString();
  entry.knownHosts = knownHosts_->text().trimmed().toStdString();
  entry.libraries = libraries_->text().trimmed().toStdString();
  entry.jump = jump_->currentData().toString().toStdString();
  entry.dataAddress = address_->currentText().trimmed().toStdString();
  entry.acceptNewKey = acceptNew_->isChecked();
  bool ok = true;
  const QString port = port_->text().trimmed();
  entry.port = port.isEmpty() ? 0 : port.toInt(&ok);
  if (!ok) return "Port: must be a whole number, got \"" + port + "\"";
  entry.slurm.clear();
  if (entry.kind == "slurm")
    for (const QString& option : slurm_->text().split(' ', Qt::SkipEmptyParts)) entry.slurm.push_back(option.toStdString());
  return readEnvironment(env_->toPlainText(), entry.env);
}

void HostForm::save() {
  hosts::HostEntry entry = entry_;
  const QString wrong = read(entry);
  if (!wrong.isEmpty()) return refuse(wrong);
  problem_->clear();
  emit accepted(entry, before_);
}

void HostForm::refuse(const QString& sentence) { problem_->setText(sentence); }

}  // namespace paceline::clusters

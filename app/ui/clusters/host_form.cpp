#include "app/ui/clusters/host_form.h"

#include <QCompleter>
#include <QScrollArea>

#include "app/models/clusters/host_target.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/field.h"

namespace paceline::clusters {
namespace {

QString text(const std::string& s) { return QString::fromStdString(s); }

}  // namespace

HostForm::HostForm(Shell& shell, QWidget* parent)
    : QFrame(parent), shell_(shell), title_(widgets::label("", "section")), problem_(widgets::label("", "finding")), quick_(new QWidget), target_(new QComboBox),
      kind_(new QComboBox), jump_(new QComboBox), address_(new QComboBox), acceptNew_(new QCheckBox("Accept an unknown key without asking")),
      env_(new QPlainTextEdit), save_(widgets::primaryButton("Add host")) {
  setObjectName("pane");
  setMinimumWidth(372);
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  auto* inside = new QWidget;
  inside->setObjectName("plain");
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(inside);
  outer->addWidget(scroll, 1);
  auto* column = new QVBoxLayout(inside);
  column->setContentsMargins(widgets::kGroupGap, widgets::kGroupGap, widgets::kGroupGap, widgets::kGroupGap);
  column->setSpacing(widgets::kGap);
  column->addWidget(title_);
  buildTarget(column);
  buildFields(column);
  column->addStretch(1);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(widgets::kGroupGap, widgets::kGap, widgets::kGroupGap, widgets::kGroupGap);
  QPushButton* cancel = widgets::button("Cancel");
  row->addStretch(1);
  row->addWidget(cancel);
  row->addWidget(save_);
  problem_->setWordWrap(true);
  problem_->setContentsMargins(widgets::kGroupGap, 0, widgets::kGroupGap, 0);
  problem_->setObjectName("hostFormProblem");
  save_->setObjectName("saveHost");
  outer->addWidget(problem_);
  outer->addLayout(row);
  connect(cancel, &QPushButton::clicked, this, &HostForm::cancelled);
  connect(save_, &QPushButton::clicked, this, &HostForm::save);
}

void HostForm::buildTarget(QVBoxLayout* column) {
  auto* box = new QVBoxLayout(quick_);
  box->setContentsMargins(0, 0, 0, 0);
  box->setSpacing(widgets::kGap);
  target_->setEditable(true);
  target_->setInsertPolicy(QComboBox::NoInsert);
  target_->setObjectName("hostTarget");
  target_->lineEdit()->setPlaceholderText("alias, or user@host:port");
  target_->completer()->setFilterMode(Qt::MatchContains);
  target_->completer()->setCompletionMode(QCompleter::PopupCompletion);
  box->addWidget(new Field("Host", target_, "", "An alias of ~/.ssh/config, or an address"));
  QPushButton* import = widgets::button("Import from a file…", "imported", "quiet");
  import->setObjectName("importHosts");
  box->addWidget(import, 0, Qt::AlignLeft);
  box->addWidget(widgets::horizontalLine());
  column->addWidget(quick_);
  connect(target_->lineEdit(), &QLineEdit::textChanged, this, &HostForm::takeTarget);
  connect(target_->lineEdit(), &QLineEdit::returnPressed, this, &HostForm::save);
  connect(import, &QPushButton::clicked, this, &HostForm::importAsked);
}

Field* HostForm::line(QVBoxLayout* column, QLineEdit** into, const char* objectName, const QString& name, const QString& help) {
  *into = new QLineEdit;
  (*into)->setObjectName(objectName);
  auto* field = new Field(name, *into, "", help);
  column->addWidget(field);
  return field;
}

void HostForm::buildFields(QVBoxLayout* column) {
  line(column, &name_, "hostName", "Name", "What documents call it");
  kind_->addItem("SSH", "ssh");
  kind_->addItem("Slurm", "slurm");
  kind_->setObjectName("hostKind");
  ofSsh_.push_back(new Field("Kind", kind_, ""));
  column->addWidget(ofSsh_.back());
  ofSsh_.push_back(line(column, &host_, "hostAddress", "Address", "Host name, IP or alias"));
  ofSsh_.push_back(line(column, &port_, "hostPort", "Port", "Empty: as ~/.ssh/config says, else 22"));
  ofSsh_.push_back(line(column, &user_, "hostUser", "User", "Empty: as ~/.ssh/config says"));
  ofSsh_.push_back(line(column, &identity_, "hostIdentity", "Identity file", "A private key; empty: as ssh finds it"));
  jump_->setObjectName("hostJump");
  ofSsh_.push_back(new Field("Jump host", jump_, "", "Connected to first; its key is verified as well"));
  column->addWidget(ofSsh_.back());
  address_->setEditable(true);
  address_->setInsertPolicy(QComboBox::NoInsert);
  address_->setObjectName("hostDataAddress");
  column->addWidget(new Field("Data interface", address_, "", "IP that other hosts' nodes connect to; empty: its address"));
  ofSsh_.push_back(line(column, &knownHosts_, "hostKnownHosts", "Known hosts", "File of known keys; empty: as ssh does"));
  ofSsh_.push_back(acceptNew_);
  column->addWidget(acceptNew_);
  line(column, &libraries_, "hostLibraries", "LibTorch folder", "On the host; empty: the system's, else a bundle is sent");
  ofSlurm_ = line(column, &slurm_, "hostSlurm", "Slurm options", "For sbatch, separated by spaces");
  column->addWidget(ofSlurm_);
  env_->setObjectName("hostEnvironment");
  env_->setFixedHeight(72);
  env_->setTabChangesFocus(true);
  column->addWidget(new Field("Environment", env_, "", "NAME=VALUE, one a line; nothing secret: it is kept in the list of hosts"));
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
  title_->setText("Edit " + (entry.name == "local" ? QString("this computer") : text(entry.name)));
  save_->setText("Save");
  quick_->hide();
  fill(entry);
  (entry.name == "local" ? static_cast<QWidget*>(address_) : host_)->setFocus(Qt::OtherFocusReason);
}

void HostForm::fill(const hosts::HostEntry& entry) {
  entry_ = entry;
  problem_->clear();
  name_->setText(text(entry.name));
  kind_->setCurrentIndex(std::max(0, kind_->findData(text(entry.kind))));
  host_->setText(text(entry.address));
  port_->setText(entry.port > 0 ? QString::number(entry.port) : QString());
  user_->setText(text(entry.user));
  identity_->setText(text(entry.identity));
  knownHosts_->setText(text(entry.knownHosts));
  libraries_->setText(text(entry.libraries));
  acceptNew_->setChecked(entry.acceptNewKey);
  QStringList env, slurm;
  for (const auto& [name, value] : entry.env) env << text(name) + "=" + text(value);
  for (const std::string& option : entry.slurm) slurm << text(option);
  env_->setPlainText(env.join('\n'));
  slurm_->setText(slurm.join(' '));
  fillLists(entry);
  followKind();
}

void HostForm::fillLists(const hosts::HostEntry& entry) {
  jump_->clear();
  jump_->addItem("as ~/.ssh/config says", QString());
  for (const HostItem& other : shell_.hosts.items())
    if (other.entry.kind == "ssh" && other.entry.name != entry.name) jump_->addItem(text(other.entry.name), text(other.entry.name));
  jump_->setCurrentIndex(std::max(0, jump_->findData(text(entry.jump))));
  address_->clear();
  if (const HostItem* item = shell_.hosts.find(entry.name))
    for (const HostAddress& each : item->figures.addresses)
      if (!each.address.startsWith("fe80")) address_->addItem(each.address);
  address_->setEditText(text(entry.dataAddress));
}

// Reading ~/.ssh/config may follow includes: not on this thread.
void HostForm::askAliases() {
  tasks_.post([this, aliases = shell_.hosts.services().aliases](const std::stop_token&) {
    QStringList names;
    try {
      for (const std::string& alias : aliases()) names << text(alias);
    } catch (const std::exception&) {  // the box takes addresses without it
    }
    QMetaObject::invokeMethod(
        this,
        [this, names] {
          const QString typed = target_->currentText();
          const QSignalBlocker quiet(target_->lineEdit());
          target_->clear();
          target_->addItems(names);
          target_->setCurrentIndex(-1);
          target_->setEditText(typed);
        },
        Qt::QueuedConnection);
  });
}

void HostForm::takeTarget() {
  hosts::HostEntry entry;
  const QString wrong = readTarget(target_->currentText(), shell_.hosts.book(), entry);
  problem_->setText(target_->currentText().trimmed().isEmpty() ? QString() : wrong);
  if (!wrong.isEmpty()) return;
  name_->setText(text(entry.name));
  host_->setText(text(entry.address));
  user_->setText(text(entry.user));
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

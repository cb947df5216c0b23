#include "app/ui/clusters/host_pane.h"

#include <algorithm>
#include <utility>

#include "app/cluster/slurm/host.h"
#include "app/models/words.h"
#include "app/ui/widgets/choice_list.h"
#include "app/ui/widgets/field.h"
#include "app/ui/widgets/file_dialog.h"
#include "app/ui/widgets/state_mark.h"
#include "engine/core/base/error.h"

namespace paceline::clusters {
namespace {

constexpr int kLeastWidth = 372;  // at every text size: lines break

const check::CheckLine* changedKey(const HostItem& item) {
  const auto line = std::find_if(item.lines.begin(), item.lines.end(), [](const check::CheckLine& each) { return each.id == "key" && each.state == check::CheckState::kBad; });
  return line == item.lines.end() ? nullptr : &*line;
}

constexpr std::pair<const char*, const char*> kFormats[] = {
    {QT_TR_NOOP("Detected from the file"), "auto"}, {QT_TR_NOOP("List of addresses"), "list"}, {QT_TR_NOOP("MPI hostfile"), "mpi"}, {QT_TR_NOOP("ECL hosts.json"), "ecl"},
    {QT_TR_NOOP("MXNet-G hosts"), "mxnet"}, {"ps_pytorch", "ps_pytorch"}, {"ssh_config", "ssh_config"}};

QString portText(const hosts::HostEntry& entry) { return entry.port > 0 ? QString::number(entry.port) : QString(); }

}  // namespace

HostPane::HostPane(Shell& shell)
    : widgets::ScrollPane(kLeastWidth), shell_(shell), name_(new widgets::ElidedLabel("section")), where_(new widgets::ElidedLabel("caption")), badge_(new widgets::StateBadge),
      check_(widgets::button(tr("Check all"), "refresh", [this] { checkOrStop(); }, {.name = "checkHost"})),
      edit_(widgets::button(tr("Edit"), "draft", [this] { emit editAsked(host_); }, {.name = "editHost"})),
      remove_(widgets::button(tr("Remove"), "trash", [this] { emit removeAsked(host_); }, {.name = "removeHost"})), problem_(new QFrame),
      nothing_(widgets::label(tr("Select a host to see its details."), "muted")) {
  cards_ = {hostLoad(), hostChecks(shell_), hostDisk(shell_), hostFacts(shell_, [this](const std::string& address) {
              const HostItem* item = shell_.hosts.find(host_);
              if (!item || item->entry.dataAddress == address) return;
              hosts::HostEntry after = item->entry;
              after.dataAddress = address;
              emit changeAsked(after, after.name);
            })};
  buildProblem();
  widgets::addAll(column_, {nothing_, name_, widgets::across({badge_, {where_, 1}}), widgets::across({check_, edit_, remove_, widgets::room()}), problem_, cards_[0], cards_[1],
                             widgets::horizontalLine(), cards_[2], widgets::horizontalLine(), cards_[3], widgets::room()});
  connect(&shell_.hosts, &HostsModel::reloaded, this, &HostPane::follow);
  connect(&shell_.hosts, &HostsModel::changed, this, [this](const QString& host) {
    if (host.toStdString() == host_) follow();
  });
  connect(&shell_.catalogue, &Catalogue::changed, this, &HostPane::follow);
  connect(&widgets::Theme::instance(), &widgets::Theme::changed, this, &HostPane::follow);
  follow();
}

void HostPane::buildProblem() {
  problem_->setObjectName("problem");
  problemTitle_ = widgets::wrapped(widgets::label(""));
  problemText_ = new widgets::BreakingLabel;
  problemText_->setObjectName("hostProblem");
  QPushButton* copy = widgets::copyButton(tr("Copy"), [this] { return problemText_->fullText(); });
  problem_->setLayout(widgets::down({problemTitle_, problemText_, {copy, 0, Qt::AlignLeft}}, {12, widgets::kGap, 12, widgets::kGap}));
}

void HostPane::checkOrStop() {
  const HostItem* item = shell_.hosts.find(host_);
  item && item->checking ? shell_.checks.stop(host_) : shell_.checks.check(host_);
}

void HostPane::setHost(const std::string& host) {
  if (std::exchange(host_, host) != host) toTop();
  follow();
}

void HostPane::follow() {
  const HostItem* item = shell_.hosts.find(host_);
  nothing_->setVisible(!item);
  for (QWidget* each : inside_->findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
    if (each != nothing_ && each != problem_) each->setVisible(item != nullptr);
  if (!item) return problem_->hide();
  const bool local = host_ == "local";
  name_->setFullText(local ? tr("This computer") : qtext(item->entry.name));
  where_->setFullText(local ? tr("always there, as host local") : QString("%1, %2").arg(kindWord(item->entry.kind), item->address()));
  badge_->setMark(widgets::standingMark(item->standing()), standingWord(item->standing()));
  check_->setText(item->checking ? tr("Stop checking") : tr("Check all"));
  edit_->setEnabled(!item->checking && !item->deploying);
  remove_->setVisible(!local);
  remove_->setEnabled(edit_->isEnabled());
  followProblem(*item);
  for (HostCard* each : cards_) each->present(*item);
}

// What went wrong with the last action; above it all a key that is not the one we know: there is no way around it from here.
void HostPane::followProblem(const HostItem& item) {
  const check::CheckLine* key = changedKey(item);
  const QString failure = key ? QStringList{qtext(key->found), qtext(key->advice)}.join("\n") : item.failure.isEmpty() ? item.waiting : item.failure;
  problem_->setVisible(!failure.isEmpty());
  const bool waits = !key && item.failure.isEmpty();
  problemTitle_->setText(key ? tr("Not connected: the key of this host is not trusted") : waits ? tr("Waiting") : tr("What went wrong"));
  problemText_->setFullText(asSentence(failure));
  const QString colour = widgets::hex(waits ? widgets::Token::kAccent : widgets::Token::kBad);
  problem_->setStyleSheet(QString("QFrame#problem { background: %1; border: 1px solid %2; border-left: 3px solid %3; border-radius: 6px; }")
                              .arg(widgets::hex(widgets::Token::kSurface), widgets::hex(widgets::Token::kBorder), colour));
  problemTitle_->setStyleSheet(QString("color: %1; font-weight: 600;").arg(colour));
}

HostForm::HostForm(Shell& shell)
    : widgets::ScrollPane(kLeastWidth), shell_(shell), title_(widgets::label("", "section")), problem_(widgets::wrapped(widgets::label("", "finding"))), target_(new QComboBox),
      kind_(new widgets::ChoiceList), jump_(new widgets::ChoiceList), address_(new QComboBox), name_(lineOf(&hosts::HostEntry::name)), host_(lineOf(&hosts::HostEntry::address)),
      user_(lineOf(&hosts::HostEntry::user)), port_(new QLineEdit), slurm_(new QLineEdit), nodes_(new QLineEdit), acceptNew_(new QCheckBox(tr("Accept an unknown key without asking"))),
      env_(new QPlainTextEdit), save_(widgets::button(tr("Add host"), "", [this] { save(); }, {.kind = "primary", .name = "saveHost"})) {
  problem_->setContentsMargins(widgets::kGroupGap, 0, widgets::kGroupGap, 0);
  problem_->setObjectName("hostFormProblem");
  buildTarget();
  widgets::addAll(column_, {title_, quick_});
  buildFields();
  column_->addStretch(1);
  widgets::addAll(outer_, {problem_, widgets::across({widgets::room(), widgets::button(tr("Cancel"), "", [this] { emit cancelled(); }), save_},
                                                      {widgets::kGroupGap, widgets::kGap, widgets::kGroupGap, widgets::kGroupGap})});
}

void HostForm::buildTarget() {
  widgets::makeSearchable(target_, tr("alias, or user@host:port"));
  target_->setObjectName("hostTarget");
  QPushButton* import = widgets::button(tr("Import from a file…"), "imported", [this] { emit importAsked(); }, {.kind = "quiet", .name = "importHosts"});
  quick_ = widgets::boxed(widgets::down({new widgets::Field(tr("Host"), target_, "", tr("An alias of ~/.ssh/config, or an address")), {import, 0, Qt::AlignLeft}, widgets::horizontalLine()}));
  connect(target_->lineEdit(), &QLineEdit::textChanged, this, &HostForm::takeTarget);
  connect(target_->lineEdit(), &QLineEdit::returnPressed, this, &HostForm::save);
}

QLineEdit* HostForm::lineOf(Text member) {
  texts_.emplace_back(member, new QLineEdit);
  return texts_.back().second;
}

QWidget* HostForm::line(QLineEdit* edit, const char* objectName, const QString& name, const QString& help) {
  edit->setObjectName(objectName);
  return new widgets::Field(name, edit, "", help);
}

void HostForm::buildFields() {
  kind_->addItem(kindWord("ssh"), "ssh");
  for (const char* kind : {"slurm", "exec"}) kind_->addItem(kindWord(kind), kind);
  kind_->setObjectName("hostKind");
  jump_->setObjectName("hostJump");
  address_->setEditable(true);
  address_->setInsertPolicy(QComboBox::NoInsert);
  address_->setObjectName("hostDataAddress");
  env_->setObjectName("hostEnvironment");
  env_->setFixedHeight(72);
  env_->setTabChangesFocus(true);
  auto* interface = new widgets::Field(tr("Data interface"), address_, "", tr("IP that other hosts' nodes connect to; empty: its address"));
  ofSsh_ = {new widgets::Field(tr("Kind"), kind_, ""),
            line(host_, "hostAddress", tr("Address"), tr("Host name, IP or alias")),
            line(port_, "hostPort", tr("Port"), tr("Empty: as ~/.ssh/config says, else 22")),
            line(user_, "hostUser", tr("User"), tr("Empty: as ~/.ssh/config says")),
            line(lineOf(&hosts::HostEntry::identity), "hostIdentity", tr("Identity file"), tr("A private key; empty: as ssh finds it")),
            new widgets::Field(tr("Jump host"), jump_, "", tr("Connected to first; its key is verified as well")),
            line(lineOf(&hosts::HostEntry::knownHosts), "hostKnownHosts", tr("Known hosts"), tr("File of known keys; empty: as ssh does")),
            acceptNew_};
  ofSlurm_ = line(slurm_, "hostSlurm", tr("Slurm options"), tr("For sbatch, separated by spaces"));
  ofJob_ = line(nodes_, "hostNodes", tr("Nodes"), tr("Of one job, which start together: NAME0 and on; empty: one host with a job of its own"));
  ofExec_ = line(lineOf(&hosts::HostEntry::command), "hostCommand", tr("Command"), tr("What gives a shell there when /bin/sh is put behind it, as \"docker exec -i box\""));
  column_->addWidget(line(name_, "hostName", tr("Name"), tr("What documents call it")));
  for (QWidget* each : ofSsh_) {
    if (each == ofSsh_[1]) column_->addWidget(ofExec_);
    if (each == ofSsh_[6]) column_->addWidget(interface);
    column_->addWidget(each);
  }
  widgets::addAll(column_, {line(lineOf(&hosts::HostEntry::libraries), "hostLibraries", tr("LibTorch folder"), tr("On the host; empty: the system's, else a bundle is sent")), ofJob_, ofSlurm_,
                             new widgets::Field(tr("Environment"), env_, "", tr("NAME=VALUE, one a line; nothing secret: it is kept in the list of hosts"))});
  connect(kind_, &QComboBox::currentIndexChanged, this, &HostForm::followKind);
  for (QLineEdit* each : inside_->findChildren<QLineEdit*>()) connect(each, &QLineEdit::textChanged, this, &HostForm::judge);
  for (QComboBox* each : {kind_, jump_}) connect(each, &QComboBox::currentIndexChanged, this, &HostForm::judge);
  connect(env_, &QPlainTextEdit::textChanged, this, &HostForm::judge);
}

void HostForm::followKind() {
  const bool local = entry_.kind == "local";
  const QString kind = kind_->currentData().toString();
  for (QWidget* each : ofSsh_) each->setVisible(!local && (kind != "exec" || each == ofSsh_.front()));  // the first is the kind itself
  ofSlurm_->setVisible(!local && kind == "slurm");
  ofJob_->setVisible(!local && kind == "slurm" && before_.empty());
  ofExec_->setVisible(!local && kind == "exec");
  name_->setEnabled(before_ != "local");
}

void HostForm::add() {
  before_.clear();
  title_->setText(tr("Add host"));
  save_->setText(tr("Add host"));
  quick_->show();
  fill({});
  target_->clearEditText();
  askAliases();
  target_->setFocus(Qt::OtherFocusReason);
}

void HostForm::edit(const hosts::HostEntry& entry) {
  before_ = entry.name;
  title_->setText(tr("Edit %1").arg(entry.name == "local" ? tr("this computer") : qtext(entry.name)));
  save_->setText(tr("Save"));
  quick_->hide();
  fill(entry);
  (entry.name == "local" ? static_cast<QWidget*>(address_) : host_)->setFocus(Qt::OtherFocusReason);
}

void HostForm::fill(const hosts::HostEntry& entry) {
  entry_ = entry;
  problem_->clear();
  for (const auto& [member, edit] : texts_) edit->setText(qtext(entry.*member));
  kind_->setCurrentIndex(std::max(0, kind_->findData(qtext(entry.kind))));
  port_->setText(portText(entry));
  acceptNew_->setChecked(entry.acceptNewKey);
  env_->setPlainText(environmentText(entry));
  slurm_->setText(qtexts(entry.slurm).join(' '));
  nodes_->clear();
  fillLists(entry);
  followKind();
  judge();
}

void HostForm::fillLists(const hosts::HostEntry& entry) {
  jump_->clear();
  jump_->addItem(tr("as ~/.ssh/config says"), QString());
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
  if (!wrong.isEmpty()) entry = {};  // no part of an earlier reading stays
  name_->setText(qtext(entry.name));
  host_->setText(qtext(entry.address));
  user_->setText(qtext(entry.user));
  port_->setText(portText(entry));
}

QString HostForm::read(hosts::HostEntry& entry) const {
  for (const auto& [member, edit] : texts_) entry.*member = edit->text().trimmed().toStdString();
  if (entry_.kind != "local") entry.kind = kind_->currentData().toString().toStdString();
  entry.jump = jump_->currentData().toString().toStdString();
  entry.dataAddress = address_->currentText().trimmed().toStdString();
  entry.acceptNewKey = acceptNew_->isChecked();
  bool ok = true;
  const QString port = port_->text().trimmed();
  entry.port = port.isEmpty() ? 0 : port.toInt(&ok);
  if (!ok) return "The port must be a whole number; it is \"" + port + "\".";
  if (entry.kind == "exec") entry.address.clear(), entry.user.clear(), entry.identity.clear(), entry.knownHosts.clear(), entry.jump.clear(), entry.port = 0, entry.acceptNewKey = false;
  else entry.command.clear();
  entry.slurm.clear();
  if (entry.kind == "slurm")
    for (const QString& option : slurm_->text().split(' ', Qt::SkipEmptyParts)) entry.slurm.push_back(option.toStdString());
  return readEnvironment(env_->toPlainText(), entry.env);
}

QString HostForm::problem() const {
  hosts::HostEntry entry = entry_, unused;
  if (before_.empty() && !target_->currentText().trimmed().isEmpty())
    if (const QString wrong = readTarget(target_->currentText(), shell_.hosts.book(), unused); !wrong.isEmpty()) return wrong;
  if (const QString wrong = read(entry); !wrong.isEmpty()) return wrong;
  if (entry.name.empty()) return "A host needs a name.";
  if (!nodes()) return "The nodes must be a whole number of at least 1; they are \"" + nodes_->text() + "\".";
  hosts::HostRegistry book = shell_.hosts.book();
  const int wanted = *nodes();
  try {
    for (const hosts::HostEntry& each : wanted > 0 ? slurm::nodesOfJob(entry, wanted) : std::vector{entry}) {
      if (each.name != before_ && book.find(each.name)) return QString("There is a host \"%1\" already; choose another name.").arg(qtext(each.name));
      book.put(each);
    }
  } catch (const Error& error) {
    return QString::fromUtf8(error.what());
  }
  return {};
}

// A new form with nothing in it is not blamed; it cannot be saved either.
void HostForm::judge() {
  const QString wrong = problem();
  const bool untouched = before_.empty() && target_->currentText().isEmpty() && name_->text().isEmpty() && host_->text().isEmpty();
  problem_->setText(untouched ? QString() : asSentence(wrong));
  save_->setEnabled(wrong.isEmpty());
  save_->setToolTip(wrong);
}

void HostForm::save() {
  hosts::HostEntry entry = entry_;
  judge();
  if (!save_->isEnabled() || !read(entry).isEmpty()) return;
  if (const int wanted = nodes().value_or(0); wanted > 0) emit acceptedAll(slurm::nodesOfJob(entry, wanted));
  else emit accepted(entry, before_);
}

std::optional<int> HostForm::nodes() const {
  const QString typed = nodes_->text().trimmed();
  if (typed.isEmpty() || !before_.empty() || kind_->currentData().toString() != "slurm") return 0;
  bool whole = false;
  const int wanted = typed.toInt(&whole);
  return whole && wanted >= 1 && wanted <= 10000 ? std::optional(wanted) : std::nullopt;
}

HostImportPane::HostImportPane(const HostsModel& hosts)
    : hosts_(hosts), file_(new widgets::ElidedLabel("mono")), format_(new widgets::ChoiceList), summary_(widgets::wrapped(widgets::label("", "muted"))),
      table_(new QTableWidget(0, 4)), problems_(new QPlainTextEdit), copy_(widgets::copyButton(tr("Copy errors"), [this] { return problems_->toPlainText(); })),
      add_(widgets::button(tr("Add hosts"), "", [this] { emit accepted(imported_.hosts); }, {.kind = "primary", .name = "addImported"})) {
  setObjectName("pane");
  setMinimumWidth(kLeastWidth);
  for (const auto& [title, id] : kFormats) format_->addItem(tr(title), id);
  format_->setAccessibleName(tr("Format"));
  table_->setHorizontalHeaderLabels({tr("Name"), tr("Address"), tr("User"), tr("Port")});
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setObjectName("importPreview");
  widgets::styleTable(table_);
  widgets::setWidths(table_, {80, 110, 60, 44}, 1);
  problems_->setReadOnly(true);
  problems_->setObjectName("importProblems");
  setLayout(widgets::down({widgets::label(tr("Import hosts"), "section"), widgets::across({{file_, 1}, widgets::button(tr("Choose file…"), "", [this] { choose(); })}), format_, summary_, {table_, 2},
                  {problems_, 1}, widgets::across({copy_, widgets::room(), widgets::button(tr("Cancel"), "", [this] { emit cancelled(); }), add_})},
                 {widgets::kGroupGap, widgets::kGroupGap, widgets::kGroupGap, widgets::kGroupGap}));
  connect(format_, &QComboBox::activated, this, [this] { read(path_); });
  take({});
}

void HostImportPane::choose() {
  const QString path = widgets::askOpenPath(this, {.title = tr("A file that lists hosts")});
  if (!path.isEmpty()) read(path);
}

void HostImportPane::read(const QString& path) {
  if (path.isEmpty()) return;
  path_ = path;
  file_->setFullText(path);
  summary_->setText(tr("Reading"));
  inBackground(
      tasks_, this,
      [import = hosts_.services().import, book = hosts_.book(), path, format = format_->currentData().toString()](const std::stop_token&) {
        return import(book, path.toStdString(), format.toStdString());
      },
      [this, path](ImportedHosts imported, const QString& error) {
        if (!error.isEmpty()) imported.problems.push_back(error.toStdString());
        if (path == path_) take(imported);
      });
}

void HostImportPane::take(const ImportedHosts& imported) {
  imported_ = imported;
  const auto hosts = static_cast<int>(imported.hosts.size());
  const auto wrong = static_cast<int>(imported.problems.size());
  table_->setRowCount(hosts);
  for (int i = 0; i < hosts; ++i) {
    const hosts::HostEntry& entry = imported.hosts[static_cast<std::size_t>(i)];
    const QString cells[] = {qtext(entry.name), qtext(entry.address), qtext(entry.user), portText(entry)};
    for (int c = 0; c < 4; ++c) table_->setItem(i, c, new QTableWidgetItem(cells[c]));
  }
  problems_->setPlainText(qtexts(imported.problems).join('\n'));
  problems_->setVisible(wrong > 0);
  copy_->setVisible(wrong > 0);
  if (path_.isEmpty()) summary_->setText(tr("A plain list of addresses, an MPI hostfile, ECL's hosts.json, MXNet-G's hosts, ps_pytorch's hosts or an ssh_config."));
  else if (wrong > 0) summary_->setText(tr("%1: mend the file, then choose it again. Nothing was added.").arg(tr("%n problem(s)", nullptr, wrong)));
  else summary_->setText((hosts > 0 ? tr("%n host(s) will be added.", nullptr, hosts) : tr("There is no new host in this file.")) +
                         (imported.known.empty() ? QString() : " " + tr("%1 in the list already.").arg(imported.known.size())));
  add_->setEnabled(hosts > 0 && wrong == 0);
  add_->setText(hosts > 0 ? tr("Add %n host(s)", nullptr, hosts) : tr("Add hosts"));
}

void HostImportPane::refuse(const QString& sentence) {
  problems_->setPlainText(sentence);
  problems_->show();
  copy_->show();
}

}  // namespace paceline::clusters

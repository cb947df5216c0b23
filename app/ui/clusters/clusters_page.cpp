#include "app/ui/clusters/clusters_page.h"

#include <memory>

#include <QDialog>
#include <QHeaderView>
#include <QPointer>

#include "app/models/words.h"
#include "app/ui/clusters/host_pane.h"
#include "app/ui/clusters/link_matrix.h"
#include "app/ui/widgets/context_menu.h"
#include "app/ui/widgets/state_mark.h"

namespace paceline::clusters {

ClustersPage::ClustersPage(Shell& shell)
    : widgets::Page(tr("Clusters")), shell_(shell), measure_(widgets::button(tr("Measure links"), "clusters", [this] { measure(); }, {.name = "measureLinks"})),
      content_(new QStackedWidget), tableStack_(new QStackedWidget), side_(new QStackedWidget), linkStack_(new QStackedWidget), pane_(new HostPane(shell)),
      form_(new HostForm(shell)), import_(new HostImportPane(shell.hosts)), matrix_(new LinkMatrix(shell.links)) {
  widgets::addAll(titleRow_, {measure_, widgets::button(tr("Check all"), "refresh", [this] { shell_.checks.checkAll(); }, {.name = "checkAllHosts"}),
                               widgets::button(tr("Add host"), "plus", [this] { add(); }, {.kind = "primary", .name = "addHost", .help = "Ctrl+Return"})});
  buildRow();
  for (QWidget* each : std::initializer_list<QWidget*>{pane_, form_, import_}) side_->addWidget(each);
  content_->addWidget(widgets::splitter(Qt::Horizontal, {{buildTable(), 718, 1}, {side_, 386}}));
  content_->addWidget(buildLinks());
  widgets::addAll(body_, {widgets::horizontalLine(), {content_, 1}});
  wirePane();
  connect(&shell_.hosts, &HostsModel::reloaded, this, &ClustersPage::follow);
  connect(&shell_.hosts, &HostsModel::failed, this, &widgets::Page::failed);
  connect(&shell_.checks, &HostChecks::changed, this, &ClustersPage::follow);
  connect(&shell_.links, &LinksModel::changed, this, &ClustersPage::followLinks);
  connect(&shell_.links, &LinksModel::ended, this, [this](const QString& error) {
    if (!error.isEmpty()) emit failed(error);
  });
  follow();
  followLinks();
}

void ClustersPage::buildRow() {
  views_ = new widgets::Segments({tr("Hosts"), tr("Links")});
  search_ = widgets::searchField(tr("Search name, address, state, GPU"), "hostSearch", [this](const QString& words) { filter_.setWords(words), follow(); });
  search_->setMaximumWidth(320);
  states_ = new widgets::Segments({tr("All"), tr("Usable"), tr("Problems")});
  count_ = widgets::label("", "muted");
  widgets::addAll(addRow(), {views_, widgets::gap(widgets::kGap), {search_, 1}, states_, widgets::room(), count_});
  connect(views_, &widgets::Segments::chosen, this, [this](int view) { showLinks(view == 1); });
  connect(states_, &widgets::Segments::chosen, this, [this](int states) { filter_.setStates(static_cast<HostsFilter::States>(states)), follow(); });
}

QWidget* ClustersPage::buildTable() {
  filter_.setSourceModel(&shell_.hosts);
  table_ = widgets::table(filter_, "hostTable", tr("Hosts"));
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setSortingEnabled(true);
  table_->horizontalHeader()->setSortIndicatorShown(true);
  filter_.sort(-1);  // the list's own order until a header is clicked
  table_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
  const auto markOf = [](const QModelIndex& index) { return widgets::standingMark(static_cast<HostStanding>(index.data(HostsModel::kStandingRole).toInt())); };
  table_->setItemDelegateForColumn(HostsModel::kState, widgets::markedCells(markOf, table_));
  table_->horizontalHeader()->setMinimumSectionSize(44);
  widgets::setWidths(table_, {80, 96, 56, 110, 50, 50, 68, 70, 80, 80}, HostsModel::kAddress);
  widgets::offerButtons(table_, pane_);
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &ClustersPage::followSelection);
  tableStack_->addWidget(table_);
  tableStack_->addWidget(new widgets::EmptyState("search", tr("No host matches"), tr("Change the search words or the filter above.")));
  return tableStack_;
}

QWidget* ClustersPage::buildLinks() {
  linkStatus_ = widgets::label("", "muted");
  QHBoxLayout* legend = widgets::across({widgets::label(tr("Bandwidth"), "caption"), linkScale(), widgets::room(),
                                         widgets::label(tr("a row sends, a column receives; below it the latency one way"), "caption")});
  linkStack_->addWidget(widgets::boxed(widgets::down({linkStatus_, {matrix_, 1}, legend}, {widgets::kPageMargin, widgets::kGroupGap, widgets::kPageMargin, widgets::kGroupGap}, 12)));
  linkStack_->addWidget(new widgets::EmptyState("clusters", tr("No links measured"), tr("Bandwidth and latency between every pair of hosts, both ways, over the addresses that a run uses."),
                                                tr("Measure links"), [this] { measure(); }));
  return linkStack_;
}

void ClustersPage::wirePane() {
  const auto showPane = [this] { side_->setCurrentWidget(pane_); };
  connect(pane_, &HostPane::editAsked, this, [this](const std::string& host) {
    if (const HostItem* item = shell_.hosts.find(host)) form_->edit(item->entry), side_->setCurrentWidget(form_);
  });
  connect(pane_, &HostPane::removeAsked, this, &ClustersPage::remove);
  connect(pane_, &HostPane::changeAsked, this, &ClustersPage::save);
  connect(form_, &HostForm::accepted, this, &ClustersPage::save);
  connect(form_, &HostForm::acceptedAll, this, &ClustersPage::saveAll);
  connect(form_, &HostForm::cancelled, this, showPane);
  connect(form_, &HostForm::importAsked, this, [this] { side_->setCurrentWidget(import_), import_->choose(); });
  connect(import_, &HostImportPane::accepted, this, &ClustersPage::saveAll);
  connect(import_, &HostImportPane::cancelled, this, showPane);
}

void ClustersPage::add() {
  showLinks(false);
  side_->setCurrentWidget(form_);
  form_->add();
}

void ClustersPage::importFrom(const QString& path) {
  showLinks(false);
  side_->setCurrentWidget(import_);
  import_->read(path);
}

// What cannot be done any more (its name was taken, another host jumps over it) is told.
void ClustersPage::push(const QString& what, const std::vector<HostChange>& changes) {
  const auto apply = [this](const std::optional<hosts::HostEntry>& from, const std::optional<hosts::HostEntry>& to) {
    const auto told = [this](const QString& error) {
      if (!error.isEmpty()) emit failed(error);
    };
    if (to) return shell_.hosts.put(*to, from ? from->name : std::string(), told);
    if (from) shell_.hosts.remove(from->name, told);
  };
  const auto redo = [changes, apply] {
    for (const HostChange& change : changes) apply(change.before, change.after);
  };
  const auto undo = [changes, apply] {
    for (auto change = changes.rbegin(); change != changes.rend(); ++change) apply(change->after, change->before);
  };
  shell_.undo.hosts.push(new Undoable(what, redo, undo));
}

void ClustersPage::save(const hosts::HostEntry& entry, const std::string& before) {
  const HostItem* old = before.empty() ? nullptr : shell_.hosts.find(before);
  const HostChange change{.before = old ? std::optional(old->entry) : std::nullopt, .after = entry};
  shell_.hosts.put(entry, before, [this, change, entry](const QString& error) {
    if (!error.isEmpty()) return side_->currentWidget() == form_ ? form_->refuse(error) : emit failed(error);
    push((change.before ? tr("changing host %1") : tr("adding host %1")).arg(qtext(entry.name)), {change});
    side_->setCurrentWidget(pane_);
    select(entry.name);
    table_->setFocus(Qt::OtherFocusReason);  // else it goes into the details, which scroll to it
    if (!change.before) shell_.checks.check(entry.name);
  });
}

void ClustersPage::saveAll(const std::vector<hosts::HostEntry>& hosts) {
  shell_.hosts.putAll(hosts, [this, hosts](const QString& error) {
    if (!error.isEmpty()) return import_->refuse(error);
    std::vector<HostChange> changes;
    for (const hosts::HostEntry& entry : hosts) changes.push_back({.before = std::nullopt, .after = entry});
    push(tr("adding %n host(s)", nullptr, static_cast<int>(hosts.size())), std::move(changes));
    side_->setCurrentWidget(pane_);
    if (!hosts.empty()) select(hosts.front().name);
  });
}

void ClustersPage::remove(const std::string& host) {
  const HostItem* item = shell_.hosts.find(host);
  if (!item) return;
  shell_.hosts.remove(host, [this, entry = item->entry](const QString& error) {
    if (!error.isEmpty()) return emit failed(error);
    push(tr("removing host %1").arg(qtext(entry.name)), {{.before = entry, .after = std::nullopt}});
    shell_.offerUndo(shell_.undo.hosts, tr("Removed host %1").arg(qtext(entry.name)).toStdString());
  });
}

void ClustersPage::measure() {
  if (shell_.links.measuring()) return shell_.links.stop();
  showLinks(true);
  std::vector<std::string> usable;
  for (const HostItem& item : shell_.hosts.items())
    if (item.standing() != HostStanding::kProblem) usable.push_back(item.entry.name);
  if (usable.size() < 2) return emit failed("Links are measured between hosts: add at least one host, and mend those with problems.");
  shell_.links.measure(usable);
}

void ClustersPage::follow() {
  const int all = shell_.hosts.rowCount(), shown = filter_.rowCount(), running = shell_.checks.running();
  tableStack_->setCurrentIndex(shown == 0 && shell_.hosts.loaded() ? 1 : 0);
  QStringList parts;
  if (running > 0) parts << tr("checking %1").arg(running);
  parts << (shown == all ? tr("%n host(s)", nullptr, all) : tr("%1 of %2").arg(shown).arg(tr("%n host(s)", nullptr, all)));
  count_->setText(parts.join(", "));
  if (selected() != wanted_) select(wanted_);
  if (selected().empty()) pane_->setHost({});
}

std::string ClustersPage::selected() const {
  const QModelIndexList rows = table_->selectionModel()->selectedRows();
  return rows.isEmpty() ? std::string() : rows.front().data(HostsModel::kHostRole).toString().toStdString();
}

void ClustersPage::select(const std::string& host) {
  wanted_ = host;
  const QModelIndexList found = filter_.match(filter_.index(0, 0), HostsModel::kHostRole, qtext(host), 1, Qt::MatchExactly);
  if (found.isEmpty()) return;
  table_->setCurrentIndex(found.front());
  table_->selectRow(found.front().row());
}

void ClustersPage::followSelection() {
  const std::string host = selected();
  if (host.empty()) return;  // the list is read again
  wanted_ = host;
  if (host == pane_->host()) return;  // read again: a form that is being filled stays
  pane_->setHost(host);
  side_->setCurrentWidget(pane_);
}

void ClustersPage::followLinks() {
  const LinksModel& links = shell_.links;
  const std::vector<std::string> hosts = links.measured();
  matrix_->setHosts(hosts);
  linkStack_->setCurrentIndex(hosts.empty() && !links.measuring() ? 1 : 0);
  measure_->setText(links.measuring() ? tr("Stop measuring, %1 of %2").arg(links.done()).arg(links.total()) : tr("Measure links"));
  linkStatus_->setText(links.measuring() ? tr("Measuring: %1 of %2 links").arg(links.done()).arg(links.total())
                                         : tr("%1, as last measured").arg(tr("%n host(s)", nullptr, static_cast<int>(hosts.size()))));
}

void ClustersPage::showLinks(bool links) {
  views_->setCurrent(links ? 1 : 0);
  content_->setCurrentIndex(links ? 1 : 0);
  search_->setVisible(!links);
  states_->setVisible(!links);
  count_->setVisible(!links);
}

void ClustersPage::find() {
  showLinks(false);
  widgets::focusAll(search_);
}

void ClustersPage::entered() {
  shell_.hosts.load();
  shell_.links.load();
  if (!shell_.catalogue.get()) shell_.catalogue.load();
  const HostItem* local = shell_.hosts.find("local");
  if (local && local->lines.empty()) shell_.checks.check("local");
}

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
  facts->add(QObject::tr("Host"), qtext(question.key.host), true);
  facts->add(QObject::tr("Address"), qtext(question.key.address), true);
  facts->add(QObject::tr("Key type"), qtext(question.key.type), true);
  facts->add("SHA-256", qtext(question.key.fingerprint), true);
  QPushButton *no = widgets::button(QObject::tr("Do not connect"), "", {}, {.name = "refuseKey"}), *yes = widgets::button(QObject::tr("Trust this key"), "lock", {}, {.name = "trustKey"});
  QDialog* dialog = made(window, QObject::tr("Is this %1?").arg(qtext(question.key.host)),
                         QObject::tr("This host has not been connected to before. Compare the fingerprint with what its administrator tells you, or "
                         "with what ssh-keygen -lf prints on the host itself."),
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
  QLabel* kept = widgets::label(QObject::tr("Kept in memory until this window and the recorder end; written nowhere."), "caption");
  QPushButton *no = widgets::button(QObject::tr("Cancel"), "", {}), *yes = widgets::button(QObject::tr("Continue"), "", {}, {.kind = "primary", .name = "continueSecret"});
  QDialog* dialog = made(window, QObject::tr("%1 asks").arg(qtext(question.host)), qtext(question.prompt), {typed, kept}, no, yes);
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

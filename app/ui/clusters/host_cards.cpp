#include "app/ui/clusters/host_pane.h"

#include <algorithm>

#include <QProgressBar>
#include <QSignalBlocker>

#include "app/models/words.h"
#include "app/ui/widgets/choice_list.h"
#include "app/ui/widgets/state_mark.h"

namespace paceline::clusters {
namespace {

constexpr int kNameWidth = 96, kIcon = 16;

widgets::StateMark checkMark(check::CheckState state) {
  static const widgets::StateMark kMarks[] = {{"waiting", widgets::Token::kTextMuted},
                                              widgets::standingMark(HostStanding::kChecking),
                                              widgets::standingMark(HostStanding::kReady),
                                              widgets::standingMark(HostStanding::kWarnings),
                                              widgets::standingMark(HostStanding::kProblem),
                                              {"stopped", widgets::Token::kTextMuted}};
  return kMarks[static_cast<std::size_t>(state)];
}

QString detailOf(const check::CheckLine& line) {
  if (line.state != check::CheckState::kBad && line.state != check::CheckState::kWarning) return {};
  QStringList parts;
  if (!line.expected.empty()) parts << QObject::tr("Expected: %1").arg(qtext(line.expected));
  if (!line.advice.empty()) parts << qtext(line.advice);
  return parts.join("\n");
}

class CheckRow : public QWidget {
 public:
  explicit CheckRow(std::function<void(const std::string& id)> recheck) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 4, 0, 4);
    grid->setHorizontalSpacing(widgets::kGap);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(2, 1);
    again_->setStyleSheet("min-height: 16px; max-height: 16px; padding: 0 4px;");
    grid->addWidget(mark_, 0, 0, Qt::AlignTop);
    grid->addWidget(title_, 0, 1, Qt::AlignTop);
    found_->setObjectName("checkFound"), detail_->setObjectName("checkFound");  // a diagnosis, as errors are: English
    grid->addWidget(found_, 0, 2, Qt::AlignTop);
    grid->addWidget(word_, 0, 3, Qt::AlignTop | Qt::AlignRight);
    grid->addWidget(again_, 0, 4, Qt::AlignTop);
    grid->addWidget(detail_, 1, 1, 1, 4);
    connect(again_, &QToolButton::clicked, this, [this, recheck = std::move(recheck)] { recheck(line_.id); });
    connect(&widgets::Theme::instance(), &widgets::Theme::changed, this, [this] { fit(), paintMark(); });
    fit();
  }

  // `told`: the line before says the same.
  void setLine(const check::CheckLine& line, bool told) {
    line_ = line;
    title_->setText(said(line.title));
    QString found = said(line.found);
    if (found.isEmpty() && line.state == check::CheckState::kGood) found = said(line.expected);
    found_->setFullText(told ? QString() : found);
    detail_->setFullText(detailOf(line));
    detail_->setVisible(!detail_->fullText().isEmpty());
    again_->setToolTip(tr("Check \"%1\" again").arg(said(line.title)));
    again_->setAccessibleName(again_->toolTip());
    again_->setObjectName("recheck-" + qtext(line.id));
    setAccessibleName(QString("%1: %2. %3").arg(said(line.title), said(check::checkStateName(line.state)), found));
    paintMark();
  }

 private:
  // Titles stand in one column.
  void fit() {
    const QFontMetrics metrics(widgets::Theme::instance().font(widgets::TextRole::kBody));
    int width = 0;
    for (const check::CheckLine& each : check::plannedChecks()) width = std::max(width, metrics.horizontalAdvance(said(each.title)));
    title_->setFixedWidth(width + widgets::kGap);
  }

  void paintMark() {
    const widgets::StateMark mark = checkMark(line_.state);
    mark_->setPixmap(widgets::iconPixmap(mark.icon, widgets::Theme::instance().colour(mark.token), kIcon, devicePixelRatioF()));
    word_->setText(said(check::checkStateName(line_.state)));
    word_->setStyleSheet(QString("color: %1;").arg(widgets::hex(mark.token)));
    widgets::setLook(detail_, "role", line_.state == check::CheckState::kBad ? "finding" : "warning");
  }

  check::CheckLine line_;
  QLabel *mark_ = new QLabel, *title_ = widgets::label(""), *word_ = widgets::label("", "caption");
  widgets::BreakingLabel *found_ = new widgets::BreakingLabel("muted"), *detail_ = new widgets::BreakingLabel;
  QToolButton* again_ = widgets::toolButton("refresh", tr("Check again"));
};

class CheckList : public HostCard {
 public:
  explicit CheckList(Shell& shell) : shell_(shell) { setLayout(column_); }  // its lines can be checked again by themselves: nothing is disabled, which would move the keyboard and scroll

  void present(const HostItem& item) override {
    host_ = item.entry.name;
    const std::vector<check::CheckLine>& lines = item.lines;  // none: never checked
    never_->setVisible(lines.empty());
    while (rows_.size() < lines.size()) {
      rows_.push_back(new CheckRow([this](const std::string& id) { shell_.checks.check(host_, id); }));
      column_->addWidget(rows_.back());
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      rows_[i]->setVisible(i < lines.size());
      if (i < lines.size()) rows_[i]->setLine(lines[i], i > 0 && lines[i].state == check::CheckState::kSkipped && lines[i - 1].state == check::CheckState::kSkipped && lines[i].found == lines[i - 1].found);
    }
  }

 private:
  Shell& shell_;
  std::string host_;
  QLabel* never_ = widgets::label(tr("Not checked yet."), "muted");
  QVBoxLayout* column_ = widgets::down({never_}, {}, 0);
  std::vector<CheckRow*> rows_;
};

template <class Entries>
QString names(const Entries& entries) {
  QStringList all;
  for (const auto& entry : entries) all << titleOf(entry);
  return all.join(", ");
}

class FactsCard : public HostCard {
 public:
  FactsCard(Shell& shell, std::function<void(const std::string& address)> dataAddressChosen) : shell_(shell) {
    auto* caption = widgets::label(tr("Data interface"), "muted");
    caption->setMinimumWidth(kNameWidth);
    caption->setBuddy(address_);
    address_->setObjectName("dataAddress");
    address_->setAccessibleName(tr("Data interface"));
    address_->setToolTip(tr("The address other hosts' nodes connect to in a run"));
    setLayout(widgets::down({widgets::label(tr("Measured"), "section"), never_, facts_, widgets::gap(widgets::kGap), widgets::label(tr("Connection"), "section"),
                             widgets::across({caption, {address_, 1}}), connection_, widgets::gap(widgets::kGap), abilitiesTitle_, abilities_}));
    connect(address_, &QComboBox::activated, this,
            [this, chosen = std::move(dataAddressChosen)](int index) { chosen(address_->itemData(index).toString().toStdString()); });
  }

  void present(const HostItem& item) override {
    QString all = qtext(item.entry.name) + qtext(item.entry.dataAddress) + qtext(item.entry.jump) + qtext(item.entry.identity) + item.address();
    for (const auto& [name, value] : item.figures.facts) all += name + value + '\n';
    for (const auto& [name, value] : item.entry.env) all += qtext(name) + qtext(value);
    const bool local = item.entry.name == "local";
    if (local) all += shell_.catalogue.get() ? "catalogue" : shell_.catalogue.error();
    if (all == shown_) return;
    shown_ = all;
    widgets::emptyLayout(facts_);
    for (const auto& [name, value] : item.figures.facts) facts_->add(name, value);
    never_->setVisible(item.figures.facts.empty());
    fillConnection(item);
    fillAddresses(item);
    abilitiesTitle_->setVisible(local);
    widgets::emptyLayout(abilities_);
    if (local) fillAbilities();
  }

 private:
  void fillConnection(const HostItem& item) {
    const hosts::HostEntry& entry = item.entry;
    widgets::emptyLayout(connection_);
    if (entry.kind == "local") return;
    connection_->add(tr("Kind"), kindWord(entry.kind));
    connection_->add(entry.kind == "exec" ? tr("Command") : tr("Address"), item.address(), true);
    if (entry.kind == "exec") {
      connection_->add("LibTorch", qtext(entry.libraries), true);
      return connection_->add(tr("Environment"), environmentText(entry), true);
    }
    connection_->add(tr("Jump host"), entry.jump.empty() ? tr("as ~/.ssh/config says") : qtext(entry.jump));
    connection_->add(tr("Identity"), entry.identity.empty() ? tr("as ~/.ssh/config says") : qtext(entry.identity), !entry.identity.empty());
    connection_->add(tr("Known hosts"), qtext(entry.knownHosts), true);
    connection_->add(tr("Unknown key"), entry.acceptNewKey ? tr("accepted without asking; a changed one never") : tr("asked once"));
    connection_->add("LibTorch", qtext(entry.libraries), true);
    connection_->add(tr("Environment"), environmentText(entry), true);
    connection_->add(tr("Slurm options"), qtexts(entry.slurm).join(" "), true);
  }

  void fillAddresses(const HostItem& item) {
    const QSignalBlocker quiet(address_);
    address_->clear();
    address_->addItem(tr("automatic: its address"), QString());
    for (const HostAddress& each : item.figures.addresses)
      if (!each.address.startsWith("fe80")) address_->addItem(QString("%1  %2").arg(each.interface, each.address), each.address);
    const QString chosen = qtext(item.entry.dataAddress);
    if (!chosen.isEmpty() && address_->findData(chosen) < 0) address_->addItem(tr("%1 (not seen on the host)").arg(chosen), chosen);
    address_->setCurrentIndex(std::max(0, address_->findData(chosen)));
  }

  void fillAbilities() {
    const auto catalog = shell_.catalogue.get();
    const QString error = shell_.catalogue.error();
    if (!error.isEmpty() || !catalog) abilities_->add(tr("Worker"), error.isEmpty() ? tr("asking paceline-worker") : error);
    if (!catalog) return;
    abilities_->add("LibTorch", qtext(catalog->torch));
    abilities_->add(tr("Devices"), qtexts(catalog->devices).join(", "));
    abilities_->add(tr("Algorithms"), names(catalog->algorithms));
    abilities_->add(tr("Aggregations"), names(catalog->aggregations));
    abilities_->add(tr("Models"), names(catalog->models));
    abilities_->add(tr("Partitions"), names(catalog->partitions));
    for (const DatasetEntry& data : catalog->datasets)
      abilities_->add(titleOf(data),
                      data.location.empty() ? tr("not found on this computer")
                                            : tr("%1 to train, %2 to test; %3").arg(data.trainCount).arg(data.testCount).arg(said(data.location)));
  }

  Shell& shell_;
  QLabel *never_ = widgets::label(tr("Nothing was measured yet: check the host."), "muted"), *abilitiesTitle_ = widgets::label(tr("What its worker can do"), "section");
  widgets::FactGrid *facts_ = new widgets::FactGrid(kNameWidth), *connection_ = new widgets::FactGrid(kNameWidth), *abilities_ = new widgets::FactGrid(kNameWidth);
  QComboBox* address_ = new widgets::ChoiceList;
  QString shown_;  // the facts shown now: unchanged ones are not painted again, a selection stays
};

QString amountText(const DeployView& view) {
  const deploy::DeployProgress& at = view.progress;
  if (!at.waitsFor.empty()) return QObject::tr("Waiting: %1").arg(said(at.waitsFor));
  if (at.bytesTotal <= 0) return QObject::tr("Connecting and comparing");
  QStringList parts{QObject::tr("%1 of %2").arg(bytesText(static_cast<double>(at.bytesDone)), bytesText(static_cast<double>(at.bytesTotal)))};
  if (at.rateBytesPerSecond > 0) parts << bytesText(at.rateBytesPerSecond) + "/s";
  const QString eta = etaText(view.etaLow, view.etaHigh);
  if (!eta.isEmpty()) parts << eta;
  return parts.join(", ");
}

QString useText(const deploy::InstalledVersion& version) {
  if (version.inUse) return version.current ? QObject::tr("current, in use") : QObject::tr("in use");
  return version.current ? QObject::tr("current") : QObject::tr("old");
}

bool anyOld(const deploy::HostDisk& disk) {
  return disk.partialBytes > 0 || std::ranges::any_of(disk.versions, [](const deploy::InstalledVersion& version) { return !version.current && !version.inUse; });
}

class DiskCard : public HostCard {
 public:
  explicit DiskCard(Shell& shell) : shell_(shell) {
    bar_->setRange(0, 1000);
    bar_->setTextVisible(false);
    bar_->setObjectName("deployProgress");
    amount_->setObjectName("deployAmount");
    versions_->setHorizontalSpacing(12);
    versions_->setVerticalSpacing(4);
    versions_->setColumnStretch(0, 1);
    setLayout(widgets::down({widgets::across({widgets::label(tr("Programs and disk"), "section"), widgets::room(), look_, deploy_}), bar_, amount_, file_, summary_, versions_,
                             widgets::across({cleanVersions_, cleanSpools_, widgets::room()})}));
    connect(&shell_.deploys, &HostDeploys::changed, this, [this](const QString& host) {
      const HostItem* item = shell_.hosts.find(host_);
      if (item && host.toStdString() == host_) present(*item);
    });
  }

  void present(const HostItem& item) override {
    if (item.entry.name != host_) bar_->setValue(0);
    host_ = item.entry.name;
    followProgress();
    followDisk(item.disk);
  }

 private:
  void followProgress() {
    const DeployView* view = shell_.deploys.view(host_);
    deploy_->setVisible(host_ != "local");  // its programs lie beside this one
    deploy_->setText(view ? tr("Stop sending") : tr("Deploy"));
    for (QWidget* each : std::initializer_list<QWidget*>{bar_, amount_, file_}) each->setVisible(view != nullptr);
    if (!view) return bar_->setValue(0);
    const bool unknown = view->progress.bytesTotal <= 0;
    bar_->setRange(0, unknown ? 0 : 1000);
    if (!unknown) bar_->setValue(std::max(bar_->value(), static_cast<int>(1000 * view->fraction)));
    amount_->setText(amountText(*view));
    file_->setFullText(qtext(view->progress.file));
  }

  void followDisk(const std::optional<deploy::HostDisk>& disk) {
    const bool asking = shell_.deploys.asking(host_);
    for (QPushButton* each : {look_, cleanVersions_, cleanSpools_}) each->setEnabled(!asking);
    cleanVersions_->setVisible(disk && anyOld(*disk));
    cleanSpools_->setVisible(disk && disk->spools > disk->activeRuns);
    widgets::emptyLayout(versions_);
    summary_->setText(asking  ? tr("Asking the host")
                      : !disk ? tr("Disk use has not been asked for yet.")
                              : tr("Spools of %1: %2. Half-sent files: %3.")
                                    .arg(tr("%n run(s)", nullptr, disk->spools), bytesText(static_cast<double>(disk->spoolBytes)), bytesText(static_cast<double>(disk->partialBytes))));
    if (!disk) return;
    int line = 0;
    for (const deploy::InstalledVersion& version : disk->versions) {
      auto* id = widgets::label(qtext(version.id.substr(0, 12)), "mono");
      id->setToolTip(tr("%1, made %2").arg(qtext(version.paceline), qtext(version.createdUtc)));
      versions_->addWidget(id, line, 0);
      versions_->addWidget(widgets::label("Paceline " + qtext(version.paceline), "muted"), line, 1);
      versions_->addWidget(widgets::label(useText(version), version.current ? "" : "muted"), line, 2);
      versions_->addWidget(widgets::label(bytesText(static_cast<double>(version.bytes))), line++, 3, Qt::AlignRight);
    }
  }

  void clean(bool spools) {
    const QString loss = tr("The spools of ended runs on this host will be deleted. A run that is not fetched completely cannot be completed afterwards.");
    if (!spools || widgets::sure(this, tr("Clean spools"), loss)) shell_.deploys.clean(host_, spools);
  }

  Shell& shell_;
  std::string host_;
  QPushButton* deploy_ = widgets::button(tr("Deploy"), "export", [this] { shell_.deploys.view(host_) ? shell_.deploys.stop(host_) : shell_.deploys.deploy(host_); }, {.name = "deployHost"});
  QPushButton* look_ = widgets::button(tr("Look", "at the disk"), "search", [this] { shell_.deploys.askDisk(host_); }, {.help = tr("Ask the host for the disk use of Paceline")});
  QPushButton* cleanVersions_ = widgets::button(tr("Remove old versions"), "trash", [this] { clean(false); });
  QPushButton* cleanSpools_ = widgets::button(tr("Clean spools"), "trash", [this] { clean(true); });
  QProgressBar* bar_ = new QProgressBar;
  QLabel *amount_ = widgets::label("", "muted"), *summary_ = widgets::wrapped(widgets::label("", "muted"));
  widgets::ElidedLabel* file_ = new widgets::ElidedLabel("caption");
  QGridLayout* versions_ = new QGridLayout;
};

}  // namespace

HostCard* hostChecks(Shell& shell) { return new CheckList(shell); }

HostCard* hostDisk(Shell& shell) { return new DiskCard(shell); }

HostCard* hostFacts(Shell& shell, std::function<void(const std::string& address)> dataAddressChosen) { return new FactsCard(shell, std::move(dataAddressChosen)); }

}  // namespace paceline::clusters

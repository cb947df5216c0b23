#include "app/ui/clusters/host_cards.h"

#include <QMessageBox>
#include <QSignalBlocker>

#include "app/models/clusters/host_deploys.h"
#include "app/models/clusters/host_target.h"
#include "app/models/words.h"

namespace paceline::clusters {

namespace {

constexpr int kNameWidth = 96;

template <class Entries>
QString names(const Entries& entries) {
  QStringList all;
  for (const auto& entry : entries) all << qtext(entry.title.empty() ? entry.id : entry.title);
  return all.join(", ");
}

}  // namespace

HostFactsCard::HostFactsCard(Shell& shell, QWidget* parent)
    : QFrame(parent), shell_(shell), never_(widgets::label("Nothing was measured yet: check the host.", "muted")), facts_(new widgets::FactGrid(kNameWidth)),
      connection_(new widgets::FactGrid(kNameWidth)), abilities_(new widgets::FactGrid(kNameWidth)), abilitiesTitle_(widgets::label("What its worker can do", "section")), address_(new QComboBox) {
  auto* caption = widgets::label("Data interface", "muted");
  caption->setMinimumWidth(kNameWidth);
  caption->setBuddy(address_);
  address_->setObjectName("dataAddress");
  address_->setAccessibleName("Data interface");
  address_->setToolTip("The address other hosts' nodes connect to in a run");
  address_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  setLayout(widgets::down({widgets::label("Measured", "section"), never_, facts_, widgets::gap(widgets::kGap), widgets::label("Connection", "section"), widgets::across({caption, {address_, 1}}), connection_,
                  widgets::gap(widgets::kGap), abilitiesTitle_, abilities_}));
  connect(address_, &QComboBox::activated, this, [this](int index) { emit dataAddressChosen(address_->itemData(index).toString().toStdString()); });
}

void HostFactsCard::show(const HostItem& item) {
  QString all = qtext(item.entry.name) + qtext(item.entry.dataAddress) + qtext(item.entry.jump) + qtext(item.entry.identity) + item.address();
  for (const HostFact& fact : item.figures.facts) all += fact.name + fact.value + '\n';
  for (const auto& [name, value] : item.entry.env) all += qtext(name) + qtext(value);
  const bool local = item.entry.name == "local";
  if (local) all += shell_.catalogue.get() ? "catalogue" : shell_.catalogue.error();
  if (all == shown_) return;
  shown_ = all;
  widgets::emptyLayout(facts_);
  for (const HostFact& fact : item.figures.facts) facts_->add(fact.name, fact.value);
  never_->setVisible(item.figures.facts.empty());
  fillConnection(item);
  fillAddresses(item);
  abilitiesTitle_->setVisible(local);
  widgets::emptyLayout(abilities_);
  if (local) fillAbilities();
}

void HostFactsCard::fillConnection(const HostItem& item) {
  const hosts::HostEntry& entry = item.entry;
  widgets::emptyLayout(connection_);
  if (entry.kind == "local") return;
  connection_->add("Kind", entry.kind == "slurm" ? "Slurm" : "SSH");
  connection_->add("Address", item.address(), true);
  connection_->add("Jump host", entry.jump.empty() ? QString("as ~/.ssh/config says") : qtext(entry.jump));
  connection_->add("Identity", entry.identity.empty() ? QString("as ~/.ssh/config says") : qtext(entry.identity), !entry.identity.empty());
  connection_->add("Known hosts", qtext(entry.knownHosts), true);
  connection_->add("Unknown key", entry.acceptNewKey ? "accepted without asking; a changed one never" : "asked once");
  connection_->add("LibTorch", entry.libraries.empty() ? QString() : qtext(entry.libraries), true);
  connection_->add("Environment", environmentText(entry), true);
  connection_->add("Slurm options", qtexts(entry.slurm).join(" "), true);
}

void HostFactsCard::fillAddresses(const HostItem& item) {
  const QSignalBlocker quiet(address_);
  address_->clear();
  address_->addItem("automatic: its address", QString());
  for (const HostAddress& each : item.figures.addresses)
    if (!each.address.startsWith("fe80")) address_->addItem(QString("%1  %2").arg(each.interface, each.address), each.address);
  const QString chosen = qtext(item.entry.dataAddress);
  if (!chosen.isEmpty() && address_->findData(chosen) < 0) address_->addItem(chosen + " (not seen on the host)", chosen);
  address_->setCurrentIndex(std::max(0, address_->findData(chosen)));
}

void HostFactsCard::fillAbilities() {
  if (!shell_.catalogue.error().isEmpty()) abilities_->add("Worker", shell_.catalogue.error());
  const auto catalog = shell_.catalogue.get();
  if (!catalog) {
    if (shell_.catalogue.error().isEmpty()) abilities_->add("Worker", "asking paceline-worker");
    return;
  }
  abilities_->add("LibTorch", qtext(catalog->torch));
  abilities_->add("Devices", qtexts(catalog->devices).join(", "));
  abilities_->add("Algorithms", names(catalog->algorithms));
  abilities_->add("Aggregations", names(catalog->aggregations));
  abilities_->add("Models", names(catalog->models));
  abilities_->add("Partitions", names(catalog->partitions));
  for (const DatasetEntry& data : catalog->datasets)
    abilities_->add(qtext(data.title.empty() ? data.id : data.title),
            data.location.empty() ? QString("not found on this computer")
                                  : QString("%1 to train, %2 to test; %3").arg(data.trainCount).arg(data.testCount).arg(qtext(data.location)));
}

namespace {

QString amountText(const DeployView& view) {
  const deploy::DeployProgress& at = view.progress;
  if (at.bytesTotal <= 0) return "Connecting and comparing";
  QStringList parts{QString("%1 of %2").arg(bytesText(static_cast<double>(at.bytesDone)), bytesText(static_cast<double>(at.bytesTotal)))};
  if (at.rateBytesPerSecond > 0) parts << bytesText(at.rateBytesPerSecond) + "/s";
  const QString eta = etaText(view.etaLow, view.etaHigh);
  if (!eta.isEmpty()) parts << eta;
  return parts.join(", ");
}

QString useText(const deploy::InstalledVersion& version) {
  if (version.inUse) return version.current ? "current, in use" : "in use";
  return version.current ? "current" : "old";
}

bool anyOld(const deploy::HostDisk& disk) {
  for (const deploy::InstalledVersion& version : disk.versions)
    if (!version.current && !version.inUse) return true;
  return disk.partialBytes > 0;
}

}  // namespace

HostDiskCard::HostDiskCard(Shell& shell, QWidget* parent)
    : QFrame(parent), shell_(shell),
      deploy_(widgets::button("Deploy", "export", [this] { shell_.deploys.view(host_) ? shell_.deploys.stop(host_) : shell_.deploys.deploy(host_); }, {.name = "deployHost"})),
      look_(widgets::button("Look", "search", [this] { shell_.deploys.askDisk(host_); }, {.help = "Ask the host for the disk use of Paceline"})),
      cleanVersions_(widgets::button("Remove old versions", "trash", [this] { clean(false); })), cleanSpools_(widgets::button("Clean spools", "trash", [this] { clean(true); })),
      bar_(new QProgressBar), amount_(widgets::label("", "muted")), file_(new widgets::ElidedLabel), summary_(widgets::wrapped(widgets::label("", "muted"))), versions_(new QGridLayout) {
  bar_->setRange(0, 1000);
  bar_->setTextVisible(false);
  bar_->setObjectName("deployProgress");
  amount_->setObjectName("deployAmount");
  file_->setProperty("role", "caption");
  versions_->setHorizontalSpacing(12);
  versions_->setVerticalSpacing(4);
  versions_->setColumnStretch(0, 1);
  setLayout(widgets::down({widgets::across({widgets::label("Programs and disk", "section"), widgets::room(), look_, deploy_}), bar_, amount_, file_, summary_, versions_,
                  widgets::across({cleanVersions_, cleanSpools_, widgets::room()})}));
  connect(&shell_.deploys, &HostDeploys::changed, this, [this](const QString& host) {
    if (host.toStdString() == host_) follow();
  });
}

void HostDiskCard::setHost(const std::string& host) {
  host_ = host;
  bar_->setValue(0);
  follow();
}

void HostDiskCard::follow() {
  const HostItem* item = shell_.hosts.find(host_);
  if (!item) return;
  followProgress();
  followDisk();
}

void HostDiskCard::followProgress() {
  const DeployView* view = shell_.deploys.view(host_);
  const bool local = host_ == "local";
  deploy_->setVisible(!local);  // its programs lie beside this one
  deploy_->setText(view ? "Stop sending" : "Deploy");
  for (QWidget* each : std::initializer_list<QWidget*>{bar_, amount_, file_}) each->setVisible(view != nullptr);
  if (!view) return bar_->setValue(0);
  const bool unknown = view->progress.bytesTotal <= 0;
  bar_->setRange(0, unknown ? 0 : 1000);
  if (!unknown) bar_->setValue(std::max(bar_->value(), static_cast<int>(1000 * view->fraction)));
  amount_->setText(amountText(*view));
  file_->setFullText(qtext(view->progress.file));
}

void HostDiskCard::followDisk() {
  const std::optional<deploy::HostDisk>& disk = shell_.hosts.find(host_)->disk;
  const bool asking = shell_.deploys.asking(host_);
  look_->setEnabled(!asking);
  cleanVersions_->setVisible(disk && anyOld(*disk));
  cleanSpools_->setVisible(disk && disk->spools > disk->activeRuns);
  cleanVersions_->setEnabled(!asking);
  cleanSpools_->setEnabled(!asking);
  widgets::emptyLayout(versions_);
  summary_->setText(asking  ? "Asking the host"
                    : !disk ? "Disk use has not been asked for yet."
                            : QString("Spools of %1: %2. Half-sent files: %3.")
                                  .arg(plural(disk->spools, "run"), bytesText(static_cast<double>(disk->spoolBytes)),
                                       bytesText(static_cast<double>(disk->partialBytes))));
  if (!disk) return;
  int line = 0;
  for (const deploy::InstalledVersion& version : disk->versions) {
    auto* id = widgets::label(qtext(version.id.substr(0, 12)), "mono");
    id->setToolTip(QString("%1, made %2").arg(qtext(version.paceline), qtext(version.createdUtc)));
    versions_->addWidget(id, line, 0);
    versions_->addWidget(widgets::label("Paceline " + qtext(version.paceline), "muted"), line, 1);
    versions_->addWidget(widgets::label(useText(version), version.current ? "" : "muted"), line, 2);
    versions_->addWidget(widgets::label(bytesText(static_cast<double>(version.bytes))), line++, 3, Qt::AlignRight);
  }
}

void HostDiskCard::clean(bool spools) {
  if (spools) {
    const auto answer = QMessageBox::question(this, "Clean spools",
                                              "The spools of ended runs on this host will be deleted. A run that is not fetched completely cannot be "
                                              "completed afterwards.",
                                              QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Cancel);
    if (answer != QMessageBox::Discard) return;
  }
  shell_.deploys.clean(host_, spools);
}

}  // namespace paceline::clusters

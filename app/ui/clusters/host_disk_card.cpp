#include "app/ui/clusters/host_disk_card.h"

#include <QMessageBox>

#include "app/models/clusters/host_deploys.h"
#include "app/models/words.h"
#include "app/ui/widgets/controls.h"

namespace paceline::clusters {
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

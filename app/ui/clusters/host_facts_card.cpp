#include "app/ui/clusters/host_facts_card.h"

#include <QSignalBlocker>

#include "app/ui/widgets/controls.h"

namespace paceline::clusters {
namespace {

QString text(const std::string& s) { return QString::fromStdString(s); }

QGridLayout* lines() {
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(12);
  grid->setVerticalSpacing(6);
  grid->setColumnStretch(1, 1);
  grid->setColumnMinimumWidth(0, 96);
  return grid;
}

void addLine(QGridLayout* grid, const QString& name, const QString& value, bool mono = false) {
  if (value.isEmpty()) return;
  const int row = grid->rowCount();
  auto* shown = new widgets::BreakingLabel(mono ? "mono" : "");
  shown->setFullText(value);
  grid->addWidget(widgets::label(name, "muted"), row, 0, Qt::AlignTop);
  grid->addWidget(shown, row, 1);
}

template <class Entries>
QString names(const Entries& entries) {
  QStringList all;
  for (const auto& entry : entries) all << text(entry.title.empty() ? entry.id : entry.title);
  return all.join(", ");
}

}  // namespace

HostFactsCard::HostFactsCard(Shell& shell, QWidget* parent)
    : QFrame(parent), shell_(shell), never_(widgets::label("Nothing was measured yet: check the host.", "muted")), facts_(lines()), connection_(lines()),
      abilities_(lines()), abilitiesTitle_(widgets::label("What its worker can do", "section")), address_(new QComboBox) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(widgets::kGap);
  column->addWidget(widgets::label("Measured", "section"));
  column->addWidget(never_);
  column->addLayout(facts_);
  column->addSpacing(widgets::kGap);
  column->addWidget(widgets::label("Connection", "section"));
  auto* row = new QHBoxLayout;
  auto* caption = widgets::label("Data interface", "muted");
  caption->setMinimumWidth(96);
  caption->setBuddy(address_);
  address_->setObjectName("dataAddress");
  address_->setAccessibleName("Data interface");
  address_->setToolTip("The address other hosts' nodes connect to in a run");
  address_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  row->addWidget(caption);
  row->addWidget(address_, 1);
  column->addLayout(row);
  column->addLayout(connection_);
  column->addSpacing(widgets::kGap);
  column->addWidget(abilitiesTitle_);
  column->addLayout(abilities_);
  connect(address_, &QComboBox::activated, this, [this](int index) { emit dataAddressChosen(address_->itemData(index).toString().toStdString()); });
}

void HostFactsCard::show(const HostItem& item) {
  QString all = text(item.entry.name) + text(item.entry.dataAddress) + text(item.entry.jump) + text(item.entry.identity) + item.address();
  for (const HostFact& fact : item.figures.facts) all += fact.name + fact.value + '\n';
  for (const auto& [name, value] : item.entry.env) all += text(name) + text(value);
  const bool local = item.entry.name == "local";
  if (local) all += shell_.catalogue.get() ? "catalogue" : shell_.catalogue.error();
  if (all == shown_) return;
  shown_ = all;
  widgets::emptyLayout(facts_);
  for (const HostFact& fact : item.figures.facts) addLine(facts_, fact.name, fact.value);
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
  addLine(connection_, "Kind", entry.kind == "slurm" ? "Slurm" : "SSH");
  addLine(connection_, "Address", item.address(), true);
  addLine(connection_, "Jump host", entry.jump.empty() ? QString("as ~/.ssh/config says") : text(entry.jump));
  addLine(connection_, "Identity", entry.identity.empty() ? QString("as ~/.ssh/config says") : text(entry.identity), !entry.identity.empty());
  addLine(connection_, "Known hosts", text(entry.knownHosts), true);
  addLine(connection_, "Unknown key", entry.acceptNewKey ? "accepted without asking; a changed one never" : "asked once");
  addLine(connection_, "LibTorch", entry.libraries.empty() ? QString() : text(entry.libraries), true);
  QStringList env, slurm;
  for (const auto& [name, value] : entry.env) env << text(name) + "=" + text(value);
  for (const std::string& option : entry.slurm) slurm << text(option);
  addLine(connection_, "Environment", env.join("\n"), true);
  addLine(connection_, "Slurm options", slurm.join(" "), true);
}

void HostFactsCard::fillAddresses(const HostItem& item) {
  const QSignalBlocker quiet(address_);
  address_->clear();
  address_->addItem("automatic: its address", QString());
  for (const HostAddress& each : item.figures.addresses)
    if (!each.address.startsWith("fe80")) address_->addItem(QString("%1  %2").arg(each.interface, each.address), each.address);
  const QString chosen = text(item.entry.dataAddress);
  if (!chosen.isEmpty() && address_->findData(chosen) < 0) address_->addItem(chosen + " (not seen on the host)", chosen);
  address_->setCurrentIndex(std::max(0, address_->findData(chosen)));
}

void HostFactsCard::fillAbilities() {
  if (!shell_.catalogue.error().isEmpty()) addLine(abilities_, "Worker", shell_.catalogue.error());
  const auto catalog = shell_.catalogue.get();
  if (!catalog) {
    if (shell_.catalogue.error().isEmpty()) addLine(abilities_, "Worker", "asking paceline-worker");
    return;
  }
  addLine(abilities_, "LibTorch", text(catalog->torch));
  QStringList devices;
  for (const std::string& device : catalog->devices) devices << text(device);
  addLine(abilities_, "Devices", devices.join(", "));
  addLine(abilities_, "Algorithms", names(catalog->algorithms));
  addLine(abilities_, "Aggregations", names(catalog->aggregations));
  addLine(abilities_, "Models", names(catalog->models));
  addLine(abilities_, "Partitions", names(catalog->partitions));
  for (const DatasetEntry& data : catalog->datasets)
    addLine(abilities_, text(data.title.empty() ? data.id : data.title),
            data.location.empty() ? QString("not found on this computer")
                                  : QString("%1 to train, %2 to test; %3").arg(data.trainCount).arg(data.testCount).arg(text(data.location)));
}

}  // namespace paceline::clusters

#include "app/ui/clusters/host_facts_card.h"

#include <QSignalBlocker>

#include "app/models/clusters/host_target.h"
#include "app/models/words.h"
#include "app/ui/widgets/controls.h"

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

}  // namespace paceline::clusters

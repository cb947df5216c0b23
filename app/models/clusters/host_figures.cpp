#include "app/models/clusters/host_figures.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "app/models/words.h"

namespace paceline::clusters {
namespace {

void readInterfaces(const QJsonArray& interfaces, HostFigures& into) {
  for (const QJsonValue& each : interfaces) {
    if (!each["up"].toBool()) continue;
    for (const QJsonValue& address : each["addresses"].toArray())
      into.addresses.push_back({each["name"].toString(), address.toString(), each["loopback"].toBool()});
  }
}

void readGpus(const QJsonArray& gpus, HostFigures& into) {
  into.devices << "cpu";
  for (const QJsonValue& gpu : gpus) {
    into.devices << QString("cuda:%1").arg(into.gpus.size());
    into.gpus << gpu["name"].toString("GPU");
  }
}

QString networkText(const HostFigures& figures) {
  QStringList names;
  for (const HostAddress& each : figures.addresses)
    if (!each.loopback && !each.address.startsWith("fe80")) names << each.interface + " " + each.address;
  return names.join(", ");
}

void tell(const QJsonObject& probe, const hosts::HostFacts& facts, HostFigures& into) {
  const auto add = [&into](const char* name, const QString& value) {
    if (!value.trimmed().isEmpty()) into.facts.push_back({QString::fromUtf8(name), value});
  };
  add("Host name", probe["hostname"].toString());
  add("System", probe["os"].toString());
  add("Kernel", QStringList{probe["kernel"].toString(), probe["arch"].toString()}.join(" "));
  add("CPU", probe["cpu_model"].toString());
  if (into.cpus > 0) add("Cores", QString("%1 usable of %2").arg(into.cpus).arg(probe["cpus_installed"].toInt(into.cpus)));
  if (into.memoryBytes > 0) add("Memory", QString("%1 free of %2").arg(bytesText(into.memoryFreeBytes), bytesText(into.memoryBytes)));
  add("GPUs", into.gpus.join(", "));
  if (into.diskFreeBytes > 0) add("Disk", bytesText(into.diskFreeBytes) + " free");
  add("Network", networkText(into));
  add("libc", probe["libc"].toString());
  add("LibTorch", QStringList{probe["torch_version"].toString(), probe["torch_library"].toString()}.join("  "));
  if (into.speed > 0) add("Speed", speedText(into.speed) + " GFLOP/s");
  if (facts.clockErrorSeconds > 0)
    add("Clock", QString("%1 ms ahead, within %2 ms").arg(1e3 * facts.clockOffsetSeconds, 0, 'f', 1).arg(1e3 * facts.clockErrorSeconds, 0, 'f', 1));
}

}  // namespace

HostFigures figuresOf(const hosts::HostFacts& facts) {
  HostFigures figures;
  const QJsonObject probe = QJsonDocument::fromJson(QByteArray::fromStdString(facts.probe)).object();
  figures.cpus = probe["cpus_usable"].toInt(probe["cpus"].toInt());
  figures.memoryBytes = probe["memory_total_bytes"].toDouble();
  figures.memoryFreeBytes = probe["memory_free_bytes"].toDouble();
  figures.diskFreeBytes = probe["disk_free_bytes"].toDouble();
  figures.speed = facts.speed;
  const QDateTime checked = QDateTime::fromString(QString::fromStdString(facts.checkedUtc), Qt::ISODate);
  if (checked.isValid()) figures.checked = static_cast<double>(checked.toMSecsSinceEpoch()) / 1000;
  readInterfaces(probe["interfaces"].toArray(), figures);
  readGpus(probe["gpus"].toArray(), figures);
  tell(probe, facts, figures);
  return figures;
}

}  // namespace paceline::clusters

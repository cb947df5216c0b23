#include "app/models/this_computer.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

#include "app/cluster/host.h"
#include "app/models/words.h"
#include "engine/core/error.h"

namespace paceline {
namespace {

constexpr double kProbeSeconds = 20;

QString ask() {
  const std::unique_ptr<Host> host = localHost();
  const std::unique_ptr<Process> process = host->start({localProgram("paceline-agent"), "probe"});
  process->closeInput();
  std::string text;
  while (auto line = process->readLine(kProbeSeconds)) text += *line + "\n";
  const int code = process->wait().code;
  if (code != 0) throw Error(Errc::kHost, strCat("paceline-agent probe ended with code ", code));
  return QString::fromStdString(text);
}

QString interfaces(const QJsonValue& value) {
  QStringList names;
  for (const QJsonValue& each : value.toArray()) {
    const QJsonArray addresses = each["addresses"].toArray();
    if (each["up"].toBool() && !addresses.isEmpty()) names << each["name"].toString() + " " + addresses.first().toString();
  }
  return names.join(", ");
}

std::vector<ProbeFact> factsOf(const QString& text) {
  const QJsonObject o = QJsonDocument::fromJson(text.toUtf8()).object();
  if (o.isEmpty()) throw Error(Errc::kFormat, strCat("paceline-agent probe: not a JSON object: ", text.left(80).toStdString()));
  std::vector<ProbeFact> facts;
  const auto add = [&facts](const char* name, const QString& value, bool ok = true) {
    if (!value.isEmpty()) facts.push_back({QString::fromUtf8(name), value, ok});
  };
  add("Host name", o["hostname"].toString());
  add("System", o["os"].toString());
  add("Kernel", QString("%1, %2").arg(o["kernel"].toString(), o["arch"].toString()));
  add("CPUs", QString("%1 usable of %2").arg(o["cpus"].toInt()).arg(o["cpus_installed"].toInt()), o["cpus"].toInt() > 0);
  add("Memory", QString("%1 free of %2").arg(bytesText(o["memory_free_bytes"].toDouble()), bytesText(o["memory_total_bytes"].toDouble())));
  add("Disk", bytesText(o["disk_free_bytes"].toDouble()) + " free at " + o["agent_folder"].toString());
  add("Network", interfaces(o["interfaces"]));
  const QString torch = o["torch_library"].toString();
  add("LibTorch", torch.isEmpty() ? QString("not found: workers cannot start here. Install libtorch-dev") : torch, !torch.isEmpty());
  add("Agent", "paceline-agent " + o["paceline"].toString());
  return facts;
}

}  // namespace

ThisComputer::ThisComputer(QObject* parent) : QObject(parent) {}

void ThisComputer::probe() {
  if (asking_) return;
  asking_ = true;
  emit changed();
  lane_.post([this](const std::stop_token&) {
    std::vector<ProbeFact> facts;
    QString error;
    try {
      facts = factsOf(ask());
    } catch (const std::exception& e) {
      error = QString::fromStdString(e.what());
    }
    QMetaObject::invokeMethod(
        this,
        [this, facts = std::move(facts), error] {
          asking_ = false;
          if (error.isEmpty()) facts_ = facts;
          error_ = error;
          emit changed();
        },
        Qt::QueuedConnection);
  });
}

}  // namespace paceline

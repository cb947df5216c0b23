#include "app/models/clusters/host_target.h"

#include "app/models/words.h"

#include <QRegularExpression>

#include "engine/core/base/error.h"

namespace paceline::clusters {
namespace {

std::string freeName(const QString& address, const hosts::HostRegistry& book) {
  QString name = address;
  name.replace(QRegularExpression("[^A-Za-z0-9_.-]"), "-");
  if (name.startsWith('-') || name == "local") name.prepend("host");
  const std::string base = name.left(60).toStdString();
  std::string free = base;
  for (int n = 2; book.find(free); ++n) free = strCat(base, "-", n);
  return free;
}

}  // namespace

QString readTarget(const QString& typed, const hosts::HostRegistry& book, hosts::HostEntry& entry) {
  QString rest = typed.trimmed();
  if (rest.startsWith("ssh://")) rest = rest.mid(6);
  while (rest.endsWith('/')) rest.chop(1);
  hosts::HostEntry read = entry;
  read.user.clear();
  read.port = 0;
  if (const qsizetype at = rest.lastIndexOf('@'); at >= 0) {
    read.user = rest.left(at).toStdString();
    rest = rest.mid(at + 1);
    if (read.user.empty()) return "No user before the @";
  }
  static const QRegularExpression bracketed(R"(^\[([^\]]+)\](?::(.*))?$)"), plain(R"(^([^:]+):([^:]*)$)");
  QString port;
  bool hasPort = false;
  for (const QRegularExpression* form : {&bracketed, &plain})
    if (const auto match = form->match(rest); match.hasMatch()) {
      port = match.captured(2);
      hasPort = match.lastCapturedIndex() == 2;
      rest = match.captured(1);
      break;
    }
  if (rest.isEmpty()) return "No address";
  if (rest.contains(QRegularExpression(R"(\s)"))) return "An address has no spaces: \"" + rest + "\"";
  bool ok = true;
  if (hasPort) read.port = port.toInt(&ok);
  if (!ok || (hasPort && (read.port < 1 || read.port > 65535))) return "The port must be 1 to 65535, got \"" + port + "\"";
  read.address = rest.toStdString();
  read.name = freeName(rest, book);
  entry = std::move(read);
  return {};
}

QString readEnvironment(const QString& typed, std::map<std::string, std::string>& env) {
  std::map<std::string, std::string> read;
  int number = 0;
  for (const QString& line : typed.split('\n')) {
    ++number;
    if (line.trimmed().isEmpty()) continue;
    const qsizetype equals = line.indexOf('=');
    const QString name = line.left(equals).trimmed();
    static const QRegularExpression word("^[A-Za-z_][A-Za-z0-9_]*$");
    if (equals < 0 || !word.match(name).hasMatch()) return QString("Environment, line %1: must be NAME=VALUE, got \"%2\"").arg(number).arg(line.trimmed());
    read[name.toStdString()] = line.mid(equals + 1).toStdString();
  }
  env = std::move(read);
  return {};
}

QString environmentText(const hosts::HostEntry& entry) {
  QStringList lines;
  for (const auto& [name, value] : entry.env) lines << qtext(name) + "=" + qtext(value);
  return lines.join('\n');
}

}  // namespace paceline::clusters

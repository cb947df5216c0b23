#include "app/models/clusters/hosts_model.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#undef slots  // Qt's; a host of a file has a member of that name
#include "app/cluster/interop/host_import.h"
#include "app/cluster/ssh/config.h"
#include "app/models/words.h"
#include "engine/core/base/error.h"
#include "engine/core/base/file_text.h"

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
  const auto add = [&into](const QString& name, const QString& value) {
    if (!value.trimmed().isEmpty()) into.facts.push_back({name, value});
  };
  add(QObject::tr("Host name"), probe["hostname"].toString());
  add(QObject::tr("System"), probe["os"].toString());
  add(QObject::tr("Kernel"), QStringList{probe["kernel"].toString(), probe["arch"].toString()}.join(" "));
  add("CPU", probe["cpu_model"].toString());
  if (into.cpus > 0) add(QObject::tr("Cores"), QObject::tr("%1 usable of %2").arg(into.cpus).arg(probe["cpus_installed"].toInt(into.cpus)));
  if (into.memoryBytes > 0) add(QObject::tr("Memory"), QObject::tr("%1 free of %2").arg(bytesText(probe["memory_free_bytes"].toDouble()), bytesText(into.memoryBytes)));
  add("GPUs", into.gpus.join(", "));
  if (const double free = probe["disk_free_bytes"].toDouble(); free > 0) add(QObject::tr("Disk"), QObject::tr("%1 free").arg(bytesText(free)));
  add(QObject::tr("Network"), networkText(into));
  add("libc", probe["libc"].toString());
  add(QObject::tr("LibTorch"), QStringList{probe["torch_version"].toString(), probe["torch_library"].toString()}.join("  "));
  add(QObject::tr("Speed"), speedWords(into));
  if (facts.clockErrorSeconds > 0)
    add(QObject::tr("Clock"), QObject::tr("%1 ms ahead, within %2 ms").arg(1e3 * facts.clockOffsetSeconds, 0, 'f', 1).arg(1e3 * facts.clockErrorSeconds, 0, 'f', 1));
}

const std::string& hostName(const HostItem& item) { return item.entry.name; }

double diskBytes(const deploy::HostDisk& disk) {
  double bytes = static_cast<double>(disk.partialBytes + disk.spoolBytes);
  for (const deploy::InstalledVersion& version : disk.versions) bytes += static_cast<double>(version.bytes);
  return bytes;
}

QString amount(double value, const QString& text) { return value > 0 ? text : QString("—"); }

constexpr ItemColumn<HostItem> kTable[HostsModel::kColumns] = {
    {{QT_TR_NOOP("Host"), QT_TR_NOOP("Its name in documents")}, [](const HostItem& item) { return qtext(item.entry.name); }},
    {{QT_TR_NOOP("State"), QT_TR_NOOP("Of the last check")}, [](const HostItem& item) { return standingWord(item.standing()); },
     [](const HostItem& item) { return QVariant(static_cast<int>(item.standing())); }},
    {{QT_TR_NOOP("Load"), QT_TR_NOOP("How busy its CPUs are, with all that runs there; told by a run that trains there now"), true}, [](const HostItem& item) { return item.loads.empty() ? QString("—") : percentText(item.loads.back().cpu); },
     [](const HostItem& item) { return QVariant(item.loads.empty() ? -1.0 : item.loads.back().cpu); }},
    {{QT_TR_NOOP("Address"), QT_TR_NOOP("Where it is")}, [](const HostItem& item) { return item.address(); }},
    {{"CPUs", QT_TR_NOOP("Cores that our processes may use"), true}, [](const HostItem& item) { return amount(item.figures.cpus, QString::number(item.figures.cpus)); },
     [](const HostItem& item) { return QVariant(item.figures.cpus); }},
    {{"GPUs", QT_TR_NOOP("GPUs its driver lists"), true}, [](const HostItem& item) { return amount(item.figures.cpus, QString::number(item.figures.gpus.size())); },
     [](const HostItem& item) { return QVariant(item.figures.gpus.size()); }},
    {{QT_TR_NOOP("Memory"), QT_TR_NOOP("Installed"), true}, [](const HostItem& item) { return amount(item.figures.memoryBytes, bytesText(item.figures.memoryBytes)); },
     [](const HostItem& item) { return QVariant(item.figures.memoryBytes); }},
    {{"GFLOP/s", QT_TR_NOOP("Of the two-second compute benchmark, all cores"), true}, [](const HostItem& item) { return speedNumber(item.figures); },
     [](const HostItem& item) { return QVariant(item.figures.speed); }},
    {{QT_TR_NOOP("Disk used"), QT_TR_NOOP("By our programs and the spools of runs; read while its details are open"), true},
     [](const HostItem& item) { return item.disk ? bytesText(diskBytes(*item.disk)) : QString("—"); },
     [](const HostItem& item) { return QVariant(item.disk ? diskBytes(*item.disk) : -1.0); }},
    {{QT_TR_NOOP("Checked"), QT_TR_NOOP("When it was last checked")}, [](const HostItem& item) { return item.figures.checked > 0 ? whenText(item.figures.checked) : QObject::tr("never"); },
     [](const HostItem& item) { return QVariant(item.figures.checked); }},
};

std::string freeName(const QString& address, const hosts::HostRegistry& book) {
  QString name = address;
  name.replace(QRegularExpression("[^A-Za-z0-9_.-]"), "-");
  if (name.startsWith('-') || name == "local") name.prepend("host");
  const std::string base = name.left(60).toStdString();
  std::string free = base;
  for (int n = 2; book.find(free); ++n) free = strCat(base, "-", n);
  return free;
}

std::string contents(const std::string& path) {
  if (auto text = fileText(path)) return std::move(*text);
  throw Error(Errc::kFile, strCat(path, ": cannot be read: ", std::strerror(errno)));
}

ImportedHosts imported(const hosts::HostRegistry& book, const std::string& path, const std::string& format) {
  interop::HostImport read = interop::readHosts(contents(path), path, interop::hostFormatNamed(format));
  if (!read.problems.empty()) return {.hosts = {}, .problems = std::move(read.problems), .known = {}};
  interop::HostAdditions additions = interop::additionsTo(book, read.hosts);
  return {.hosts = std::move(additions.entries), .problems = {}, .known = std::move(additions.knownAlready)};
}

}  // namespace

HostServices hostServices() {
  using hosts::CredentialPrompts, hosts::HostRegistry;
  const auto deployTo = [](const HostRegistry& book, const std::string& host, CredentialPrompts& prompts, const deploy::DeployOptions& options) {
    deploy::deploy(*hosts::openHost(book, host, prompts), options);
  };
  return {.load = [] { return HostRegistry::load(HostRegistry::defaultPath()); },
          .save = [](const HostRegistry& book) { book.save(); },
          .facts = hosts::loadFacts,
          .forget = hosts::forgetFacts,
          .links = hosts::loadLinks,
          .check = check::checkHost,
          .measure = check::measureLinks,
          .deploy = deployTo,
          .disk = [](const HostRegistry& book, const std::string& host, CredentialPrompts& prompts) { return deploy::diskOf(*hosts::openHost(book, host, prompts)); },
          .clean = [](const HostRegistry& book, const std::string& host, CredentialPrompts& prompts, bool spools) { return deploy::cleanHost(*hosts::openHost(book, host, prompts), spools); },
          .aliases = [] { return ssh::sshAliases(); },
          .import = imported};
}

QString speedNumber(const HostFigures& figures) { return (figures.speedLoad.isEmpty() ? QString() : QString("≥ ")) + speedText(figures.speed); }

QString speedWords(const HostFigures& figures) {
  if (figures.speed <= 0) return {};
  const QString words = speedText(figures.speed) + " GFLOP/s";
  return figures.speedLoad.isEmpty() ? words : QObject::tr("at least %1, measured while %2").arg(words, said(figures.speedLoad.toStdString()));
}

HostFigures figuresOf(const hosts::HostFacts& facts) {
  HostFigures figures;
  const QJsonObject probe = QJsonDocument::fromJson(QByteArray::fromStdString(facts.probe)).object();
  figures.cpus = probe["cpus_usable"].toInt(probe["cpus"].toInt());
  figures.memoryBytes = probe["memory_total_bytes"].toDouble();
  figures.speed = facts.speed;
  figures.speedLoad = qtext(facts.speedLoad);
  const QDateTime checked = QDateTime::fromString(QString::fromStdString(facts.checkedUtc), Qt::ISODate);
  if (checked.isValid()) figures.checked = static_cast<double>(checked.toMSecsSinceEpoch()) / 1000;
  readInterfaces(probe["interfaces"].toArray(), figures);
  readGpus(probe["gpus"].toArray(), figures);
  tell(probe, facts, figures);
  return figures;
}

QString standingWord(HostStanding standing) {
  static constexpr const char* kWords[] = {QT_TR_NOOP("Not checked"), QT_TR_NOOP("Checking"), QT_TR_NOOP("Deploying"), QT_TR_NOOP("Ready"), QT_TR_NOOP("Warnings"), QT_TR_NOOP("Problem")};
  return QObject::tr(kWords[static_cast<std::size_t>(standing)]);
}

HostStanding HostItem::standing() const {
  if (deploying) return HostStanding::kDeploying;
  if (checking) return HostStanding::kChecking;
  const auto any = [this](check::CheckState state) { return std::ranges::find(lines, state, &check::CheckLine::state) != lines.end(); };
  if (any(check::CheckState::kBad)) return HostStanding::kProblem;
  if (any(check::CheckState::kWarning)) return HostStanding::kWarnings;
  return any(check::CheckState::kGood) ? HostStanding::kReady : HostStanding::kNotChecked;
}

QString kindWord(const std::string& kind) { return kind == "slurm" ? QString("Slurm") : kind == "exec" ? QObject::tr("Command") : QString("SSH"); }

QString HostItem::address() const {
  if (entry.kind == "local") return QObject::tr("this computer");
  if (entry.kind == "exec") return qtext(entry.command);
  QString text = qtext(entry.address);
  if (entry.kind == "slurm" && text.isEmpty()) return QObject::tr("this computer's Slurm");
  if (!entry.user.empty()) text.prepend(qtext(entry.user) + "@");
  if (entry.port > 0) text += QString(":%1").arg(entry.port);
  return text;
}

HostsModel::HostsModel(HostServices services, QObject* parent) : ColumnTable(kTable, parent), services_(std::move(services)) {}

void HostsModel::load() { work({}, {}); }

void HostsModel::put(const hosts::HostEntry& entry, const std::string& before, Done done) {
  const auto edit = [entry, before](hosts::HostRegistry& book) {
    const bool renamed = !before.empty() && before != entry.name;
    if ((before.empty() || renamed) && book.find(entry.name))
      throw Error(Errc::kUsage, strCat("there is a host \"", entry.name, "\" already; choose another name"));
    book.put(entry);
    if (!renamed) return;
    for (hosts::HostEntry other : std::vector<hosts::HostEntry>(book.entries()))
      if (other.jump == before) other.jump = entry.name, book.put(other);
    book.remove(before);
  };
  work(edit, std::move(done));
}

void HostsModel::putAll(const std::vector<hosts::HostEntry>& entries, Done done) {
  const auto edit = [entries](hosts::HostRegistry& book) {
    for (const hosts::HostEntry& entry : entries) book.put(entry);
  };
  work(edit, std::move(done));
}

void HostsModel::remove(const std::string& host, Done done) {
  work([host](hosts::HostRegistry& book) { book.remove(host); }, std::move(done));
}

void HostsModel::work(Edit edit, Done done) {
  struct Read {
    std::optional<hosts::HostRegistry> book;  // also when the edit failed
    std::map<std::string, hosts::HostFacts> facts;
    QString error;
  };
  const auto read = [this, edit = std::move(edit)](const std::stop_token&) {
    Read found;
    try {
      found.book = services_.load();
      if (edit) {
        hosts::HostRegistry edited = *found.book;
        edit(edited);
        services_.save(edited);
        for (const hosts::HostEntry& entry : found.book->entries())
          if (!edited.find(entry.name)) services_.forget(entry.name);
        found.book = std::move(edited);
      }
      for (const hosts::HostEntry& entry : found.book->entries())
        if (const auto known = services_.facts(entry.name)) found.facts[entry.name] = *known;
    } catch (const std::exception& e) {
      found.error = QString::fromUtf8(e.what());
    }
    return found;
  };
  inBackground(tasks_, this, read, [this, done = std::move(done)](const Read& found, const QString&) {
    if (found.book) take(*found.book, found.facts);
    if (done) done(found.error);
    if (!done && !found.error.isEmpty()) emit failed(found.error);
  });
}

void HostsModel::take(const hosts::HostRegistry& book, const std::map<std::string, hosts::HostFacts>& facts) {
  beginResetModel();
  std::vector<HostItem> old = std::move(items_);
  items_.clear();
  book_ = book;
  for (const hosts::HostEntry& entry : book_.entries()) {
    const auto before = std::ranges::find(old, entry.name, hostName);
    HostItem item;
    if (before != old.end()) item = std::move(*before);
    item.entry = entry;
    const auto known = facts.find(entry.name);
    if (known != facts.end() && !item.checking) item.figures = figuresOf(known->second), item.lines = known->second.lines;
    items_.push_back(std::move(item));
  }
  loaded_ = true;
  endResetModel();
  emit reloaded();
}

const HostItem* HostsModel::find(const std::string& host) const {
  const auto found = std::ranges::find(items_, host, hostName);
  return found == items_.end() ? nullptr : &*found;
}

QStringList HostsModel::names() const {
  QStringList names;
  for (const HostItem& item : items_) names << qtext(item.entry.name);
  return names.isEmpty() ? QStringList{"local"} : names;
}

QStringList HostsModel::devicesOf(const std::string& host, const Catalog* here) const {
  const HostItem* item = find(host);
  if (item && !item->figures.devices.isEmpty()) return item->figures.devices;
  const QStringList known = host == "local" && here ? qtexts(here->devices) : QStringList();
  return known.isEmpty() ? QStringList{"cpu"} : known;
}

void HostsModel::change(const std::string& host, const std::function<void(HostItem&)>& change) {
  const auto found = std::ranges::find(items_, host, hostName);
  if (found == items_.end()) return;  // removed meanwhile
  change(*found);
  const int row = static_cast<int>(found - items_.begin());
  rowsChanged(row, row);
  emit changed(qtext(host));
}

QVariant HostsModel::cell(int row, int column, int role) const {
  const HostItem& item = items_[static_cast<std::size_t>(row)];
  const ItemColumn<HostItem>& table = kTable[column];
  switch (role) {
    case Qt::DisplayRole: return table.shown(item);
    case Qt::ToolTipRole:
      if (column == kGpus) return item.figures.gpus.join("\n");
      if (column == kSpeed) return speedWords(item.figures);
      return column == kName || column == kAddress ? QVariant(table.shown(item)) : QVariant();
    case kHostRole: return qtext(item.entry.name);
    case kStandingRole: return static_cast<int>(item.standing());
    case kSearchRole: return QStringList{qtext(item.entry.name), qtext(item.entry.kind), item.address(), standingWord(item.standing()), item.figures.gpus.join(" ")}.join(" ");
    case kSortRole: return table.sortKey(item);
    default: return {};
  }
}

HostsFilter::HostsFilter(QObject* parent) : WordsFilter(HostsModel::kSearchRole, parent) { setSortRole(HostsModel::kSortRole); }

void HostsFilter::setStates(States states) {
  setAccepts([states](const QModelIndex& index) {
    const auto standing = static_cast<HostStanding>(index.data(HostsModel::kStandingRole).toInt());
    if (states == kUsable) return standing == HostStanding::kReady || standing == HostStanding::kWarnings;
    return states == kAll || standing == HostStanding::kProblem || standing == HostStanding::kWarnings;
  });
}

bool HostsFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
  const auto local = [](const QModelIndex& index) { return index.data(HostsModel::kHostRole).toString() == "local"; };
  if (local(left) || local(right)) return local(left) == (sortOrder() == Qt::AscendingOrder);
  const QVariant a = left.data(HostsModel::kSortRole), b = right.data(HostsModel::kSortRole);
  if (a.typeId() == QMetaType::QString) return QString::localeAwareCompare(a.toString(), b.toString()) < 0;
  return a.toDouble() < b.toDouble();
}

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
    if (read.user.empty()) return "There is no user before the @.";
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
  if (rest.isEmpty()) return "A host needs an address.";
  if (rest.contains(QRegularExpression(R"(\s)"))) return "An address has no spaces; this is \"" + rest + "\".";
  bool ok = true;
  if (hasPort) read.port = port.toInt(&ok);
  if (!ok || (hasPort && (read.port < 1 || read.port > 65535))) return "The port must be 1 to 65535; it is \"" + port + "\".";
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
    if (equals < 0 || !word.match(name).hasMatch()) return QString("Line %1 of the environment must be NAME=VALUE; it is \"%2\".").arg(number).arg(line.trimmed());
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

#include "app/models/clusters/hosts_model.h"

#include <algorithm>

#include "app/models/words.h"
#include "engine/core/base/error.h"

namespace paceline::clusters {
namespace {

const std::string& hostName(const HostItem& item) { return item.entry.name; }

double diskBytes(const deploy::HostDisk& disk) {
  double bytes = static_cast<double>(disk.partialBytes + disk.spoolBytes);
  for (const deploy::InstalledVersion& version : disk.versions) bytes += static_cast<double>(version.bytes);
  return bytes;
}

QString amount(double value, const QString& text) { return value > 0 ? text : QString("—"); }

constexpr ItemColumn<HostItem> kTable[HostsModel::kColumns] = {
    {{"Host", "Its name in documents"}, [](const HostItem& item) { return qtext(item.entry.name); }},
    {{"State", "Of the last check"}, [](const HostItem& item) { return standingWord(item.standing()); },
     [](const HostItem& item) { return QVariant(static_cast<int>(item.standing())); }},
    {{"Address", "Where it is"}, [](const HostItem& item) { return item.address(); }},
    {{"CPUs", "Cores that our processes may use", true}, [](const HostItem& item) { return amount(item.figures.cpus, QString::number(item.figures.cpus)); },
     [](const HostItem& item) { return QVariant(item.figures.cpus); }},
    {{"GPUs", "GPUs its driver lists", true}, [](const HostItem& item) { return amount(item.figures.checked, QString::number(item.figures.gpus.size())); },
     [](const HostItem& item) { return QVariant(item.figures.gpus.size()); }},
    {{"Memory", "Installed", true}, [](const HostItem& item) { return amount(item.figures.memoryBytes, bytesText(item.figures.memoryBytes)); },
     [](const HostItem& item) { return QVariant(item.figures.memoryBytes); }},
    {{"GFLOP/s", "Of the two-second compute benchmark, all cores", true}, [](const HostItem& item) { return speedText(item.figures.speed); },
     [](const HostItem& item) { return QVariant(item.figures.speed); }},
    {{"Disk used", "By our programs and the spools of runs; read while its details are open", true},
     [](const HostItem& item) { return item.disk ? bytesText(diskBytes(*item.disk)) : QString("—"); },
     [](const HostItem& item) { return QVariant(item.disk ? diskBytes(*item.disk) : -1.0); }},
    {{"Checked", "When it was last checked"}, [](const HostItem& item) { return item.figures.checked > 0 ? whenText(item.figures.checked) : QString("never"); },
     [](const HostItem& item) { return QVariant(item.figures.checked); }},
};

}  // namespace

QString standingWord(HostStanding standing) {
  switch (standing) {
    case HostStanding::kNotChecked: return "Not checked";
    case HostStanding::kChecking: return "Checking";
    case HostStanding::kDeploying: return "Deploying";
    case HostStanding::kReady: return "Ready";
    case HostStanding::kWarnings: return "Warnings";
    case HostStanding::kProblem: return "Problem";
  }
  return {};
}

HostStanding HostItem::standing() const {
  if (deploying) return HostStanding::kDeploying;
  if (checking) return HostStanding::kChecking;
  const auto any = [this](check::CheckState state) {
    return std::any_of(lines.begin(), lines.end(), [state](const check::CheckLine& line) { return line.state == state; });
  };
  if (any(check::CheckState::kBad)) return HostStanding::kProblem;
  if (any(check::CheckState::kWarning)) return HostStanding::kWarnings;
  return any(check::CheckState::kGood) ? HostStanding::kReady : HostStanding::kNotChecked;
}

QString HostItem::address() const {
  if (entry.kind == "local") return "this computer";
  QString text = qtext(entry.address);
  if (entry.kind == "slurm" && text.isEmpty()) return "this computer's Slurm";
  if (!entry.user.empty()) text.prepend(qtext(entry.user) + "@");
  if (entry.port > 0) text += QString(":%1").arg(entry.port);
  return text;
}

QString HostItem::search() const {
  return QStringList{qtext(entry.name), qtext(entry.kind), address(), standingWord(standing()),
                     figures.gpus.join(" ")}
      .join(" ")
      .toLower();
}

HostsModel::HostsModel(HostServices services, QObject* parent) : ColumnTable(kTable, parent), services_(std::move(services)) {}

void HostsModel::load() { work({}, {}); }

void HostsModel::put(const hosts::HostEntry& entry, const std::string& before, Done done) {
  work(
      [entry, before](hosts::HostRegistry& book) {
        const bool renamed = !before.empty() && before != entry.name;
        if ((before.empty() || renamed) && book.find(entry.name))
          throw Error(Errc::kUsage, strCat("there is a host \"", entry.name, "\" already; choose another name"));
        book.put(entry);
        if (!renamed) return;
        for (hosts::HostEntry other : std::vector<hosts::HostEntry>(book.entries()))
          if (other.jump == before) other.jump = entry.name, book.put(other);
        book.remove(before);
      },
      std::move(done));
}

void HostsModel::putAll(const std::vector<hosts::HostEntry>& entries, Done done) {
  work(
      [entries](hosts::HostRegistry& book) {
        for (const hosts::HostEntry& entry : entries) book.put(entry);
      },
      std::move(done));
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
      return column == kName || column == kAddress ? QVariant(table.shown(item)) : QVariant();
    case kHostRole: return qtext(item.entry.name);
    case kStandingRole: return static_cast<int>(item.standing());
    case kSearchRole: return item.search();
    case kSortRole: return table.sortKey(item);
    default: return {};
  }
}

HostsFilter::HostsFilter(QObject* parent) : WordsFilter(HostsModel::kSearchRole, parent) { setSortRole(HostsModel::kSortRole); }

void HostsFilter::setStates(States states) {
  states_ = states;
  invalidateFilter();
}

bool HostsFilter::accepts(const QModelIndex& index) const {
  const auto standing = static_cast<HostStanding>(index.data(HostsModel::kStandingRole).toInt());
  if (states_ == kUsable) return standing == HostStanding::kReady || standing == HostStanding::kWarnings;
  return states_ == kAll || standing == HostStanding::kProblem || standing == HostStanding::kWarnings;
}

bool HostsFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
  const auto local = [](const QModelIndex& index) { return index.data(HostsModel::kHostRole).toString() == "local"; };
  if (local(left) || local(right)) return local(left) == (sortOrder() == Qt::AscendingOrder);
  const QVariant a = left.data(HostsModel::kSortRole), b = right.data(HostsModel::kSortRole);
  if (a.typeId() == QMetaType::QString) return QString::localeAwareCompare(a.toString(), b.toString()) < 0;
  return a.toDouble() < b.toDouble();
}

}  // namespace paceline::clusters

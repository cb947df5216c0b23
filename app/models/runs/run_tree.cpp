#include "app/models/runs/run_tree.h"

#include <algorithm>
#include <map>

#include <QDateTime>

#include "app/figures/results.h"
#include "app/models/words.h"

namespace paceline::runs {
namespace {

constexpr qsizetype kMostNames = 2;      // that a group's name has
constexpr std::size_t kMostAlike = 100;  // of one name; more are told apart by their time alone

std::string ownName(const store::RunRow& row) { return row.name.empty() ? row.id : row.name; }

// The name that the seeds of its suite share; "": it has one of its own.
QString suiteName(const store::RunRow& row) {
  const std::string name = nameWithoutSeed(row.name, row.seed);
  return name != row.name ? qtext(name) : QString();
}

QStringList suiteNames(const TreeEntry& entry) {
  QStringList names;
  for (const TreeRun& run : entry.runs)
    if (const QString name = suiteName(run.item->row); !name.isEmpty() && !names.contains(name)) names << name;
  return names;
}

// By the suites that have it, else by what it trains.
QString groupName(const TreeEntry& entry, const Titles& titles) {
  const QStringList names = suiteNames(entry);
  const store::RunRow& first = entry.runs.front().item->row;
  if (names.isEmpty()) return QString("%1, %2").arg(said(displayName(first.algorithm)), said(titleIn(titles, first.model)));
  if (names.size() == 1) return names.front();
  if (names.size() > kMostNames) return QObject::tr("%1 + %2 others").arg(names.front()).arg(names.size() - 1);
  QStringList head = names[0].split(' '), second = names[1].split(' '), shared;  // "first + second, lr 0.1" of "first lr 0.1" and "second lr 0.1"
  while (head.size() > 1 && second.size() > 1 && head.last() == second.last()) shared.prepend(head.takeLast()), second.removeLast();
  return head.join(' ') + " + " + second.join(' ') + (shared.isEmpty() ? "" : ", " + shared.join(' '));
}

QString remarkOf(const RunItem& item) {
  QStringList words;
  const store::RunState state = item.row.state;
  if (item.row.source == "simulated") words << QObject::tr("simulated");
  if (state != store::RunState::kFinished && state != store::RunState::kImported) words << stateWord(state).toLower();
  if (isEmpty(item)) words << QObject::tr("no data");
  return words.join(", ");
}

QString dateOf(const store::RunRow& row) { return QDateTime::fromSecsSinceEpoch(static_cast<qint64>(row.createdUtc)).toString("yyyy-MM-dd HH:mm:ss"); }

summary::RunSummary configurationOf(const store::RunRow& row) {
  summary::RunSummary made;
  made.id = row.id, made.name = row.name, made.algorithm = row.algorithm, made.model = row.model, made.dataset = row.dataset;
  made.partition = row.partition, made.seed = row.seed, made.groupHash = row.groupHash, made.document = row.specText, made.source = row.source;
  return made;
}

// Entries of one name: by what differs between their documents.
void tellApart(std::vector<TreeEntry*>& alike, const Titles& titles) {
  std::vector<std::string> differs;
  if (alike.size() <= kMostAlike) {
    Summaries configurations;
    for (const TreeEntry* entry : alike) configurations.push_back(configurationOf(entry->runs.front().item->row));
    differs = whatDiffers(configurations, titles);
  }
  for (std::size_t i = 0; i < alike.size(); ++i)
    if (const QString what = differs.empty() ? dateOf(alike[i]->runs.front().item->row) : qtext(differs[i]); !what.isEmpty()) alike[i]->name += ", " + what;
}

// Within a group the seed is enough, where it is one run's alone and all are of one suite.
void nameMembers(TreeEntry& entry) {
  std::map<QString, int> times;
  const bool several = suiteNames(entry).size() > 1;
  for (TreeRun& run : entry.runs) {
    const QString suite = suiteName(run.item->row);
    run.name = QObject::tr("seed %1").arg(run.item->row.seed);
    if (several || suite.isEmpty()) run.name += ", " + (suite.isEmpty() ? qtext(ownName(run.item->row)) : suite);
    ++times[run.name];
  }
  for (TreeRun& run : entry.runs)
    if (times[run.name] > 1) run.name += ", " + dateOf(run.item->row);
}

QString countOf(const TreeEntry& entry) {
  const auto empty = std::ranges::count_if(entry.runs, [](const TreeRun& run) { return isEmpty(*run.item); });
  QStringList words{QObject::tr("%n run(s)", nullptr, static_cast<int>(entry.runs.size()))};
  if (empty > 0) words << QObject::tr("%1 no data").arg(empty);
  if (entry.runs.front().item->row.source == "simulated") words << QObject::tr("simulated");
  return words.join(", ");
}

}  // namespace

bool isEmpty(const RunItem& item) { return item.measured && store::isEnded(item.row.state) && !item.accuracyBest && item.samplesPerSecond <= 0; }

std::vector<TreeEntry> runTree(const std::vector<const RunItem*>& items, const Titles& titles) {
  std::vector<TreeEntry> tree;
  std::map<std::string, std::size_t> groups;
  for (const RunItem* item : items) {
    const store::RunRow& row = item->row;
    if (row.state == store::RunState::kDraft || row.trashed) continue;
    const std::string key = summary::groupOf(configurationOf(row));  // seeds of one configuration; what is simulated by itself
    const auto known = key.empty() ? groups.end() : groups.find(key);
    if (known != groups.end()) {
      tree[known->second].runs.push_back({.item = item, .name = {}, .remark = remarkOf(*item)});
      continue;
    }
    if (!key.empty()) groups[key] = tree.size();
    tree.push_back({.name = {}, .remark = {}, .runs = {{.item = item, .name = {}, .remark = remarkOf(*item)}}});
  }
  std::map<QString, std::vector<TreeEntry*>> named;
  for (TreeEntry& entry : tree) {
    const store::RunRow& first = entry.runs.front().item->row;
    entry.group = entry.runs.size() > 1;
    entry.name = entry.group ? groupName(entry, titles) : qtext(ownName(first));
    entry.remark = entry.group ? countOf(entry) : entry.runs.front().remark;
    if (entry.group) nameMembers(entry);
    named[entry.name].push_back(&entry);
  }
  for (auto& [name, alike] : named)
    if (alike.size() > 1) tellApart(alike, titles);
  for (TreeEntry& entry : tree)
    if (!entry.group) entry.runs.front().name = entry.name;
  return tree;
}

}  // namespace paceline::runs

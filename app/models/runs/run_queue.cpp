#include "app/models/runs/run_queue.h"

#include <algorithm>
#include <memory>
#include <ranges>
#include <utility>

#include "app/cluster/recorder/suites.h"
#include "app/models/words.h"
#include "engine/core/base/error.h"

namespace paceline::runs {
namespace {

constexpr ColumnTable::Heading kQueueHeadings[RunQueue::kColumns] = {{QT_TR_NOOP("Name"), QT_TR_NOOP("In the order in which they run")},
                                                                {QT_TR_NOOP("State")},
                                                                {QT_TR_NOOP("Progress"), QT_TR_NOOP("Of the stop rule that ends first")},
                                                                {QT_TR_NOOP("Now"), QT_TR_NOOP("The run it waits for, or the present step")}};

// What a run of a suite is called beyond the name that all of them begin with: "esync seed 1".
QString pointName(const recorder::Entry& entry) {
  const bool begins = entry.name.starts_with(entry.suite + " ");
  return qtext(begins ? entry.name.substr(entry.suite.size() + 1) : entry.name);
}

}  // namespace

QString entryWord(const recorder::Entry& entry) { return entry.held ? QObject::tr("Held") : entry.waiting ? QObject::tr("Waiting") : entry.kind == recorder::EntryKind::kSimulation ? QObject::tr("Simulating") : stateWord(entry.state); }

QString leftText(const recorder::Progress& progress) { return etaText(progress.leftLowSeconds, progress.leftHighSeconds); }

RunQueue::RunQueue(RecorderLink& recorder, QObject* parent) : ColumnTable(kQueueHeadings, parent), recorder_(recorder) {
  connect(&recorder_, &RecorderLink::queueRead, this, &RunQueue::take);
  connect(&recorder_, &RecorderLink::entryChanged, this, &RunQueue::takeOne);
}

void RunQueue::submit(const std::vector<RunSpec>& specs, const std::string& suite, recorder::EntryKind kind, const std::vector<std::string>& predictions) {
  recorder::Submission submission;
  submission.kind = kind;
  for (std::size_t i = 0; i < specs.size(); ++i)
    submission.points.push_back({.name = specs[i].name, .spec = toJsonText(specs[i]), .prediction = i < predictions.size() ? predictions[i] : std::string()});
  if (specs.size() > 1) submission.suite = suite;
  hand([submission](recorder::Client&) { return submission; });
}

void RunQueue::submitSearch(const std::string& document, const std::string& suite, recorder::EntryKind kind) {
  hand([document, suite, kind](recorder::Client&) { return recorder::Submission{.kind = kind, .points = {}, .suite = suite, .search = document}; });
}

void RunQueue::holdSearch(const std::string& suite, bool held) {
  recorder_.ask([suite, held](recorder::Client& client) { client.holdSearch(suite, held); });
}

void RunQueue::endSearch(const std::string& suite) {
  recorder_.ask([suite](recorder::Client& client) { client.endSearch(suite); });
}

void RunQueue::attach(const std::string& run) {
  hand([run](recorder::Client&) { return recorder::Submission{.kind = recorder::EntryKind::kAttach, .points = {}, .resumedFrom = run}; });
}

void RunQueue::resume(const store::RunRow& run, const RunSpec& spec) {
  hand([run, name = spec.name, text = toJsonText(spec)](recorder::Client&) {
    return recorder::Submission{.kind = recorder::EntryKind::kResume, .points = {{.name = name, .spec = text}}, .resumedFrom = run.id};
  });
}

// Looked up where the requests are made: the store may be slow.
void RunQueue::submitMissing(const std::string& suite) {
  hand([suite, path = recorder_.storePath()](recorder::Client& client) {
    const store::StoreReader store(path);
    return recorder::missingOf(store, recorder::suiteOf(store, suite), client.queue());
  });
}

void RunQueue::hand(const std::function<recorder::Submission(recorder::Client&)>& submission) {
  const auto entries = std::make_shared<std::vector<recorder::Entry>>();
  recorder_.ask([submission, entries](recorder::Client& client) { *entries = client.submit(submission(client)); },
                [this, entries] {
                  for (const recorder::Entry& entry : *entries) own_.insert(entry.run);
                  if (!entries->empty()) emit submitted(entries->front().run);
                  read();
                });
}

// From the last to the first, so that none begins because another one goes.
void RunQueue::stop(const std::vector<std::string>& runs) {
  recorder_.ask([runs](recorder::Client& client) {
    for (const std::string& run : runs | std::views::reverse) client.stop(run);
  });
}

void RunQueue::hold(const std::vector<std::string>& runs) {
  recorder_.ask([runs](recorder::Client& client) { client.hold(runs); });
}

void RunQueue::go(const std::vector<std::string>& runs) {
  recorder_.ask([runs](recorder::Client& client) { client.go(runs); });
}

std::vector<const recorder::Entry*> RunQueue::waiting() const {
  std::vector<const recorder::Entry*> waiting;
  for (const recorder::Entry& entry : entries_)
    if (entry.waiting) waiting.push_back(&entry);
  return waiting;
}

void RunQueue::move(const std::vector<std::string>& runs, int by) {
  const std::set<std::string> moved(runs.begin(), runs.end());
  std::vector<const recorder::Entry*> others;
  std::optional<std::ptrdiff_t> first, last;  // of the others, those that follow the first and the last that is moved
  for (const recorder::Entry* entry : waiting()) {
    if (!moved.contains(entry->run)) others.push_back(entry);
    else first = first.value_or(std::ssize(others)), last = std::ssize(others);
  }
  if (!first || by == 0) return;
  const std::ptrdiff_t to = (by < 0 ? *first : *last) + by;
  if (to < 0 || to > std::ssize(others)) return;
  moveBefore(runs, to < std::ssize(others) ? others[static_cast<std::size_t>(to)]->run : std::string());
}

void RunQueue::moveBefore(const std::vector<std::string>& runs, const std::string& before) {
  const std::set<std::string> moved(runs.begin(), runs.end());
  std::vector<std::int64_t> ids;
  for (const recorder::Entry* entry : waiting())
    if (moved.contains(entry->run)) ids.push_back(entry->id);
  const recorder::Entry* other = find(before);
  if (ids.empty() || moved.contains(before) || (!before.empty() && (other == nullptr || !other->waiting))) return;
  recorder_.ask([ids, before = other != nullptr ? other->id : 0](recorder::Client& client) { client.moveBefore(ids, before); }, [this] { read(); });
}

void RunQueue::moveToRow(const std::vector<std::string>& runs, int row) {
  const auto stays = [&runs](const recorder::Entry& entry) { return entry.waiting && std::ranges::find(runs, entry.run) == runs.end(); };
  const auto before = std::find_if(entries_.begin() + std::clamp<int>(row, 0, rows()), entries_.end(), stays);
  moveBefore(runs, before == entries_.end() ? std::string() : before->run);
}

void RunQueue::read() {
  if (!std::exchange(reading_, true)) recorder_.readQueue();
}

void RunQueue::take(std::vector<recorder::Entry> entries) {
  reading_ = false;
  for (const recorder::Entry& entry : entries) tellDiverged(entry);
  for (bool more = true; more;) {  // of several in a row the last one may stand first
    more = false;
    for (const recorder::Entry& entry : entries) more = inherit(entry) || more;
  }
  for (const recorder::Entry& entry : entries)
    if (entry.ended && own_.erase(entry.run) > 0) emit entryEnded(entry), emit ended(entry.run, qtext(entry.text));  // while the connection was lost
  std::erase_if(entries, [](const recorder::Entry& entry) { return entry.ended; });
  const bool same = std::ranges::equal(entries, entries_, {}, &recorder::Entry::id, &recorder::Entry::id);
  if (!same) beginResetModel();
  entries_ = std::move(entries);
  if (!same) endResetModel();
  if (same) allChanged();
  emit changed();
}

void RunQueue::tellDiverged(const recorder::Entry& entry) {
  if (!entry.progress.diverged.empty() && own_.contains(entry.run) && toldDiverged_.insert(entry.run).second) emit diverged(entry);
}

// What goes on by itself is whose the lost run was.
bool RunQueue::inherit(const recorder::Entry& entry) {
  if (!own_.contains(entry.insteadOf) || !own_.insert(entry.run).second) return false;
  emit submitted(entry.run);
  return true;
}

// The order is the recorder's: new and waiting entries are read with the whole queue.
void RunQueue::takeOne(const recorder::Entry& entry) {
  tellDiverged(entry);
  inherit(entry);
  const auto known = std::ranges::find(entries_, entry.id, &recorder::Entry::id);
  const int row = static_cast<int>(known - entries_.begin());
  if (entry.ended) {
    if (known != entries_.end()) {
      emit leaves(entry.run);
      beginRemoveRows({}, row, row);
      entries_.erase(known);
      endRemoveRows();
      if (!entry.suite.empty()) allChanged();  // fewer runs are left
    }
    const bool own = own_.erase(entry.run) > 0;
    if (own) emit entryEnded(entry);
    emit ended(entry.run, own ? qtext(entry.text) : QString());
  } else if (known == entries_.end() || entry.waiting) {
    return read();
  } else {
    *known = entry;
    rowsChanged(row, row);
  }
  emit changed();
}

int RunQueue::rowOf(const std::string& run) const {
  const auto found = std::ranges::find(entries_, run, &recorder::Entry::run);
  return found == entries_.end() ? -1 : static_cast<int>(found - entries_.begin());
}

const recorder::Entry* RunQueue::find(const std::string& run) const {
  const int row = rowOf(run);
  return row < 0 ? nullptr : &entries_[static_cast<std::size_t>(row)];
}

int RunQueue::held() const { return static_cast<int>(std::ranges::count(entries_, true, &recorder::Entry::held)); }

QString RunQueue::titleOf(const recorder::Entry& entry) { return qtext(entry.suite.empty() ? entry.name : entry.suite); }

QString RunQueue::leftOf(const recorder::Entry& entry) const {
  if (entry.suite.empty()) return {};
  return tr(", %1 left").arg(tr("%n run(s)", nullptr, static_cast<int>(std::ranges::count(entries_, entry.suite, &recorder::Entry::suite))));
}

bool RunQueue::leads(const recorder::Entry& entry) const { return std::ranges::find(entries_, entry.suite, &recorder::Entry::suite)->id == entry.id; }

QString RunQueue::withoutWindow() const {
  if (entries_.empty()) return {};
  const int held = this->held(), waiting = static_cast<int>(std::ranges::count(entries_, true, &recorder::Entry::waiting)) - held;
  const int running = rowCount() - waiting - held;
  QStringList words;
  if (running > 0) words << tr("%n run(s) in progress go on", nullptr, running);
  if (waiting > 0) words << tr("%n run(s) that wait start in turn", nullptr, waiting);
  if (held > 0) words << tr("%n run(s) stay held", nullptr, held);
  return tr("%1 without this window. Open Paceline again, or type paceline queue in a terminal, to see or stop them.").arg(words.join(", "));
}

QString RunQueue::shown(const recorder::Entry& entry, int column) const {
  switch (column) {
    case kName: return entry.suite.empty() ? qtext(entry.name) : titleOf(entry) + (leads(entry) ? leftOf(entry) : QString()) + ": " + pointName(entry);
    case kState: return entryWord(entry);
    case kProgress: return entry.waiting ? QString() : QStringList{percentText(entry.progress.fraction), leftText(entry.progress)}.join("  ").trimmed();
    default: return entry.held ? said(entry.text.substr(0, entry.text.find(';'))) : said(entry.text);  // how to let it go in a terminal is of no use beside the button
  }
}

QVariant RunQueue::cell(int row, int column, int role) const {
  const recorder::Entry& entry = entries_[static_cast<std::size_t>(row)];
  switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole: return shown(entry, column);
    case kRunRole: return qtext(entry.run);
    case kWaitsRole: return entry.waiting;
    case kHeldRole: return entry.held;
    case kStateRole: return static_cast<int>(entry.waiting ? store::RunState::kDraft : entry.state);
    default: return {};
  }
}

}  // namespace paceline::runs

#include "app/models/runs/run_queue.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "app/models/words.h"
#include "engine/core/base/error.h"

namespace paceline::runs {
namespace {

constexpr ColumnTable::Heading kQueueHeadings[RunQueue::kColumns] = {{"Name", "In the order in which they run"},
                                                                {"State"},
                                                                {"Progress", "Of the stop rule that ends first"},
                                                                {"Now", "The run it waits for, or the present step"}};

// What a run of a suite is called beyond the name that all of them begin with: "esync seed 1".
QString pointName(const recorder::Entry& entry) {
  const bool begins = entry.name.starts_with(entry.suite + " ");
  return qtext(begins ? entry.name.substr(entry.suite.size() + 1) : entry.name);
}

}  // namespace

QString entryWord(const recorder::Entry& entry) { return entry.held ? "Held" : entry.waiting ? "Waiting" : stateWord(entry.state); }

QString leftText(const recorder::Progress& progress) { return etaText(progress.leftLowSeconds, progress.leftHighSeconds); }

RunQueue::RunQueue(RecorderLink& recorder, QObject* parent) : ColumnTable(kQueueHeadings, parent), recorder_(recorder) {
  connect(&recorder_, &RecorderLink::queueRead, this, &RunQueue::take);
  connect(&recorder_, &RecorderLink::entryChanged, this, &RunQueue::takeOne);
}

void RunQueue::submit(const std::vector<RunSpec>& specs, const std::string& suite, recorder::EntryKind kind) {
  recorder::Submission submission;
  submission.kind = kind;
  for (const RunSpec& spec : specs) submission.points.push_back({.name = spec.name, .spec = toJsonText(spec)});
  if (specs.size() > 1) submission.suite = suite;
  hand(std::move(submission));
}

void RunQueue::attach(const std::string& run) { hand({.kind = recorder::EntryKind::kAttach, .points = {}, .resumedFrom = run}); }

void RunQueue::resume(const store::RunRow& run) {
  hand({.kind = recorder::EntryKind::kResume, .points = {{.name = run.name, .spec = run.specText}}, .resumedFrom = run.id});
}

void RunQueue::hand(recorder::Submission submission) {
  const auto entries = std::make_shared<std::vector<recorder::Entry>>();
  recorder_.ask([submission = std::move(submission), entries](recorder::Client& client) { *entries = client.submit(submission); },
                [this, entries] {
                  for (const recorder::Entry& entry : *entries) own_.insert(entry.run);
                  if (!entries->empty()) emit submitted(entries->front().run);
                  read();
                });
}

void RunQueue::stop(const std::string& run) {
  recorder_.ask([run](recorder::Client& client) { client.stop(run); });
}

void RunQueue::go() {
  recorder_.ask([](recorder::Client& client) { client.go(); });
}

void RunQueue::move(const std::string& run, int by) {
  std::vector<const recorder::Entry*> waiting;
  for (const recorder::Entry& entry : entries_)
    if (entry.waiting) waiting.push_back(&entry);
  const auto at = std::find_if(waiting.begin(), waiting.end(), [&run](const recorder::Entry* entry) { return entry->run == run; });
  if (at == waiting.end()) return;
  const auto from = at - waiting.begin(), to = from + by;
  if (by == 0 || to < 0 || to >= static_cast<std::ptrdiff_t>(waiting.size())) return;
  const auto next = static_cast<std::size_t>(by > 0 ? to + 1 : to);  // it will stand before this one
  recorder_.ask([id = (*at)->id, other = next < waiting.size() ? waiting[next]->id : 0](recorder::Client& client) { client.moveBefore(id, other); },
                [this] { read(); });
}

void RunQueue::read() {
  if (!std::exchange(reading_, true)) recorder_.readQueue();
}

void RunQueue::take(std::vector<recorder::Entry> entries) {
  reading_ = false;
  for (const recorder::Entry& entry : entries)
    if (entry.ended && own_.erase(entry.run) > 0) emit ended(entry.run, qtext(entry.text));  // while the connection was lost
  std::erase_if(entries, [](const recorder::Entry& entry) { return entry.ended; });
  const bool same = std::ranges::equal(entries, entries_, {}, &recorder::Entry::id, &recorder::Entry::id);
  if (!same) beginResetModel();
  entries_ = std::move(entries);
  if (!same) endResetModel();
  if (same) allChanged();
  emit changed();
}

// The order is the recorder's: new and waiting entries are read with the whole queue.
void RunQueue::takeOne(const recorder::Entry& entry) {
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
  return QString(", %1 left").arg(plural(static_cast<int>(std::ranges::count(entries_, entry.suite, &recorder::Entry::suite)), "run"));
}

QString RunQueue::withoutWindow() const {
  if (entries_.empty()) return {};
  const int held = this->held(), waiting = static_cast<int>(std::ranges::count(entries_, true, &recorder::Entry::waiting)) - held;
  const int running = rowCount() - waiting - held;
  QStringList words;
  if (running > 0) words << QString("%1 in progress %2 on").arg(plural(running, "run"), running == 1 ? "goes" : "go");
  if (waiting > 0) words << QString("%1 that %2 %3 in turn").arg(plural(waiting, "run"), waiting == 1 ? "waits" : "wait", waiting == 1 ? "starts" : "start");
  if (held > 0) words << QString("%1 %2 held").arg(plural(held, "run"), held == 1 ? "stays" : "stay");
  return words.join(", ") + " without this window. Open Paceline again, or type paceline queue in a terminal, to see or stop them.";
}

QString RunQueue::shown(const recorder::Entry& entry, int column) const {
  switch (column) {
    case kName: return entry.suite.empty() ? qtext(entry.name) : titleOf(entry) + leftOf(entry) + ": " + pointName(entry);
    case kState: return entryWord(entry);
    case kProgress: return entry.waiting ? QString() : QStringList{percentText(entry.progress.fraction), leftText(entry.progress)}.join("  ").trimmed();
    default: return qtext(entry.text);
  }
}

QVariant RunQueue::cell(int row, int column, int role) const {
  const recorder::Entry& entry = entries_[static_cast<std::size_t>(row)];
  switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole: return shown(entry, column);
    case kRunRole: return qtext(entry.run);
    case kStateRole: return static_cast<int>(entry.waiting ? store::RunState::kDraft : entry.state);
    default: return {};
  }
}

}  // namespace paceline::runs

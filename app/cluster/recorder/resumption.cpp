#include "app/cluster/recorder/resumption.h"

#include <algorithm>

#include "app/cluster/recorder/service.h"
#include "app/cluster/recorder/suites.h"
#include "engine/core/base/clock.h"
#include "engine/core/json/json_text.h"

namespace paceline::recorder {

std::optional<store::QueueRow> resumptionOf(const store::RunRow& run, const store::QueueRow& ended, const run::RunOutcome& outcome) {
  const RunSpec spec = parseRunSpec(run.specText).spec;
  const auto before = run::goesOn(run);
  const int count = before ? before->count : 0;
  if (outcome.state != store::RunState::kFailed || !outcome.byLoss || spec.checkpointEveryRounds == 0 || count >= spec.checkpointResumes) return std::nullopt;
  Context context = readFrom<Context>(jsonOrNull(ended.context));
  context.insteadOf = run.id, context.resumes = count + 1;
  const std::string from = outcome.checkpointed ? run.id : run::resumedFrom(run);
  return store::QueueRow{.kind = kindName(from.empty() ? EntryKind::kRun : EntryKind::kResume), .run = store::newRunId(), .specText = run.specText, .name = run.name, .suite = ended.suite,
                         .resumedFrom = from, .now = ended.now && ended.kind != kindName(EntryKind::kAttach), .boot = ended.boot, .context = dumped(written(context)), .submittedUtc = unixNow()};
}

std::string resumptionText(const store::QueueRow& next) {
  const int left = parseRunSpec(next.specText).spec.checkpointResumes - readFrom<Context>(jsonOrNull(next.context)).resumes;
  return strCat(next.resumedFrom.empty() ? "it had no checkpoint yet and begins again" : "it goes on from its newest checkpoint", ", ", left, " more time", left == 1 ? "" : "s", " at most (checkpoint.resumes)");
}

// In one piece with the end of the lost one's entry, so that a recorder that goes away meanwhile leaves either that or this. Of a suite it is a further attempt of the cell; a search has
// seen the run's end and goes on by its own rules. What was lost with this computer's last start waits for a person.
std::string Service::goOn(const store::QueueRow& ended, const run::RunOutcome& outcome) {
  if (!outcome.byLoss) return "";
  std::string text;
  try {
    const auto run = store_->find(outcome.run);
    std::optional<store::QueueRow> next = run && run->id == outcome.run ? resumptionOf(*run, ended, outcome) : std::nullopt;
    const auto cell = next ? cellOf(*store_, outcome.run) : std::nullopt;
    if (!next || (cell && cell->searched)) return "";
    if (cell) next->suite = cell->name;
    next->held = next->boot != boot_;
    next->position = nextPosition();
    records_->withWriter([&](store::StoreWriter& store) {
      store.together([&] {
        store.dequeue(ended.entry);
        next->entry = store.enqueue(*next);
        if (cell) store.addAttempt(cell->suite, cell->place, next->run);
      });
    });
    text = resumptionText(*next);
    const std::int64_t entry = next->entry;
    tell(addItem(std::move(*next)).entry);
    const auto waits = std::ranges::find_if(items_, [entry](const Item& other) { return !other.row.begun && other.row.entry != entry; });
    if (waits != items_.end()) move({entry}, waits->row.entry);
  } catch (const Error& error) {  // the store takes nothing now: it does not go on, or behind those that wait
    if (text.empty()) text = strCat("it could not go on by itself: ", error.what());
  }
  return text;
}

}  // namespace paceline::recorder

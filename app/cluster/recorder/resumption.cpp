#include "app/cluster/recorder/resumption.h"

#include "app/cluster/recorder/protocol.h"
#include "engine/core/base/clock.h"
#include "engine/core/json/json_text.h"

namespace paceline::recorder {

std::optional<store::QueueRow> resumptionOf(const store::RunRow& run, const store::QueueRow& ended, const run::RunOutcome& outcome) {
  const RunSpec spec = parseRunSpec(run.specText).spec;
  Context context = readFrom<Context>(jsonOrNull(ended.context));
  if (outcome.state != store::RunState::kFailed || !outcome.byLoss || spec.checkpointEveryRounds == 0 || context.resumes >= spec.checkpointResumes) return std::nullopt;
  ++context.resumes;
  context.insteadOf = run.id;
  const std::string from = outcome.checkpointed ? run.id : run::resumedFrom(run);
  return store::QueueRow{.kind = kindName(from.empty() ? EntryKind::kRun : EntryKind::kResume), .run = store::newRunId(), .specText = run.specText, .name = ended.name, .suite = ended.suite,
                         .resumedFrom = from, .now = ended.now, .boot = ended.boot, .context = dumped(written(context)), .submittedUtc = unixNow()};
}

std::string resumptionText(const store::QueueRow& next) {
  const int left = parseRunSpec(next.specText).spec.checkpointResumes - readFrom<Context>(jsonOrNull(next.context)).resumes;
  return strCat(next.resumedFrom.empty() ? "it had no checkpoint yet and begins again" : "it goes on from its newest checkpoint", ", ", left, " more time", left == 1 ? "" : "s", " at most (checkpoint.resumes)");
}

}  // namespace paceline::recorder

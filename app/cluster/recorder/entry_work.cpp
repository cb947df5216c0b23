#include "app/cluster/recorder/entry_work.h"

#include "app/cluster/recorder/progress_fold.h"
#include "engine/core/base/clock.h"

namespace paceline::recorder {
namespace {

constexpr double kTellEverySeconds = 0.25;

// What the store has of a run that is followed again.
void replay(ProgressFold& fold, const store::StoreReader& store, const std::string& run) {
  for (const store::RoundRow& row : store.rounds(run)) fold.take(row.node, row.record);
  for (const store::EvaluationRow& row : store.evaluations(run)) fold.take(row.node, row.record);
}

run::RunOutcome workOn(const store::QueueRow& entry, run::RunMeans& means, const EntryChange& change, const std::stop_token& stop) {
  const bool simulated = entry.kind == kindName(EntryKind::kSimulation);
  const store::StoreReader store(means.records.path());
  const auto row = store.find(entry.run);
  const bool known = row && row->id == entry.run;
  const RunSpec spec = parseRunSpec(entry.specText.empty() && known ? row->specText : entry.specText).spec;
  ProgressFold fold(spec, simulated);
  if (known && !simulated) replay(fold, store, entry.run);
  const auto tell = [&] { change([progress = fold.progress()](Entry& shown) { shown.progress = progress; }); };
  means.callbacks.onState = [&](const std::string&, store::RunState state, const std::string& text) {
    change([state, text](Entry& shown) { shown.state = state, shown.text = text; });
  };
  means.callbacks.onProgress = [&](const std::string& host, const std::string& text) {
    change([text = host + ": " + text](Entry& shown) { shown.text = text; });
  };
  means.callbacks.onEvent = [&, told = 0.0](const StampedEvent& event) mutable {
    fold.take(event.node, event.event);
    if (steadySeconds() - told < kTellEverySeconds) return;
    told = steadySeconds();
    tell();
  };
  const auto run = [&] {
    if (simulated) return run::simulateRun(means, spec, stop);
    run::RunSession session(means);
    if (known) return session.attach(entry.run, stop);
    if (entry.kind != kindName(EntryKind::kResume)) return session.run(spec, stop);
    const auto ended = store.find(entry.resumedFrom);
    if (!ended) throw Error(Errc::kStore, "run " + entry.resumedFrom + " is not in the store any more");
    return session.resume(*ended, spec, stop);
  };
  const run::RunOutcome outcome = run();
  tell();
  return outcome;
}

}  // namespace

run::RunOutcome work(const store::QueueRow& row, const Context& context, run::RunMeans means, const EntryChange& change, std::stop_token stop) {
  means.id = row.run, means.folder = context.folder, means.variables = context.variables, means.beside = row.now;
  try {
    return workOn(row, means, change, stop);
  } catch (const std::exception& error) {
    return {.run = row.run, .name = row.name, .state = store::RunState::kFailed, .error = error.what(), .reason = "failure"};
  }
}

}  // namespace paceline::recorder

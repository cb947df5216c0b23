#include "app/cluster/recorder/entry_work.h"

#include "app/cluster/recorder/progress_fold.h"
#include "app/cluster/recorder/protocol.h"
#include "engine/core/base/clock.h"

namespace paceline::recorder {
namespace {

constexpr double kTellEverySeconds = 0.25;

// What the store has of a run that is followed again.
void replay(ProgressFold& fold, const store::StoreReader& store, const std::string& run) {
  for (const store::RoundRow& row : store.rounds(run)) fold.take(row.node, row.record);
  for (const store::EvaluationRow& row : store.evaluations(run)) fold.take(row.node, row.record);
}

}  // namespace

run::RunOutcome work(const store::QueueRow& entry, const EntryMeans& means, const EntryHooks& hooks, std::stop_token stop) {
  run::RunOutcome failed{.run = entry.run, .name = entry.name, .state = store::RunState::kFailed, .error = {}, .reason = "failure"};
  try {
    const EntryKind kind = kindFromName(entry.kind).value_or(EntryKind::kRun);
    const bool simulated = kind == EntryKind::kSimulation;
    const store::StoreReader store(means.records.path());
    const auto row = store.find(entry.run);
    const bool known = row && row->id == entry.run;
    const RunSpec spec = parseRunSpec(entry.specText.empty() && known ? row->specText : entry.specText).spec;
    ProgressFold fold(spec, simulated);
    if (known && !simulated) replay(fold, store, entry.run);
    double told = 0;
    const auto tell = [&] {
      if (steadySeconds() - told < kTellEverySeconds) return;
      told = steadySeconds();
      hooks.progress(fold.progress());
    };
    const run::RunCallbacks callbacks{.onState = [&](const std::string&, store::RunState state, const std::string& text) { hooks.state(state, text); },
                                 .onEvent =
                                     [&](const StampedEvent& event) {
                                       fold.take(event.node, event.event);
                                       tell();
                                     },
                                 .onProgress = [&](const std::string& host, const std::string& text, double) { hooks.doing(host + ": " + text); }};
    const Context context = contextFrom(Json::parse(entry.context));
    run::RunTask task{.id = entry.run, .folder = context.folder, .variables = context.variables, .beside = entry.now, .leave = means.leave};
    const auto run = [&]() -> run::RunOutcome {
      if (simulated) return run::simulateRun(means.records, spec, callbacks, stop, task);
      run::RunController controller(means.records, callbacks, means.opener, means.times, task);
      if (known) return controller.attach(entry.run, stop);
      if (kind != EntryKind::kResume) return controller.run(spec, stop);
      const auto ended = store.find(entry.resumedFrom);
      if (!ended) throw Error(Errc::kStore, "run " + entry.resumedFrom + " is not in the store any more");
      return controller.resume(*ended, spec, stop);
    };
    const run::RunOutcome outcome = run();
    hooks.progress(fold.progress());
    return outcome;
  } catch (const std::exception& error) {
    failed.error = error.what();
  }
  return failed;
}

}  // namespace paceline::recorder

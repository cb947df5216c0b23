#include "app/cli/runs/run_list.h"

#include <chrono>

#include "app/cli/console.h"
#include "engine/core/base/error.h"

namespace paceline::cli {
namespace {

std::string endText(const run::RunOutcome& outcome, double seconds) {
  std::string text = strCat(store::stateName(outcome.state), " after ", durationText(seconds));
  if (!outcome.error.empty())
    text += ": " + outcome.error;
  else if (!outcome.reason.empty())
    text += strCat(" (", outcome.reason, ")");
  return text;
}

}  // namespace

run::RunCallbacks RunList::callbacks() {
  return {.onState =
              [this](const std::string&, store::RunState state, const std::string& text) {
                if (!store::isEnded(state)) line_.state(text.empty() || state == store::RunState::kRunning ? store::stateName(state) : text);
              },
          .onEvent = [this](const StampedEvent& event) { line_.take(event); }};
}

std::optional<run::RunOutcome> RunList::finishedBefore(const RunSpec& spec) const {
  const std::string hash = configHash(spec);
  for (const store::RunRow& run : store::StoreReader(recorder_.path()).runs())
    if (run.configHash == hash && run.state == store::RunState::kFinished && run.source == (options_.simulated ? "simulated" : ""))
      return run::RunOutcome{.run = run.id, .name = run.name, .state = run.state, .error = {}, .reason = run.reason};
  return std::nullopt;
}

run::RunOutcome RunList::runOne(const RunSpec& spec, const Interrupt& interrupt) {
  if (options_.simulated) return run::simulateRun(recorder_, spec, callbacks(), interrupt.token());
  return run::RunController(recorder_, callbacks(), opener_).run(spec, interrupt.token());
}

std::vector<run::RunOutcome> RunList::run(const std::vector<ExperimentPoint>& points, const Interrupt& interrupt) {
  std::vector<run::RunOutcome> outcomes;
  for (std::size_t i = 0; i < points.size() && !interrupt.asked(); ++i) {
    const ExperimentPoint& point = points[i];
    line_.begin(i, point.name, point.spec);
    if (const auto before = options_.resume ? finishedBefore(point.spec) : std::nullopt) {
      line_.end(strCat("finished before, as run ", before->run));
      outcomes.push_back(*before);
      continue;
    }
    const auto began = std::chrono::steady_clock::now();
    outcomes.push_back(runOne(point.spec, interrupt));
    line_.end(endText(outcomes.back(), std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count()));
    recorder_.flush();  // a full disk ends the list: nothing more could be recorded
  }
  return outcomes;
}

}  // namespace paceline::cli

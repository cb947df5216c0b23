#include "app/cluster/run/run_controller.h"

#include <future>

#include <nlohmann/json.hpp>

#include "app/cluster/run/agent_client.h"
#include "app/cluster/worker/worker_answer.h"
#include "app/cluster/hosts/command.h"
#include "app/cluster/run/run_row.h"
#include "app/cluster/run/run_session.h"
#include "engine/core/base/error.h"

namespace paceline::run {
namespace {

constexpr double kStopGraceSeconds = 15;

RunOutcome failedOutcome(const std::string& run, const std::string& name, const std::string& error) {
  return {.run = run, .name = name, .state = store::RunState::kFailed, .error = error, .reason = "failure"};
}

// The run's row is there even when its check fails right away: people look for it in the list.
RunOutcome failedAtOnce(Recorder& recorder, const RunCallbacks& callbacks, const store::RunRow& row, const std::string& error) {
  recorder.setState(row.id, store::RunState::kFailed, error, "failure");
  if (callbacks.onState) callbacks.onState(row.id, store::RunState::kFailed, error);
  return failedOutcome(row.id, row.name, error);
}

std::string resumedFrom(const store::RunRow& row) {
  const auto versions = nlohmann::json::parse(row.versions, nullptr, false);
  return versions.is_object() ? versions.value("resumed_from", "") : "";
}

}  // namespace

RunController::RunController(Recorder& recorder, RunCallbacks callbacks, hosts::HostOpener opener, LinkTimes times, RunTask task)
    : recorder_(recorder), callbacks_(std::move(callbacks)), opener_(std::move(opener)), times_(times), task_(std::move(task)) {}

RunOutcome RunController::run(const RunSpec& spec, std::stop_token stop) { return begin(spec, "", std::move(stop)); }

RunOutcome RunController::resume(const store::RunRow& ended, const RunSpec& spec, std::stop_token stop) {
  if (!ended.source.empty()) return failedOutcome("", spec.name, strCat("run ", ended.id, " is ", ended.source, "; only real runs have checkpoints"));
  return begin(spec, ended.id, std::move(stop));
}

RunOutcome RunController::begin(const RunSpec& spec, const std::string& resumed, std::stop_token stop) {
  store::RunRow row = newRunRow(spec, "");
  if (!task_.id.empty()) row.id = task_.id;
  std::string problem;
  Catalog catalog;
  try {
    catalog = worker::describeLocal();
  } catch (const std::exception& error) {
    problem = error.what();
  }
  row.versions = versionsText(spec, catalog, resumed);
  try {
    recorder_.withWriter([&](store::StoreWriter& store) { store.createRun(row, nodeRows(row.id, spec)); });
    if (!problem.empty()) return failedAtOnce(recorder_, callbacks_, row, problem);
    return RunSession({recorder_, callbacks_, opener_, times_, task_}, row.id, spec, row.state, stop).start(resumed);
  } catch (const std::exception& error) {
    return failedOutcome(row.id, row.name, error.what());
  }
}

RunOutcome RunController::attach(const std::string& run, std::stop_token stop) {
  try {
    recorder_.flush(run);
    const auto row = store::StoreReader(recorder_.path()).find(run);
    if (!row) return failedOutcome(run, "", strCat("there is no run ", run));
    if (store::isEnded(row->state)) return {.run = row->id, .name = row->name, .state = row->state, .error = row->error, .reason = row->reason};
    if (!row->source.empty()) return failedAtOnce(recorder_, callbacks_, *row, "the program that simulated it is gone");
    const ParsedSpec parsed = parseRunSpec(row->specText);
    if (hasErrors(parsed.findings)) return failedOutcome(row->id, row->name, strCat("run ", row->id, ": its document cannot be read"));
    recorder_.withWriter([&](store::StoreWriter& store) { store.adopt(row->id); });
    return RunSession({recorder_, callbacks_, opener_, times_, task_}, row->id, parsed.spec, store::RunState::kStale, stop).pickUp(row->startedUtc > 0, resumedFrom(*row));
  } catch (const std::exception& error) {
    return failedOutcome(run, "", error.what());
  }
}

std::vector<std::string> dropCheckpoints(const std::string& run, const hosts::HostOpener& opener, const std::vector<std::string>& hosts) {
  std::vector<std::string> problems;
  for (const std::string& name : hosts) {
    try {
      const hosts::ReadyHost ready = opener(name, {});
      const hosts::CommandResult result = hosts::runOn(*ready.host, {ready.installation.program("paceline-agent"), "drop", run});
      if (result.end.code != 0) problems.push_back(strCat(name, ": ", result.said()));
    } catch (const Error& error) {
      problems.emplace_back(error.what());
    }
  }
  return problems;
}

bool stopRun(const std::string& run, const hosts::HostOpener& opener, const std::vector<std::string>& hosts) {
  const auto stopOn = [&](const std::string& name) {
    const hosts::ReadyHost ready = opener(name, {});
    AgentClient agent(*ready.host, ready.installation);
    for (const AgentRun& known : agent.list())
      if (known.run == run && known.active) return agent.end(run, kStopGraceSeconds, "asked");
    return false;
  };
  std::vector<std::future<bool>> asked;
  for (const std::string& name : hosts) asked.push_back(std::async(std::launch::async, stopOn, name));
  bool stopped = false;
  std::exception_ptr problem;
  for (std::future<bool>& answer : asked) {
    try {
      stopped = answer.get() || stopped;
    } catch (const Error&) {
      problem = std::current_exception();
    }
  }
  if (problem) std::rethrow_exception(problem);
  return stopped;
}

}  // namespace paceline::run

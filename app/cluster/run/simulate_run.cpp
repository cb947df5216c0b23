// A run in virtual time: `paceline-worker simulate` does it, this records what it says.
#include <nlohmann/json.hpp>

#include "app/cluster/worker/worker_answer.h"
#include "app/cluster/hosts/local_process.h"
#include "app/cluster/run/run_controller.h"
#include "app/cluster/run/run_ending.h"
#include "app/cluster/run/run_row.h"
#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
#include "engine/core/record/event.h"

namespace paceline::run {
namespace {

class Simulation {
 public:
  Simulation(Recorder& recorder, const RunSpec& spec, const RunCallbacks& callbacks, const RunTask& task)
      : recorder_(recorder), spec_(spec), callbacks_(callbacks), leave_(task.leave), ending_(spec) {
    store::RunRow row = newRunRow(spec, "simulated");
    if (!task.id.empty()) row.id = task.id;
    outcome_ = {.run = row.id, .name = row.name, .state = row.state, .error = "", .reason = ""};
    const std::string worker = hosts::localProgram("paceline-worker");
    row.versions = versionsText(spec, worker::describeWorker(worker));
    process_ = std::make_unique<hosts::LocalProcess>(std::vector<std::string>{worker, "simulate", "-"}, task.variables, "local", task.folder);
    const auto before = store::StoreReader(recorder.path()).find(row.id);
    recorder_.withWriter([&](store::StoreWriter& store) {
      if (before && before->id == row.id) store.beginAgain(row.id);
      else store.createRun(row, nodeRows(row.id, spec));
    });
  }

  RunOutcome run(const std::stop_token& stop) {
    to(store::RunState::kRunning);
    process_->writeLine(toJsonText(spec_));
    process_->closeInput();
    for (std::size_t lines = 1; !process_->ended(); ++lines) {
      if (leave_.stop_requested()) return outcome_;
      if (stop.stop_requested()) return stopped();
      if (const auto line = process_->readLine(0.2)) take(*line);
      if (lines % 1000 == 0) recorder_.flush(outcome_.run);
    }
    recorder_.flush(outcome_.run);
    const hosts::ProcessEnd end = process_->wait();
    if (end.code != 0) throw Error(Errc::kHost, said(end));
    to(store::RunState::kFinished, "", ending_.reason());
    return outcome_;
  }

  RunOutcome failed(const std::string& error) {
    try {
      to(store::RunState::kFailed, error, "failure");
    } catch (const std::exception&) {
      outcome_.state = store::RunState::kFailed, outcome_.error = error, outcome_.reason = "failure";
    }
    return outcome_;
  }

 private:
  void to(store::RunState state, const std::string& error = "", const std::string& reason = "") {
    outcome_.state = state, outcome_.error = error, outcome_.reason = reason;
    recorder_.setState(outcome_.run, state, error, reason);
    if (callbacks_.onState) callbacks_.onState(outcome_.run, state, error);
  }

  RunOutcome stopped() {
    process_.reset();
    to(store::RunState::kStopping);
    to(store::RunState::kStopped, "", "asked");
    return outcome_;
  }

  // An event's line with the node's id beside its members.
  void take(const std::string& line) {
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object() || !json.contains("node") || !json["node"].is_string())
      throw Error(Errc::kHost, strCat("the simulator said what is no event: ", line.substr(0, 80)));
    StampedEvent event{.run = outcome_.run, .node = json["node"], .seq = 0, .event = readEvent(json)};
    event.seq = ++seq_[event.node];
    if (const auto* notice = std::get_if<NoticeRecord>(&event.event)) ending_.observe(event.node, *notice);
    recorder_.append(event);
    if (callbacks_.onEvent) callbacks_.onEvent(event);
  }

  static std::string said(const hosts::ProcessEnd& end) {
    std::string text(trimmedEnd(end.errors));
    const std::string program = "paceline-worker: ";
    if (text.starts_with(program)) text = text.substr(program.size());
    return text.empty() ? strCat("the simulator ended with exit code ", end.code) : text;
  }

  Recorder& recorder_;
  const RunSpec& spec_;
  const RunCallbacks& callbacks_;
  std::stop_token leave_;
  RunEnding ending_;
  RunOutcome outcome_;
  std::unique_ptr<hosts::LocalProcess> process_;
  std::map<std::string, std::int64_t> seq_;
};

}  // namespace

RunOutcome simulateRun(Recorder& recorder, const RunSpec& spec, RunCallbacks callbacks, std::stop_token stop, const RunTask& task) {
  std::optional<Simulation> simulation;
  try {
    simulation.emplace(recorder, spec, callbacks, task);
    return simulation->run(stop);
  } catch (const std::exception& error) {
    if (simulation) return simulation->failed(error.what());
    return {.run = "", .name = spec.name, .state = store::RunState::kFailed, .error = error.what(), .reason = "failure"};
  }
}

}  // namespace paceline::run

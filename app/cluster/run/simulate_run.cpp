// A run in virtual time: `paceline-worker simulate` does it, this records what it says.
#include <chrono>
#include <condition_variable>

#include "app/cluster/hosts/local_process.h"
#include "app/cluster/run/run_session.h"
#include "app/cluster/worker/worker_answer.h"
#include "engine/core/json/json_text.h"
#include "engine/core/record/kernels.h"

namespace paceline::run {
namespace {

class Simulation {
 public:
  Simulation(const RunMeans& means, const RunSpec& spec, std::stop_token stop) : means_(means), stop_(std::move(stop)), ending_(spec) {
    const std::string worker = hosts::localProgram("paceline-worker");
    const store::RunRow row = newRunRow(spec, means.id, worker::describeWorker(worker), "simulated");
    outcome_ = {.run = row.id, .name = row.name, .state = row.state};
    std::map<std::string, std::string> variables = means.variables;
    for (const auto& [name, value] : kernelsFor(cpuFlags(), variables)) variables[name] = value;  // those of real nodes here, whatever is exported where this was started
    process_ = std::make_unique<hosts::LocalProcess>(std::vector<std::string>{worker, "simulate", "-", "--threads", std::to_string(means.threads)}, variables, "local", means.folder);
    const auto before = store::StoreReader(means.records.path()).find(row.id);
    created_ = insist([&] {
      means.records.withWriter([&](store::StoreWriter& store) {
        if (before && before->id == row.id) store.beginAgain(row.id);
        else store.createRun(row, nodeRows(row.id, spec));
      });
    });
  }

  RunOutcome run(const RunSpec& spec) {
    if (!created_ && stop_.stop_requested()) outcome_.state = store::RunState::kStopped, outcome_.reason = "asked";
    if (!created_) return outcome_;
    to(store::RunState::kRunning);
    process_->writeLine(toJsonText(spec));
    process_->closeInput();
    for (std::size_t lines = 1; !process_->ended(); ++lines) {
      if (means_.leave.stop_requested()) return outcome_;
      if (stop_.stop_requested()) return stopped();
      if (const auto line = process_->readLine(0.2)) take(*line);
      if (lines % 1000 == 0) recorded();
    }
    if (!recorded()) return stop_.stop_requested() ? stopped() : outcome_;
    const hosts::ProcessEnd end = process_->wait();
    if (end.code != 0) throw Error(Errc::kHost, said(end));
    to(store::RunState::kFinished, "", ending_.reason());
    recorded();
    return outcome_;
  }

  RunOutcome failed(const std::string& error) {
    try {
      to(store::RunState::kFailed, error, "failure");
    } catch (const std::exception&) {  // the store cannot be told
    }
    return outcome_;
  }

 private:
  RunOutcome stopped() {
    process_.reset();
    to(store::RunState::kStopping);
    return to(store::RunState::kStopped, "", "asked");
  }

  bool recorded() {
    return insist([this] { means_.records.flush(outcome_.run); });
  }

  // Until the store takes it: a simulation waits, for it has no host that keeps its records. False: it is to end before.
  bool insist(const std::function<void()>& work) {
    for (;;) {
      try {
        work();
        waitForStore("");
        return true;
      } catch (const store::Unavailable& error) {
        waitForStore(storeWaitText(error.what()));
      }
      if (stop_.stop_requested() || means_.leave.stop_requested()) return false;
      std::mutex mutex;
      std::unique_lock lock(mutex);
      std::condition_variable_any().wait_for(lock, stop_, std::chrono::duration<double>(kStorePauseSeconds), [] { return false; });
    }
  }

  void waitForStore(const std::string& text) {
    if (std::exchange(waits_, text) != text && means_.callbacks.onState) means_.callbacks.onState(outcome_.run, outcome_.state, text);
  }

  RunOutcome to(store::RunState state, const std::string& error = "", const std::string& reason = "") {
    outcome_.state = state, outcome_.error = error, outcome_.reason = reason;
    means_.records.setState(outcome_.run, state, error, reason);
    if (means_.callbacks.onState) means_.callbacks.onState(outcome_.run, state, error);
    return outcome_;
  }

  // An event's line with the node's id beside its members.
  void take(const std::string& line) {
    const Json json = jsonOrNull(line);
    if (!json.is_object() || !json.contains("node") || !json["node"].is_string())
      throw Error(Errc::kHost, strCat("the simulator said \"", quotable(line), "\", which is no event"));
    StampedEvent event{.run = outcome_.run, .node = json["node"], .seq = 0, .event = readEvent(json)};
    event.seq = ++seq_[event.node];
    if (const auto* notice = std::get_if<NoticeRecord>(&event.event)) ending_.observe(event.node, *notice);
    means_.records.append(event);
    if (means_.callbacks.onEvent) means_.callbacks.onEvent(event);
  }

  static std::string said(const hosts::ProcessEnd& end) {
    std::string text = trimmedEnd(end.errors);
    const std::string program = "paceline-worker: ";
    if (text.starts_with(program)) text.erase(0, program.size());
    return text.empty() ? strCat("the simulator ended with exit code ", end.code) : text;
  }

  const RunMeans& means_;
  const std::stop_token stop_;
  RunEnding ending_;
  bool created_ = false;
  std::string waits_;
  RunOutcome outcome_;
  std::unique_ptr<hosts::LocalProcess> process_;
  std::map<std::string, std::int64_t> seq_;
};

}  // namespace

RunOutcome simulateRun(const RunMeans& means, const RunSpec& spec, std::stop_token stop) {
  std::optional<Simulation> simulation;
  try {
    return simulation.emplace(means, spec, std::move(stop)).run(spec);
  } catch (const std::exception& error) {
    if (simulation) return simulation->failed(error.what());
    return {.run = "", .name = spec.name, .state = store::RunState::kFailed, .error = error.what(), .reason = "failure"};
  }
}

}  // namespace paceline::run

// The campaign: random documents, random harm, and a checker that asks the store. In the suite a few trials and those whose seeds once found a defect; `scripts/torture` makes as
// many as it is asked for.
#include <gtest/gtest.h>
#include <signal.h>

#include <condition_variable>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "app/cluster/run/agent_client.h"
#include "app/cluster/run/run_session.h"
#include "app/cluster/worker/worker_answer.h"
#include "engine/core/base/clock.h"
#include "engine/core/base/error.h"
#include "tests/loopback/loopback_fixture.h"
#include "tests/loopback/proxied_nodes.h"
#include "tests/torture/checker.h"
#include "tests/torture/trial.h"

namespace paceline::tests {
namespace {

// Of the suite: some of what can happen, and the seeds whose trials once showed a defect.
constexpr std::uint64_t kFound[] = {1006, 1034, 1041, 1043, 1984, 40394, 40519};
constexpr double kHangSeconds = 90;

class Torture : public LoopbackTest {
 protected:
  struct Result {
    bool hung = false;
    std::vector<Blow> struck;
    run::RunOutcome outcome;
    Verdict verdict;
  };

  Result tried(const Trial& trial) {
    Result result;
    ParsedSpec parsed = parseRunSpec(trial.document.dump());
    if (!hasErrors(parsed.findings)) parsed = validate(parsed.spec, catalog_);
    for (const Finding& finding : parsed.findings)
      if (finding.error) result.verdict.defects.push_back(strCat("its document is refused: ", finding.pointer, " ", finding.message));
    if (!result.verdict.defects.empty()) return result;
    const AlgorithmEntry& method = *findEntry(catalog_.algorithms, parsed.spec.algorithm.id);
    const bool goesOn = whyNotWithoutAWorker(parsed.spec, method, findEntry(catalog_.aggregations, parsed.spec.aggregation.id)).empty();
    run(parsed.spec, trial, result);
    if (result.hung) result.verdict.defects.push_back(strCat("it hung: ", store::stateName(result.outcome.state), " after ", kHangSeconds, " s"));
    else result.verdict = judge(store::StoreReader(storePath()), result.outcome, parsed.spec, result.struck, goesOn);
    for (const std::string& left : leftOf(result.outcome.run)) result.verdict.defects.push_back(left);
    return result;
  }

  const Catalog catalog_ = worker::describeLocal();

 private:
  void run(const RunSpec& spec, const Trial& trial, Result& result) {
    std::map<std::string, FaultPlan> plans;
    for (const Blow& blow : trial.blows)
      if (blow.harm == Harm::kCut || blow.harm == Harm::kSpoil) plans[blow.victim] = FaultPlan{.seed = trial.seed};
    ProxiedNodes proxied(plans);
    std::mutex mutex;
    std::condition_variable_any changed;
    std::set<std::size_t> done;
    std::vector<pid_t> paused;
    run::RunCallbacks callbacks;
    callbacks.onEvent = [&](const StampedEvent& event) {
      const auto* record = std::get_if<RoundRecord>(&event.event);
      if (record == nullptr || event.node != "w0") return;
      const std::lock_guard lock(mutex);
      for (std::size_t i = 0; i < trial.blows.size(); ++i)
        if (record->round >= trial.blows[i].round && done.insert(i).second) strike(trial.blows[i], event.run, proxied, result, paused);
    };
    std::stop_source stop;
    const std::jthread guard([&](const std::stop_token& over) {
      std::unique_lock lock(mutex);
      changed.wait_for(lock, over, std::chrono::duration<double>(kPauseSeconds), [] { return false; });
      // Paused ones go on: within node_silent_s when they were paused soon enough, and in any case before anybody waits for them.
      for (double waited = kPauseSeconds; !over.stop_requested() && waited < kHangSeconds; waited += kPauseSeconds) {
        for (const pid_t pid : paused) ::kill(pid, SIGCONT);
        changed.wait_for(lock, over, std::chrono::duration<double>(kPauseSeconds), [] { return false; });
      }
      if (!over.stop_requested()) result.hung = true, stop.request_stop();
    });
    run::RecordWriter records(storePath());
    result.outcome = run::RunSession({.records = records, .callbacks = callbacks, .opener = proxied.opener()}).run(spec, stop.get_token());
  }

  static void strike(const Blow& blow, const std::string& run, ProxiedNodes& proxied, Result& result, std::vector<pid_t>& paused) {
    if (blow.harm == Harm::kCut) proxied.before(blow.victim).cut();
    if (blow.harm == Harm::kSpoil) proxied.before(blow.victim).once(Fault::kFlip, 200);
    if (blow.harm == Harm::kKill || blow.harm == Harm::kFreeze || blow.harm == Harm::kPause) {
      const pid_t pid = pidOf(run, blow.victim);
      if (pid <= 0) return;  // it has ended
      if (blow.harm == Harm::kPause) paused.push_back(pid);
      ::kill(pid, blow.harm == Harm::kKill ? SIGKILL : SIGSTOP);
    }
    result.struck.push_back(blow);
  }

  // Of the run on this host.
  std::vector<std::string> leftOf(const std::string& run) const {
    std::vector<std::string> left;
    const auto host = hosts::localHost();
    run::AgentClient agent(*host, hosts::localInstallation());
    if (!agent.list().empty()) left.push_back("the supervisor still has its run");
    if (!std::filesystem::is_empty(folder_ / "agent" / "runs")) left.push_back("its folder is left on its host");
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      std::ifstream environment(entry.path() / "environ", std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(environment), {}};
      if (!run.empty() && text.find(run) != std::string::npos) left.push_back(strCat("process ", entry.path().filename().string(), " of it is left"));
    }
    return left;
  }

  static constexpr double kPauseSeconds = 1;
};

std::int64_t numberOf(const char* variable, std::int64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atoll(text);
}

void report(const std::map<std::string, std::map<std::string, int>>& counts, int trials, double seconds) {
  std::cout << trials << " trials in " << static_cast<int>(seconds) << " s\n";
  for (const auto& [what, by] : counts) {
    std::cout << what << ':';
    for (const auto& [name, count] : by) std::cout << ' ' << name << ' ' << count << ',';
    std::cout << '\n';
  }
}

TEST_F(Torture, NoTrialShowsADefect) {
  const std::int64_t trials = numberOf("PACELINE_TORTURE_TRIALS", 5), seconds = numberOf("PACELINE_TORTURE_SECONDS", 1'000'000'000);
  std::vector<std::uint64_t> seeds;
  if (const std::int64_t first = numberOf("PACELINE_TORTURE_SEED", -1); first < 0) seeds.assign(std::begin(kFound), std::end(kFound));
  else for (std::int64_t i = 0; i < trials; ++i) seeds.push_back(static_cast<std::uint64_t>(first + i));
  const double began = steadySeconds();
  std::map<std::string, std::map<std::string, int>> counts;
  int made = 0;
  for (const std::uint64_t seed : seeds) {
    if (steadySeconds() - began > static_cast<double>(seconds)) break;
    const Trial trial = trialOf(seed, catalog_);
    const Result result = tried(trial);
    ++made;
    ++counts["methods"][trial.document["algorithm"]["id"]];
    ++counts["ends"][store::stateName(result.outcome.state)];
    ++counts["repeated"][result.verdict.repeated ? "to the same bits" : result.verdict.notRepeated.empty() ? "otherwise" : "not"];
    for (const Blow& blow : result.struck) ++counts["harm"][harmName(blow.harm)];
    if (result.struck.empty()) ++counts["harm"]["none"];
    if (trial.document["worker_restarts"] > 0) ++counts["with restarts"][strCat("took part again ", result.verdict.rejoined, " times")];
    if (trial.document.contains("lost_data")) ++counts["with divided data"][store::stateName(result.outcome.state)];
    for (const std::string& defect : result.verdict.defects) {
      ++counts["defects"][defect.substr(0, 24)];
      ADD_FAILURE() << trial.text() << "\n  " << defect << "\n  " << trial.document.dump();
    }
    if (std::getenv("PACELINE_TORTURE_TALK") != nullptr) std::cout << trial.text() << ": " << store::stateName(result.outcome.state) << ", " << (result.verdict.repeated ? "repeated" : result.verdict.notRepeated) << (result.verdict.rejoined > 0 ? ", rejoined" : "") << std::endl;
  }
  report(counts, made, steadySeconds() - began);
}

}  // namespace
}  // namespace paceline::tests

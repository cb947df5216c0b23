// From Run to the first round with many workers on this computer, and what memory they take, with and without a fork server.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include "app/cluster/run/run_session.h"
#include "engine/core/base/error.h"
#include "engine/core/base/file_text.h"
#include "engine/core/record/forks.h"
#include "tests/bench/bench.h"
#include "tests/bench/temp_folder.h"
#include "tests/bench/worker_loop.h"

namespace paceline::bench {
namespace {

// Everybody takes part in every round of ssgd, so the first one is closed when all are there.
RunSpec manyWorkers(int workers, int rounds) {
  std::string nodes = R"({"id": "s0", "role": "server"})";
  for (int i = 0; i < workers; ++i) nodes += strCat(R"(, {"id": "w)", i, R"("})");
  return specOf(strCat(R"({"paceline": 1, "name": "start", "algorithm": {"id": "ssgd"}, "model": {"id": "logistic"}, "dataset": {"id": "synthetic"},
    "evaluate": {"every_rounds": 0}, "stop": {"rounds": )", rounds, R"(}, "nodes": [)", nodes, "]}"));
}

// The memory of processes: pages that several share count for each in equal parts (PSS).
struct Memory {
  int processes = 0;
  double workersMb = 0, serverMb = 0;
};

double proportionalMb(const std::filesystem::path& process) {
  std::ifstream file(process / "smaps_rollup");
  for (std::string word; file >> word;)
    if (double kilobytes = 0; word == "Pss:" && file >> kilobytes) return kilobytes * 1024 / 1e6;  // of 1024 bytes
  return 0;
}

// The workers of a run, by the marks of its nodes, and the fork server that they come from.
Memory memoryOf(const std::string& run) {
  Memory found;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const std::string environment = '\0' + fileText((entry.path() / "environ").string()).value_or("");
    const std::size_t mark = environment.find(strCat('\0', kNodeVariable, "=", run, "/"));
    if (mark == std::string::npos) continue;
    const char node = environment[environment.find('/', mark) + 1];
    if (node == 'w') found.processes++, found.workersMb += proportionalMb(entry.path());
    if (node == '*') found.serverMb += proportionalMb(entry.path());
  }
  return found;
}

struct Start {
  double seconds = 0;  // to the first closed round
  Memory memory{};     // then
};

Start startOf(run::RecordWriter& records, const RunSpec& spec, bool memory = false) {
  std::optional<Start> start;
  const double begin = secondsNow();
  const run::RunOutcome outcome = run::RunSession({records, {.onEvent = [&](const StampedEvent& event) {
    if (start || !std::holds_alternative<RoundRecord>(event.event)) return;
    start.emplace(Start{.seconds = secondsNow() - begin});
    if (memory) start->memory = memoryOf(event.run);
  }}}).run(spec);
  if (outcome.state != store::RunState::kFinished || !start) throw Error(Errc::kData, strCat("the run of the bench: ", outcome.error));
  return *start;
}

std::vector<double> startSeconds(run::RecordWriter& records, const RunSpec& spec) {
  std::vector<double> seconds;
  for (int turn = 0; turn < 5; ++turn) seconds.push_back(startOf(records, spec).seconds);
  return seconds;
}

// Every node a program of its own while this lives.
struct WithoutForks {
  WithoutForks() { ::setenv("PACELINE_FORK", "no", 1); }
  ~WithoutForks() { ::unsetenv("PACELINE_FORK"); }
};

struct Bench {
  Bench() { ::setenv("PACELINE_AGENT_DIR", (folder.path + "/agent").c_str(), 1); }
  TempFolder folder{};
  run::RecordWriter records{folder.path + "/bench.db"};
};

Result startLocal(int workers, double target) {
  Bench bench;
  const RunSpec spec = manyWorkers(workers, 3);
  startOf(bench.records, spec);  // the supervisor runs from now on
  const std::vector<double> forked = startSeconds(bench.records, spec);
  const WithoutForks without;
  const double alone = startOf(bench.records, spec).seconds;
  return {.id = strCat("start_", workers, "_local_s"), .value = median(forked), .unit = "s", .target = target, .higherIsBetter = false,
          .note = strCat("from Run to the first closed round of ssgd with ", workers, " workers of logistic and a server on this computer, median of 5; programs_of_their_own_s: once without fork server"),
          .inputs = {{"shortest_s", std::ranges::min(forked)}, {"longest_s", std::ranges::max(forked)}, {"programs_of_their_own_s", alone}}};
}

}  // namespace

Result start16Local() { return startLocal(16, 0.6); }
Result start64Local() { return startLocal(64, 2); }

Result workerIdleMb() {
  constexpr int kWorkers = 16, kRounds = 1000;  // long enough to be looked at
  Bench bench;
  const RunSpec spec = manyWorkers(kWorkers, kRounds);
  const auto each = [](const Memory& memory) { return (memory.workersMb + memory.serverMb) / memory.processes; };
  const auto running = [&] {
    const Memory memory = startOf(bench.records, spec, true).memory;
    if (memory.processes == 0 || memory.workersMb == 0) throw Lacking("/proc does not show the environment and the memory of the workers");
    return memory;
  };
  const Memory forked = running();
  const WithoutForks without;
  const Memory alone = running();
  return {.id = "worker_idle_mb", .value = each(forked), .unit = "MB", .target = 20, .higherIsBetter = false,
          .note = "memory (PSS) of 16 workers of logistic after their first round and of what they are forked from, by worker; programs_of_their_own_mb: without fork server",
          .inputs = {{"workers", static_cast<double>(forked.processes)}, {"fork_server_mb", forked.serverMb}, {"programs_of_their_own_mb", each(alone)}}};
}

}  // namespace paceline::bench

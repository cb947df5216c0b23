// One long run whose servers are killed again and again: memory, descriptors and threads of all its processes, the journals and what a round takes on the disk are in the end what
// they were. In the suite some seconds; `scripts/torture --soak H` makes hours of it.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <condition_variable>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <sstream>
#include <thread>

#include "app/cluster/run/agent_client.h"
#include "app/cluster/run/run_session.h"
#include "engine/core/base/clock.h"
#include "engine/core/base/error.h"
#include "tests/loopback/loopback_fixture.h"

namespace paceline::tests {
namespace {

constexpr int kPhases = 4;  // the second is what the last is compared with
using Measures = std::map<std::string, double>;

class Soak : public LoopbackTest {
 protected:
  static double secondsOfIt() {
    const char* text = std::getenv("PACELINE_SOAK_SECONDS");
    return text == nullptr ? 20 : std::atof(text);
  }

  static RunSpec document(double seconds) {
    Json all = nodes(4, 2);
    for (Json& node : all)
      if (node.value("role", "worker") == "worker") node["emulate"] = {{"step_s", 0.05}, {"jitter", 0.3}};
    return spec("asgd", {{"nodes", all}, {"server_restarts", 1000}, {"model", {{"id", "mlp"}}}, {"evaluate", {{"every_rounds", 100}}}, {"stop", {{"rounds", 100'000'000}, {"seconds", seconds}}}});
  }

  // What a process has now; nothing where it has just ended.
  static void measure(const std::string& name, pid_t pid, Measures& measures) {
    std::ifstream status(strCat("/proc/", pid, "/status"));
    for (std::string line; std::getline(status, line);) {
      std::istringstream words(line);
      std::string key;
      double value = 0;
      words >> key >> value;
      if (key == "RssAnon:") measures[name + " MB"] = value / 1024;  // of its own; journals, which servers map, have their own line
      if (key == "Threads:") measures[name + " threads"] = value;
    }
    std::error_code gone;
    double descriptors = 0;
    for (auto each = std::filesystem::directory_iterator(strCat("/proc/", pid, "/fd"), gone); !gone && each != std::filesystem::directory_iterator(); each.increment(gone)) ++descriptors;
    if (descriptors > 0) measures[name + " descriptors"] = descriptors;
  }

  Measures measured(const std::string& run, std::int64_t rounds) const {
    Measures measures;
    measure("desktop", ::getpid(), measures);
    const pid_t supervisor = supervisorIn(folder_ / "agent");
    measure("supervisor", supervisor, measures);
    for (const char* node : {"s0", "s1", "w0", "w1", "w2", "w3"}) measure(node, pidOf(run, node), measures);
    std::error_code gone;
    double journals = 0, spool = 0;  // bytes
    for (auto each = std::filesystem::directory_iterator(strCat("/proc/", supervisor, "/fd"), gone); !gone && each != std::filesystem::directory_iterator(); each.increment(gone)) {
      struct stat file{};
      if (std::filesystem::read_symlink(each->path(), gone).string().find("paceline-journal") != std::string::npos && ::stat(each->path().c_str(), &file) == 0) journals += 512.0 * static_cast<double>(file.st_blocks);
    }
    for (auto each = std::filesystem::recursive_directory_iterator(folder_ / "agent" / "runs", gone); !gone && each != std::filesystem::recursive_directory_iterator(); each.increment(gone))
      if (each->is_regular_file(gone)) spool += static_cast<double>(each->file_size(gone));
    measures["journals MB"] = journals / (1 << 20);
    if (rounds > 0) measures["spools kB a round"] = spool / 1024 / static_cast<double>(rounds);  // kept until the run's end
    return measures;
  }

  std::mutex mutex_;
  std::condition_variable_any changed_;
};

TEST_F(Soak, NothingGrows) {
  const double seconds = secondsOfIt(), began = steadySeconds();
  std::string run;
  std::int64_t rounds = 0;  // the most of a worker
  std::vector<std::map<std::string, double>> most(kPhases);  // of each measure, by phase
  int kills = 0;
  run::RunCallbacks callbacks;
  callbacks.onEvent = [&](const StampedEvent& event) {
    const std::lock_guard lock(mutex_);
    if (const auto* record = std::get_if<RoundRecord>(&event.event)) run = event.run, rounds = std::max(rounds, record->round);
  };
  const std::jthread watcher([&](const std::stop_token& over) {
    const double pause = std::max(0.25, seconds / 400), between = std::max(4.0, seconds / 60);
    double nextKill = began + between;
    std::unique_lock lock(mutex_);
    while (!over.stop_requested()) {
      changed_.wait_for(lock, over, std::chrono::duration<double>(pause), [] { return false; });
      if (run.empty()) continue;
      const std::string known = run;
      const std::int64_t closed = rounds;
      lock.unlock();
      const double passed = steadySeconds() - began;
      for (const auto& [name, value] : measured(known, closed)) {
        double& highest = most[std::min<std::size_t>(kPhases - 1, static_cast<std::size_t>(passed / seconds * kPhases))][name];
        highest = std::max(highest, value);
      }
      if (steadySeconds() >= nextKill) {
        nextKill += between;
        if (const pid_t server = pidOf(known, strCat("s", kills % 2)); server > 0 && passed < 0.9 * seconds) ::kill(server, SIGKILL), ++kills;
      }
      lock.lock();
    }
  });
  run::RunOutcome outcome;
  {
    run::RecordWriter records(storePath());
    outcome = run::RunSession({records, callbacks}).run(document(seconds));
  }
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  EXPECT_GE(kills, 2);
  std::cout << kills << " servers killed in " << seconds << " s; " << roundsOf(outcome.run, "w0").size() << " rounds of w0; the highest of the second and the last quarter\n";
  for (const auto& [name, last] : most.back()) {
    const double before = most[1][name];
    std::cout << "  " << name << ": " << before << ", " << last << '\n';
    const double more = name.ends_with("MB") ? 4 : name.ends_with("a round") ? 0.05 * before : 2;  // a client that asks has descriptors for a moment
    EXPECT_LE(last, 1.05 * before + more) << name;
  }
  expectNothingLeft();
}

}  // namespace
}  // namespace paceline::tests

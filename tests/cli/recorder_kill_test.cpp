// Two suites from two terminals, a run that nobody waits for and two simulations in one store at once, while the recorder is killed at
// random moments: whoever comes next starts another, every point finishes, every round is there once.
#include <signal.h>

#include <random>
#include <thread>

#include "storage/store/sqlite.h"
#include "tests/cli/program.h"

namespace paceline::tests {
namespace {

using Json = nlohmann::json;

constexpr int kRounds = 12, kRuns = 7;  // two suites of two, one run, two simulations

class KilledRecorder : public Desk {
 protected:
  Json spec(const std::string& name) {
    Json spec = tinySpec();
    spec["name"] = name;
    spec["stop"] = {{"rounds", kRounds}};
    for (int worker : {1, 2}) spec["nodes"][static_cast<std::size_t>(worker)]["emulate"] = {{"step_s", 0.02}};
    return spec;
  }
  std::string suite(const std::string& name) { return write(name + ".json", Json{{"base", spec(name)}, {"vary", {{"/seed", {1, 2}}}}}.dump()); }

  void expectEverythingOnce() {
    store::Database database(store(), store::Database::Mode::kRead);
    EXPECT_EQ(database.number("SELECT count(*) FROM run"), kRuns);
    EXPECT_EQ(database.number("SELECT count(*) FROM run WHERE state = 'finished'"), kRuns);
    EXPECT_EQ(database.number("SELECT count(*) FROM queue"), 0);
    EXPECT_EQ(database.number("SELECT count(*) FROM (SELECT node FROM round GROUP BY node HAVING count(*) = 12 AND count(DISTINCT round) = 12 AND max(round) = 12)"),
              2 * kRuns);
    EXPECT_EQ(database.number("SELECT count(*) FROM round"), 2 * kRuns * kRounds);
  }
};

TEST_F(KilledRecorder, LosesNoPointAndNoRound) {
  const char* wanted = std::getenv("PACELINE_KILL_REPEATS");
  const int repeats = wanted == nullptr ? 1 : std::atoi(wanted);
  std::mt19937 chance(std::random_device{}());
  for (int repeat = 0; repeat < repeats; ++repeat) {
    std::vector<std::unique_ptr<Started>> programs;
    ASSERT_EQ(paceline({"run", write("alone.json", spec("alone").dump()), "--detach"}).code, 0);
    programs.push_back(start({"run", suite("a"), "--json"}));
    programs.push_back(start({"run", suite("b"), "--json"}));
    programs.push_back(start({"simulate", write("s.json", spec("s").dump()), "--json"}));
    programs.push_back(start({"simulate", write("t.json", spec("t").dump()), "--json"}));
    for (int kills = 0; kills < 6; ++kills) {
      std::this_thread::sleep_for(std::chrono::milliseconds(std::uniform_int_distribution<int>(20, 2000)(chance)));  // the random moment
      if (const pid_t recorder = recorderPid(); recorder > 0) ::kill(recorder, SIGKILL);
    }
    for (const auto& program : programs) {
      const Outcome outcome = program->wait();
      EXPECT_EQ(outcome.code, 0) << outcome.err << outcome.out;
    }
    const Outcome followed = paceline({"attach", "alone"});  // it may have ended
    EXPECT_TRUE(followed.code == 0 || followed.err.find("has already ended: finished") != std::string::npos) << followed.err;
    expectEverythingOnce();
    if (HasFailure()) return;
    if (repeat + 1 < repeats) forgetStore();
  }
}

}  // namespace
}  // namespace paceline::tests

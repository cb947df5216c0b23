// Real runs that lose a node they cannot do without, and go on by themselves.
#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>

#include "app/cluster/recorder/client.h"
#include "engine/core/record/reasons.h"
#include "tests/loopback/loopback_fixture.h"

namespace paceline::tests {
namespace {

struct Loss {  // of a run
  const char *name, *algorithm, *victim;
  const char* changes;
  bool exact;  // its last parameters are those of a run that was left alone
};

class GoesOnByItself : public LoopbackTest, public testing::WithParamInterface<Loss> {
 protected:
  GoesOnByItself() { ::setenv("PACELINE_RECORDER_IDLE_S", "0.1", 1); }

  RunSpec document() const {
    Json changes = {{"nodes", nodes(3, std::string_view(GetParam().algorithm) == "d_sgd" ? 0 : 1)}, {"checkpoint", {{"every_rounds", 40}}}, {"server_restarts", 0}, {"evaluate", {{"every_rounds", 50}}}, {"stop", {{"rounds", 300}}}};
    for (Json& node : changes["nodes"])
      if (node.value("role", "worker") == "worker") node["emulate"] = {{"step_s", 0.005}};  // it must not be over before its victim dies
    changes.merge_patch(Json::parse(GetParam().changes));
    return spec(GetParam().algorithm, changes);
  }
  recorder::Client desk() const { return recorder::Client(storePath(), {.inProcess = true}); }
  static recorder::Submission of(const RunSpec& spec) { return {.points = {{.name = spec.name, .spec = toJsonText(spec)}}}; }
  // The run that is the last of those that took the first one's place, once it has ended.
  static recorder::Entry last(recorder::Client& desk, std::string run, const std::function<void(const recorder::Entry&)>& saw = {}) {
    for (;;) {
      const std::vector<recorder::Entry> queue = desk.queue();
      if (const auto next = std::ranges::find(queue, run, &recorder::Entry::insteadOf); next != queue.end()) run = next->run;
      const auto now = std::ranges::find(queue, run, &recorder::Entry::run);
      if (saw) saw(*now);
      if (now->ended && std::ranges::find(queue, run, &recorder::Entry::insteadOf) == queue.end()) return *now;
      desk.next(0.02);
    }
  }
  std::string parametersOf(const std::string& run) const {
    for (const store::NoticeRow& notice : store::StoreReader(storePath()).notices(run))
      if (notice.record.reason == kParametersReason) return notice.record.text;
    return "";
  }
};

TEST_P(GoesOnByItself, FromItsNewestCheckpointToItsEnd) {
  recorder::Client client = desk();
  const RunSpec spec = document();
  std::string harmed;
  const std::string first = client.submit(of(spec)).at(0).run;
  const recorder::Entry end = last(client, first, [&](const recorder::Entry& entry) {
    if (!harmed.empty() || entry.progress.round < 90 || entry.progress.round > 250) return;
    const pid_t pid = pidOf(entry.run, GetParam().victim);
    if (pid > 0 && ::kill(pid, SIGKILL) == 0) harmed = entry.run;
  });
  EXPECT_EQ(harmed, first);
  EXPECT_EQ(row(first).state, store::RunState::kFailed);
  EXPECT_EQ(row(first).error, strCat(GetParam().victim, " was killed by signal 9 (SIGKILL)"));
  EXPECT_EQ(end.state, store::RunState::kFinished) << end.text;
  EXPECT_EQ(end.insteadOf, first);
  EXPECT_EQ(run::resumedFrom(row(end.run)), first);
  const std::vector<std::int64_t> rounds = roundsOf(end.run, "w0");
  ASSERT_EQ(rounds.size(), 300U);  // whole, those of before its checkpoint among them, and none twice
  EXPECT_EQ(rounds.front(), 1);
  EXPECT_EQ(rounds.back(), 300);
  if (GetParam().exact) {
    const recorder::Entry alone = last(client, client.submit(of(spec)).at(0).run);
    EXPECT_EQ(parametersOf(end.run).size(), 64U);
    EXPECT_EQ(parametersOf(end.run), parametersOf(alone.run));
  }
  expectNothingLeft();
}

INSTANTIATE_TEST_SUITE_P(Loopback, GoesOnByItself,
                         testing::Values(Loss{"the_coordinator", "ssgd", "w0", "{}", true}, Loss{"the_coordinator_of_esync", "esync", "w0", "{}", false}, Loss{"the_server", "ssgd", "s0", "{}", true},
                                         Loss{"the_server_of_asgd", "asgd", "s0", "{}", false}, Loss{"a_neighbour", "d_sgd", "w1", R"({"topology": {"id": "ring"}})", true},
                                         Loss{"of_a_ring", "ssgd", "w1", R"({"aggregation": {"id": "ring"}})", true}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace paceline::tests

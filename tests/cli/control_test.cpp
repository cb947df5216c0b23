// Runs that are stopped, from outside and by Ctrl-C.
#include <signal.h>

#include "tests/cli/program.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;

class Control : public Desk {
 protected:
  std::string slow(int rounds) {
    nlohmann::json spec = tinySpec();
    for (int worker : {1, 2}) spec["nodes"][static_cast<std::size_t>(worker)]["emulate"] = {{"step_s", 0.05}};
    spec["stop"] = {{"rounds", rounds}};
    return write("slow.json", spec.dump());
  }
  std::string endless() { return slow(1'000'000); }
};

TEST_F(Control, StopWorksWhileAnotherProcessHoldsTheStore) {
  const auto run = start({"run", endless(), "--json"});
  const std::string id = runInState("running");
  const Outcome stop = paceline({"stop", id});
  EXPECT_EQ(stop.code, 0) << stop.err;
  EXPECT_EQ(stop.out, "asked tiny to stop\n");
  const Outcome outcome = run->wait();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["runs"][0]["state"], "stopped");
  expectRefusal({"stop", id}, "tiny has already ended: stopped");
}

TEST_F(Control, CtrlCStopsTheRunInOrder) {
  const auto run = start({"run", endless(), "--json"});
  const std::string id = runInState("running");
  run->signal(SIGINT);
  const Outcome outcome = run->wait();
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("paceline: stopped on request\n"));
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["runs"][0]["state"], "stopped");
  EXPECT_EQ(json({"runs", "--json"})["runs"][0]["state"], "stopped");
}

TEST_F(Control, CtrlCEndsASuite) {
  const nlohmann::json suite = {{"base", nlohmann::json::parse(R"({})")}, {"vary", {{"/seed", {1, 2, 3}}}}};
  nlohmann::json document = suite;
  document["base"] = tinySpec();
  document["base"]["stop"] = {{"rounds", 1000000}};
  const auto run = start({"run", write("suite.json", document.dump()), "--json"});
  runInState("running");
  EXPECT_THAT(paceline({"queue"}).out, ::testing::ContainsRegex("tiny seed 2 +tiny +waiting"));  // its run and its own name
  run->signal(SIGINT);
  const Outcome outcome = run->wait();
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("paceline: stopped on request; 2 of 3 runs not begun, --resume goes on\n"));
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["runs"].size(), 1u);
}

TEST_F(Control, AKilledTerminalChangesNothing) {
  const auto run = start({"run", slow(60), "--json"});
  const std::string id = runInState("running");
  run->signal(SIGKILL);
  EXPECT_EQ(run->wait().code, 128 + SIGKILL);
  EXPECT_EQ(runInState("finished"), id);
  EXPECT_EQ(json({"summary", id, "--json"})["runs"][0]["rounds"], 60);
}

TEST_F(Control, ASecondCtrlCLeavesTheRunToTheRecorder) {
  const auto run = start({"run", endless(), "--json"});
  const std::string id = runInState("running");
  run->signal(SIGSTOP);  // takes both at once
  run->signal(SIGINT);
  run->signal(SIGTERM);
  run->signal(SIGCONT);
  EXPECT_EQ(run->wait().code, 130);
  EXPECT_EQ(paceline({"stop", id}).code == 0 || runInState("stopped") == id, true);
  EXPECT_EQ(runInState("stopped"), id);
}

TEST_F(Control, ARunWhoseRecorderWasKilledIsStaleUntilAttached) {
  ASSERT_EQ(paceline({"run", slow(60), "--detach"}).code, 0);
  const std::string id = runInState("running");
  ASSERT_EQ(::kill(recorderPid(), SIGKILL), 0);
  EXPECT_EQ(runInState("stale"), id);
  const Outcome attached = paceline({"attach", id, "--json"});
  EXPECT_EQ(attached.code, 0) << attached.err;
  EXPECT_EQ(nlohmann::json::parse(attached.out)["runs"][0]["state"], "finished");
  const auto summary = json({"summary", id, "--json"})["runs"][0];
  EXPECT_EQ(summary["rounds"], 60);
  EXPECT_EQ(summary["samples"], 60 * 2 * 20);  // nothing missing, nothing twice
}

TEST_F(Control, TheQueueIsListedOrderedAndEmptied) {
  ASSERT_EQ(paceline({"run", endless(), "--detach"}).code, 0);
  const std::string running = runInState("running");
  ASSERT_EQ(paceline({"run", writeSpec("a.json", {{"name", "a"}}), "--detach"}).code, 0);
  ASSERT_EQ(paceline({"run", writeSpec("b.json", {{"name", "b"}}), "--detach"}).code, 0);
  const std::string list = paceline({"queue"}).out;
  EXPECT_THAT(list, HasSubstr("waits for tiny on local"));
  EXPECT_LT(list.find("  a  "), list.find("  b  "));
  ASSERT_EQ(paceline({"queue", "up", "b"}).code, 0);
  const std::string moved = paceline({"queue", "list"}).out;
  EXPECT_LT(moved.find("  b  "), moved.find("  a  "));
  EXPECT_EQ(paceline({"queue", "remove", "a", "b"}).code, 0);
  expectRefusal({"queue", "remove", "a"}, "the queue has no run \"a\"; `paceline queue` lists what is there");
  EXPECT_EQ(paceline({"stop", running}).code, 0);
  EXPECT_EQ(runInState("stopped"), running);
  EXPECT_EQ(json({"runs", "--json"})["runs"].size(), 1u);
}

TEST_F(Control, ARunThatWaitsIsSaidToWaitWhereverItIsNamed) {
  ASSERT_EQ(paceline({"run", endless(), "--detach"}).code, 0);
  const std::string running = runInState("running");
  ASSERT_EQ(paceline({"run", writeSpec("a.json", {{"name", "a"}}), "--detach"}).code, 0);
  const std::string printed = paceline({"run", writeSpec("b.json", {{"name", "b"}}), "--detach"}).out, id = printed.substr(0, printed.find(' '));
  const std::string waits = "b (" + id + ") waits in the queue, at place 2 of 2; it has not begun, and `paceline queue` says why";
  for (const char* command : {"show", "attach", "summary"}) expectRefusal({command, id}, waits);
  expectRefusal({"show", "b"}, waits);
  EXPECT_EQ(paceline({"queue", "hold", "b"}).code, 0);
  EXPECT_THAT(paceline({"attach", "b"}).err, HasSubstr("b (" + id + ") is held in the queue, at place 2 of 2"));
  EXPECT_EQ(paceline({"queue", "remove", "a", "b"}).code, 0);
  expectRefusal({"show", id}, "no run \"" + id + "\" in " + store() + "; `paceline runs` lists what is there");
  EXPECT_EQ(paceline({"stop", running}).code, 0);
  EXPECT_EQ(runInState("stopped"), running);
}

TEST_F(Control, ASuiteIsHeldOrderedCancelledAndItsMissingRunsAreRun) {
  ASSERT_EQ(paceline({"run", endless(), "--detach"}).code, 0);
  const std::string running = runInState("running");
  nlohmann::json document = {{"base", tinySpec()}, {"vary", {{"/seed", {1, 2, 3}}}}};
  document["base"]["name"] = "sweep";
  ASSERT_EQ(paceline({"run", write("suite.json", document.dump()), "--detach"}).code, 0);
  ASSERT_EQ(paceline({"run", writeSpec("a.json", {{"name", "a"}}), "--detach"}).code, 0);
  const auto place = [this](const std::string& name) { return paceline({"queue"}).out.find("  " + name + "  "); };
  EXPECT_EQ(paceline({"queue", "move", "a", "--first"}).code, 0);
  EXPECT_LT(place("a"), place("sweep seed 1"));
  EXPECT_EQ(paceline({"queue", "move", "sweep", "--before", "a"}).code, 0);
  EXPECT_LT(place("sweep seed 3"), place("a"));
  EXPECT_EQ(paceline({"queue", "down", "sweep seed 3"}).code, 0);
  EXPECT_LT(place("a"), place("sweep seed 3"));
  EXPECT_EQ(paceline({"queue", "move", "a"}).code, 2);  // where to?
  EXPECT_THAT(paceline({"queue", "hold", "sweep"}).out, HasSubstr("sweep seed 3\n"));
  EXPECT_THAT(paceline({"queue", "suites"}).out, HasSubstr("3 held"));
  EXPECT_EQ(paceline({"queue", "go", "sweep seed 1"}).code, 0);
  EXPECT_THAT(paceline({"queue", "suites"}).out, HasSubstr("1 waiting, 2 held"));
  EXPECT_EQ(paceline({"queue", "remove", "sweep", "a"}).code, 0);
  EXPECT_THAT(paceline({"queue", "suites"}).out, HasSubstr("3 not run"));
  EXPECT_EQ(json({"queue", "missing", "sweep", "--json"})["runs"].size(), 3u);
  EXPECT_EQ(paceline({"queue", "missing", "sweep"}).out, "nothing of sweep is missing\n");
  EXPECT_EQ(paceline({"stop", running}).code, 0);
  ASSERT_EQ(paceline({"run", writeSpec("a.json", {{"name", "last"}}), "--json"}).code, 0);  // behind them
  const std::string cells = paceline({"queue", "suites", "sweep"}).out;
  for (int seed : {1, 2, 3}) EXPECT_THAT(cells, HasSubstr("sweep seed " + std::to_string(seed) + "  finished")) << cells;
  expectRefusal({"queue", "missing", "nosuch"}, "there is no suite \"nosuch\"; `paceline queue suites` lists what is there");
}

TEST_F(Control, NowRunsBesideAndInProcessNeedsNoOtherProcess) {
  ASSERT_EQ(paceline({"run", endless(), "--detach"}).code, 0);
  const std::string running = runInState("running");
  const auto beside = json({"run", writeSpec("tiny.json", {{"name", "beside"}}), "--now", "--json"});
  EXPECT_EQ(beside["runs"][0]["state"], "finished");
  EXPECT_EQ(paceline({"stop", running}).code, 0);
  EXPECT_EQ(runInState("stopped"), running);
  const auto inside = json({"run", writeSpec("tiny.json"), "--in-process", "--json", "--store", path("other.db")});
  EXPECT_EQ(inside["runs"][0]["state"], "finished");
}

}  // namespace
}  // namespace paceline::tests

// Searches as a stranger runs them: in virtual time, where everything is deterministic, and with processes.
#include <signal.h>

#include "tests/cli/program.h"

namespace paceline::tests {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

class Searched : public Desk {
 protected:
  Json suite(const Json& search, const Json& changes = Json::object()) {
    Json base = tinySpec();
    base["name"] = "rates";
    base.merge_patch(changes);
    Json document = {{"base", base}, {"search", {{"over", {{"/algorithm/params/learning_rate", {{"from", 0.0001}, {"to", 1}, {"scale", "log"}}}}}, {"budget", {{"runs", 8}}}}}};
    document["search"].merge_patch(search);
    return document;
  }
  static std::vector<std::string> valuesOf(const Json& search) {
    std::vector<std::string> values;
    for (const Json& point : search["points"]) values.push_back(point["values"]["learning_rate"]);
    return values;
  }
  // Without what names the runs.
  static Json course(Json search) {
    search.erase("suite");
    for (Json& point : search["points"]) point.erase("runs");
    search["sentence"] = "";  // says how long it took on this computer
    return search;
  }
};

TEST_F(Searched, TriesAsManyRunsAsItsBudgetAndSaysWhichIsBest) {
  const std::string file = write("s.json", suite(Json::object()).dump());
  const Json search = json({"simulate", file, "--json"})["search"];
  EXPECT_EQ(search["points"].size(), 8u);
  EXPECT_TRUE(search["ended"]);
  ASSERT_TRUE(search["best"].is_number());
  EXPECT_EQ(search["goal"], "last accuracy");
  double most = 0;
  for (const Json& point : search["points"]) {
    EXPECT_EQ(point["state"], "done");
    const Json run = json({"summary", point["runs"][0].get<std::string>(), "--json"})["runs"][0];
    most = std::max(most, run["accuracy_last"].get<double>());
    EXPECT_NEAR(std::stod(point["result"].get<std::string>()), 100 * run["accuracy_last"].get<double>(), 0.06);  // percent of three digits
  }
  const std::size_t best = search["best"];
  EXPECT_NEAR(std::stod(search["points"][best]["result"].get<std::string>()), 100 * most, 0.06);
  EXPECT_THAT(search["sentence"].get<std::string>(), HasSubstr("The best of 8 points is learning_rate " + valuesOf(search)[best] + ": "));
  EXPECT_THAT(search["points"][7]["why"].get<std::string>(), HasSubstr("times as likely among them"));
  EXPECT_EQ(json({"runs", "--json"})["runs"].size(), 8u);
}

TEST_F(Searched, IsTheSameEachTimeInVirtualTime) {
  const std::string file = write("s.json", suite({{"halving", {{"first", 2}, {"eta", 2}}}, {"at_once", 2}}).dump());
  const Json first = json({"simulate", file, "--json"})["search"];
  forgetStore();
  EXPECT_EQ(course(json({"simulate", file, "--json"})["search"]).dump(), course(first).dump());
}

TEST_F(Searched, StopsWhatFallsBehindAndDoesNotCallItFailed) {
  const std::string file = write("s.json", suite({{"method", "random"}, {"budget", {{"runs", 12}}}, {"halving", {{"first", 2}, {"eta", 2}}}}, {{"stop", {{"rounds", 40}}}}).dump());
  const Json search = json({"simulate", file, "--json"})["search"];
  int stopped = 0;
  for (const Json& point : search["points"]) {
    const Json run = json({"show", point["runs"][0].get<std::string>(), "--json"})["run"];
    if (point["state"] != "given up") continue;
    ++stopped;
    EXPECT_EQ(run["state"], "stopped");
    EXPECT_EQ(run["reason"], "search");
    EXPECT_THAT(run["error"].get<std::string>(), HasSubstr("below the best half after "));
    EXPECT_EQ(run["error"], point["note"]);
  }
  EXPECT_GT(stopped, 2);
  EXPECT_THAT(search["sentence"].get<std::string>(), HasSubstr(std::to_string(stopped) + " stopped early"));
  EXPECT_THAT(paceline({"queue", "missing", "rates"}).err, HasSubstr("suite rates is searched: nothing of it is missing"));
  EXPECT_THAT(paceline({"queue", "suites", "rates"}).out, HasSubstr("given up"));
}

TEST_F(Searched, RunsEveryPointWithAllItsSeeds) {
  Json document = suite({{"budget", {{"runs", 5}}}});
  document["vary"] = {{"/seed", {1, 2}}};
  const Json search = json({"simulate", write("s.json", document.dump()), "--json"})["search"];
  ASSERT_EQ(search["points"].size(), 2u);  // a third one would need six runs
  for (const Json& point : search["points"]) EXPECT_EQ(point["runs"].size(), 2u);
}

TEST_F(Searched, RunsProcessesOneAfterTheOther) {
  const Outcome outcome = paceline({"run", write("s.json", suite({{"budget", {{"runs", 3}}}}).dump())});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("learning_rate"));
  EXPECT_THAT(outcome.out, HasSubstr("The best of 3 points is learning_rate "));
  EXPECT_THAT(outcome.err, HasSubstr("[3/3] rates learning_rate "));
}

TEST_F(Searched, GoesOnWhenItsRecorderWasKilled) {
  const Json changes = {{"stop", {{"rounds", 20}}}, {"nodes", tinySpec()["nodes"]}};
  Json document = suite({{"budget", {{"runs", 4}}}}, changes);
  for (int worker : {1, 2}) document["base"]["nodes"][static_cast<std::size_t>(worker)]["emulate"] = {{"step_s", 0.03}};
  const auto program = start({"run", write("s.json", document.dump()), "--json"});
  for (int kills = 0; kills < 2; ++kills) {
    runInState("running");
    if (const pid_t recorder = recorderPid(); recorder > 0) ::kill(recorder, SIGKILL);
  }
  const Outcome outcome = program->wait();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const Json search = Json::parse(outcome.out)["search"];
  ASSERT_EQ(search["points"].size(), 4u) << outcome.out;
  for (const Json& point : search["points"]) EXPECT_EQ(point["state"], "done");
  EXPECT_EQ(json({"runs", "--json"})["runs"].size(), 4u);
}

TEST_F(Searched, IsHeldLetGoAndEnded) {
  Json document = suite({{"budget", {{"runs", 50}}}}, {{"stop", {{"rounds", 30}}}});
  for (int worker : {1, 2}) document["base"]["nodes"][static_cast<std::size_t>(worker)]["emulate"] = {{"step_s", 0.02}};
  ASSERT_EQ(paceline({"run", write("s.json", document.dump()), "--detach"}).code, 0);
  runInState("running");
  ASSERT_EQ(paceline({"queue", "hold", "rates"}).code, 0);
  runInState("finished");
  const Json held = json({"search", "rates", "--json"})["search"];
  EXPECT_TRUE(held["held"]);
  EXPECT_THAT(held["sentence"].get<std::string>(), HasSubstr("Held: no further run begins until it is let go."));
  const std::size_t tried = held["points"].size();
  ASSERT_EQ(paceline({"queue", "go", "rates"}).code, 0);
  runInState("running");
  ASSERT_EQ(paceline({"queue", "remove", "rates"}).code, 0);
  const Json ended = json({"search", "rates", "--json"})["search"];
  EXPECT_TRUE(ended["ended"]);
  EXPECT_GT(ended["points"].size(), tried);
  EXPECT_THAT(ended["sentence"].get<std::string>(), testing::EndsWith("Ended on request."));
}

TEST_F(Searched, ValidateSaysWhatItWillDoAndWhatIsWrong) {
  const std::string file = write("s.json", suite({{"halving", {{"first", 2}, {"eta", 2}}}}).dump());
  EXPECT_EQ(paceline({"validate", file}).out, file + ": valid, a search: 8 runs for last accuracy, bayesian, the best 1/2 go on after 2, 4, ... rounds\n");
  const Outcome bad = paceline({"validate", file, "--set", "/search/goal=fastest"});
  EXPECT_EQ(bad.code, 1);
  EXPECT_EQ(bad.out, file + ": /search/goal: \"goal\" must be time_to_target, accuracy_last, accuracy_best or samples_per_s; it is \"fastest\".\n");
  const Outcome range = paceline({"validate", file, "--set", "/search/over/~1algorithm~1params~1learning_rate/from=-1", "--set", "/search/over/~1algorithm~1params~1learning_rate/scale=linear"});
  EXPECT_EQ(range.code, 1);
  EXPECT_THAT(range.out, HasSubstr("/algorithm/params/learning_rate"));  // the range's lower end is checked
}

TEST_F(Searched, DoesNotTakeOverWhatFinished) {
  const Outcome outcome = paceline({"simulate", write("s.json", suite(Json::object()).dump()), "--resume"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "paceline: --resume does not go with a search: which points it tries follows from what they give\n");
}

}  // namespace
}  // namespace paceline::tests

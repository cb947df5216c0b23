// What helps to begin: templates with comments, completion in real shells, manual pages, `-`, suites where runs are meant, stores that are not there.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/cli/program.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using Json = nlohmann::json;

class Beginner : public Desk {
 protected:
  std::vector<std::string> templates() const {
    std::vector<std::string> ids;
    for (const auto& each : std::filesystem::directory_iterator(PACELINE_SOURCE_DIR "/resources/presets"))
      if (each.path().extension() == ".json") ids.push_back(each.path().stem());
    return ids;
  }
  // What Bash offers behind these words; the last is being typed.
  std::string offered(const std::string& words) {
    const Outcome told = shell("bash -c 'PATH=$(dirname \"$PACELINE\"):$PATH; source <(paceline completion bash); COMP_WORDS=(paceline " + words +
                               "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); compopt() { :; }; _paceline paceline; printf \"%s \" \"${COMPREPLY[@]}\"'");
    EXPECT_EQ(told.code, 0) << told.err;
    return " " + told.out;
  }
};

TEST_F(Beginner, EveryTemplateSaysWithCommentsWhatItSaysWithout) {
  const std::vector<std::string> ids = templates();
  ASSERT_GT(ids.size(), 8U);
  const std::string list = paceline({"new", "--list"}).out;
  for (const std::string& id : ids) {
    const Outcome written = paceline({"new", id});
    ASSERT_EQ(written.code, 0) << written.err;
    EXPECT_THAT(written.out, HasSubstr("// "));
    std::ifstream file(PACELINE_SOURCE_DIR "/resources/presets/" + id + ".json");
    EXPECT_EQ(Json::parse(written.out, nullptr, true, true), Json::parse(file)) << id;
    EXPECT_THAT(list, HasSubstr(id + " "));
  }
}

TEST_F(Beginner, ADocumentIsWrittenCheckedAndRunThroughPipes) {
  const std::string file = path("first.json");
  ASSERT_EQ(paceline({"new", "-o", file}).code, 0);
  EXPECT_THAT(paceline({"validate", file}).out, HasSubstr("first.json: valid, a run"));
  expectRefusal({"new", "-o", file}, file + " exists; nothing was written");
  const Outcome checked = shell("\"$PACELINE\" new | \"$PACELINE\" validate -");
  EXPECT_EQ(checked.out, "standard input: valid, a run\n") << checked.err;
  const Outcome wrong = shell("echo '{\"paceline\": 1, \"batch_size\": -4}' | \"$PACELINE\" run -");
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.err, StartsWith("paceline: standard input: /"));
  const Outcome ran = shell("\"$PACELINE\" new | \"$PACELINE\" simulate - --name piped");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("standard input: assumed: a step of w0, w1 takes 0.1 s"));
  EXPECT_EQ(json({"show", "piped", "--json"})["run"]["state"], "finished");
  const Outcome unknown = paceline({"new", "nothing"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, StartsWith("paceline: no template \"nothing\"; have "));
}

TEST_F(Beginner, AWordThatIsNoCommandIsNamedWithTheNearest) {
  const auto usage = [this](const std::vector<std::string>& words) {
    const Outcome outcome = paceline(words);
    EXPECT_EQ(outcome.code, 2);
    return outcome.err;
  };
  EXPECT_EQ(usage({"runz"}), "paceline: \"runz\" is no command of paceline; the nearest is \"runs\" (paceline --help)\n");
  EXPECT_EQ(usage({"sumary", "--json"}), "paceline: \"sumary\" is no command of paceline; the nearest is \"summary\" (paceline --help)\n");
  EXPECT_EQ(usage({"hosts", "chek"}), "paceline: \"chek\" is no command of paceline hosts; the nearest is \"check\" (paceline hosts --help)\n");
  EXPECT_EQ(usage({"queue", "foo"}), "paceline: \"foo\" is no command of paceline queue; the nearest is \"go\" (paceline queue --help)\n");
  EXPECT_EQ(usage({}), "paceline: A subcommand is required (paceline --help)\n");
  EXPECT_EQ(usage({"show"}), "paceline: run is required (paceline show --help)\n");
  EXPECT_EQ(usage({"summary"}), "paceline: runs is required (paceline summary --help)\n");
}

TEST_F(Beginner, NewExplainsEveryMemberThatItNames) {
  const std::string written = paceline({"new"}).out;
  EXPECT_THAT(written, HasSubstr("// /optimizer/beta1: Of adam and adamw: "));
  EXPECT_THAT(written, Not(HasSubstr(": \n  //")));
}

TEST_F(Beginner, CompletionKnowsCommandsOptionsValuesAndWhatThereIs) {
  ASSERT_EQ(paceline({"simulate", writeSpec("s.json"), "--name", "mine"}).code, 0);
  EXPECT_THAT(offered("su"), HasSubstr(" summary "));
  EXPECT_THAT(offered("summary --form"), HasSubstr(" --format "));
  EXPECT_THAT(offered("summary --format \"\""), HasSubstr(" latex "));
  EXPECT_THAT(offered("summary --format = l"), ::testing::StrEq(" latex "));
  EXPECT_THAT(offered("hosts d"), HasSubstr(" deploy "));
  EXPECT_THAT(offered("figure accu"), HasSubstr(" accuracy "));
  EXPECT_THAT(offered("figure accuracy mi"), ::testing::StrEq(" mine "));
  EXPECT_THAT(offered("why \"\""), HasSubstr(" mine "));
  EXPECT_THAT(offered("why mine \"\""), Not(HasSubstr("mine"))) << "it takes one";
  EXPECT_THAT(offered("new --list es"), HasSubstr(" esync_heterogeneous "));
  EXPECT_THAT(offered("run " + path("s.js")), HasSubstr(path("s.json")));
  EXPECT_THAT(offered("nothing \"\""), ::testing::StrEq("  ")) << "there is no such command";
}

TEST_F(Beginner, WhatIsInstalledBesideTheProgramsComesFromThem) {
  const std::string folder = path("share");
  ASSERT_EQ(paceline({"__share", folder, std::string(PACELINE_SOURCE_DIR) + "/resources/manual"}).code, 0);
  const Json commands = [&] {
    Json all = Json::array();
    for (const auto& each : std::filesystem::directory_iterator(folder + "/man/man1")) all.push_back(each.path().filename());
    return all;
  }();
  EXPECT_GT(commands.size(), 30U);
  EXPECT_TRUE(std::filesystem::exists(folder + "/man/man5/paceline-experiment.5"));
  for (const char* made : {"/bash-completion/completions/paceline", "/zsh/site-functions/_paceline", "/fish/vendor_completions.d/paceline.fish", "/paceline/experiment.schema.json"})
    EXPECT_TRUE(std::filesystem::exists(folder + made)) << made;
  for (const char* chapter : {"manual", "tutorial", "fields"}) EXPECT_TRUE(std::filesystem::exists(folder + "/man/man7/paceline-" + chapter + ".7")) << chapter;
  std::ifstream run(folder + "/man/man1/paceline-run.1");
  const std::string page{std::istreambuf_iterator<char>(run), {}};
  EXPECT_THAT(page, HasSubstr("\\fB\\-\\-detach\\fR"));
  EXPECT_THAT(page, HasSubstr("\\fISPEC.json\\fR"));
}

TEST_F(Beginner, EachCommandsPageHasWhatTheManualSaysOfItAndIsCleanToMandoc) {
  const std::string folder = path("share");
  ASSERT_EQ(paceline({"__share", folder, std::string(PACELINE_SOURCE_DIR) + "/resources/manual"}).code, 0);
  for (const auto& each : std::filesystem::directory_iterator(folder + "/man/man1")) {
    std::ifstream file(each.path());
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    EXPECT_THAT(page, HasSubstr("(7)")) << each.path();
    EXPECT_THAT(page, HasSubstr(".SH EXIT STATUS\n")) << each.path();
  }
  std::ifstream backup(folder + "/man/man1/paceline-backup.1");
  const std::string page{std::istreambuf_iterator<char>(backup), {}};
  EXPECT_THAT(page, HasSubstr("paceline backup copies \\-\\-keep 7\n"));
  EXPECT_THAT(page, HasSubstr(".BR paceline\\-formats (7)"));
  if (shell("command -v mandoc").code != 0) GTEST_SKIP() << "mandoc is not here";
  EXPECT_EQ(shell("mandoc -T lint " + folder + "/man/man*/* | grep -v 'missing date'").out, "");
}

TEST_F(Beginner, ASuiteStandsForItsRuns) {
  const Json suite = {{"base", tinySpec()}, {"vary", {{"/seed", {1, 2}}}}};
  ASSERT_EQ(paceline({"simulate", write("suite.json", suite.dump()), "--name", "seeds"}).code, 0);
  EXPECT_EQ(json({"summary", "seeds"})["runs"].size(), 2U);
  EXPECT_THAT(paceline({"diff", "seeds"}).out, HasSubstr("/seed"));
  ASSERT_EQ(paceline({"tag", "seeds", "--add", "good", "--add", "two"}).code, 0);
  ASSERT_EQ(paceline({"tag", "seeds", "-r", "two"}).code, 0);
  for (const Json& run : json({"runs", "--json"})["runs"]) EXPECT_EQ(run["tags"], Json::array({"good"}));
  EXPECT_EQ(paceline({"tag", "seeds", "--add", "a,b"}).code, 2);
  const Outcome none = paceline({"summary", "sees"});
  EXPECT_EQ(none.err, "paceline: no run \"sees\" in " + store() + "; `paceline runs` lists what is there\n");
  const std::string id = json({"runs", "--json"})["runs"][0]["id"];
  ASSERT_EQ(paceline({"note", id, "first line"}).code, 0);
  ASSERT_EQ(paceline({"note", id, "second", "--append"}).code, 0);
  ASSERT_EQ(paceline({"rename", id, "the newest"}).code, 0);
  const std::string shown = paceline({"show", "the newest"}).out;
  EXPECT_THAT(shown, HasSubstr("first line"));
  EXPECT_THAT(shown, HasSubstr("second"));
  EXPECT_EQ(paceline({"diff", id}).code, 2);
}

TEST_F(Beginner, CopiesOfTheStoreAreCheckedAndTheNewestStay) {
  ASSERT_EQ(paceline({"simulate", writeSpec("s.json"), "--name", "mine"}).code, 0);
  const std::string copies = path("copies");
  std::filesystem::create_directory(copies);
  for (const char* older : {"/paceline-20250101T000000Z.db", "/paceline-20250102T000000Z.db", "/notes.txt"}) std::ofstream(copies + older) << "x";
  const Outcome made = paceline({"backup", copies, "--keep", "2"});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr(": 1 run, "));
  EXPECT_THAT(made.out, HasSubstr("removed " + copies + "/paceline-20250101T000000Z.db\n"));
  EXPECT_TRUE(std::filesystem::exists(copies + "/notes.txt"));
  EXPECT_TRUE(std::filesystem::exists(copies + "/paceline-20250102T000000Z.db"));
  const std::string copy = made.out.substr(0, made.out.find(": "));
  EXPECT_EQ(json({"runs", "--json", "--store", copy})["runs"], json({"runs", "--json"})["runs"]);
  expectRefusal({"backup", copy}, copy + " exists; nothing was written");
  EXPECT_THAT(paceline({"backup"}).out, HasSubstr("no copies are made by themselves"));
  EXPECT_EQ(paceline({"backup", "--every", "24"}).code, 2);
  const std::string planned = path("planned");
  ASSERT_EQ(paceline({"backup", planned, "--every", "24", "--keep", "3"}).code, 0);
  for (const auto& each : std::filesystem::directory_iterator(planned)) std::filesystem::remove(each.path());
  ASSERT_EQ(paceline({"simulate", write("again.json", tinySpec().dump())}).code, 0);
  std::string told;
  for (int looks = 0; looks < 200 && told.find("the newest: 20") == std::string::npos; ++looks) told = paceline({"backup"}).out;  // its recorder copies when a run has ended, a moment later
  EXPECT_THAT(told, HasSubstr("older than 24 h the store is copied into " + planned + ", of whose copies the newest 3 stay; the newest: 20"));
  EXPECT_THAT(paceline({"backup", "--never"}).out, HasSubstr("no copies are made by themselves"));
}

TEST_F(Beginner, TheTableOfAPaper) {
  const Json suite = {{"base", tinySpec()}, {"vary", {{"/algorithm/id", {"ssgd", "asgd"}}, {"/seed", {1, 2}}}}};
  ASSERT_EQ(paceline({"simulate", write("suite.json", suite.dump()), "--name", "both"}).code, 0);
  const std::string table = paceline({"summary", "both", "--format", "latex", "--over", "ssgd", "--columns", "best_accuracy,speedup_samples"}).out;
  EXPECT_THAT(table, HasSubstr("Configuration & Model & Runs & Best accuracy (\\%) & Speed-up in samples/s \\\\\n"));
  EXPECT_THAT(table, HasSubstr("% Best accuracy: the best of "));
  EXPECT_THAT(table, HasSubstr(" & 2 & "));
  EXPECT_EQ(paceline({"summary", "both", "--columns", "best_accuracy"}).code, 2);
  const Outcome unknown = paceline({"summary", "both", "--format", "latex", "--columns", "best"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, StartsWith("paceline: no column \"best\"; have best_accuracy, "));
}

TEST_F(Beginner, AQuietRunSaysItsTableAlone) {
  const Outcome quiet = paceline({"simulate", writeSpec("s.json"), "-q"});
  EXPECT_EQ(quiet.code, 0);
  EXPECT_EQ(quiet.err, "");
  EXPECT_THAT(quiet.out, HasSubstr("\nSSGD "));
  const Outcome wrong = paceline({"run", path("none.json"), "-q"});
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.err, StartsWith("paceline: "));
}

TEST_F(Beginner, AStoreThatWasNamedAndIsNotThereIsRefused) {
  expectRefusal({"runs", "--store", path("typo.db")}, "there is no store " + path("typo.db") + "; `paceline run` and `paceline import` make one");
  EXPECT_FALSE(std::filesystem::exists(path("typo.db")));
  EXPECT_EQ(paceline({"validate", writeSpec("s.json"), "--store", path("typo.db")}).code, 0) << "it needs none";
  EXPECT_EQ(paceline({"runs"}).code, 0) << "the default one may be empty";
  EXPECT_EQ(paceline({"simulate", writeSpec("s.json"), "--store", path("new.db"), "--in-process"}).code, 0);
  EXPECT_EQ(paceline({"runs", "--store", path("new.db")}).code, 0);
}

}  // namespace
}  // namespace paceline::tests

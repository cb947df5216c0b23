// paceline hosts ... with machines behind a real sshd.
#include "tests/cli/program.h"
#include "tests/ssh/sshd_fixture.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

class HostsOverSsh : public Desk {
 protected:
  void SetUp() override {
    if (const std::string why = tests::noTestSshd(); !why.empty()) GTEST_SKIP() << why;
    environment_["PACELINE_HOSTS"] = path("hosts.json");
    environment_["HOME"] = path("");  // no ~/.ssh of its own
    environment_["SSH_AUTH_SOCK"] = "";
  }
  void add(const std::string& name, const tests::TestSshd& machine, const std::string& knownHosts = "") {
    const hosts::HostEntry entry = machine.entry();
    const Outcome outcome = paceline({"hosts", "add", name, "--address", entry.address, "--port", std::to_string(entry.port), "--user", entry.user, "--identity", entry.identity, "--known-hosts",
                                      knownHosts.empty() ? entry.knownHosts : knownHosts});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
  }
};

TEST_F(HostsOverSsh, AHostIsCheckedDeployedToListedAndCleaned) {
  tests::TestSshd machine;
  add("gpu1", machine);
  const auto checked = json({"hosts", "check", "gpu1", "--json"})["hosts"].at(0);
  EXPECT_NE(checked["state"], "bad") << checked.dump(2);
  EXPECT_GE(checked["lines"].size(), 16U);

  const auto sent = json({"hosts", "deploy", "gpu1", "--json"})["hosts"].at(0);
  EXPECT_EQ(sent["error"], "");
  EXPECT_GT(sent["bytes"], 0);
  EXPECT_LT(sent["sent_bytes"], sent["bytes"]);
  EXPECT_THAT(paceline({"hosts", "deploy", "gpu1"}).out, StartsWith("gpu1: all was there already, in " + machine.home().string()));

  const auto listed = json({"hosts", "list", "gpu1", "--disk", "--json"})["hosts"].at(0);
  ASSERT_EQ(listed["disk"]["versions"].size(), 1U) << listed["disk"].dump(2);
  EXPECT_EQ(listed["disk"]["versions"][0]["current"], true);
  EXPECT_GT(listed["speed_gflops"], 0);
  EXPECT_GE(listed["cpus"], 1);

  const auto cleaned = json({"hosts", "clean", "gpu1", "--versions", "--spools", "--json"})["hosts"].at(0);
  EXPECT_GT(cleaned["freed_bytes"], 0);
  EXPECT_EQ(cleaned["in_use_bytes"], 0);
  EXPECT_TRUE(json({"hosts", "list", "gpu1", "--disk", "--json"})["hosts"].at(0)["disk"]["versions"].empty());
}

TEST_F(HostsOverSsh, OneThatCannotBeReachedDoesNotKeepTheOthersFromBeingUsed) {
  tests::TestSshd good, gone;
  add("good", good), add("gone", gone);
  gone.crash();
  const Outcome outcome = paceline({"hosts", "check", "good", "gone", "--json"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err, "paceline: this host cannot be used: gone\n");
  const auto hosts = nlohmann::json::parse(outcome.out)["hosts"];
  EXPECT_NE(hosts[0]["state"], "bad");
  EXPECT_EQ(hosts[1]["state"], "bad");
  EXPECT_EQ(hosts[1]["lines"][0]["state"], "bad");
  EXPECT_EQ(hosts[1]["lines"][5]["state"], "skipped");
}

TEST_F(HostsOverSsh, AnUnknownKeyIsTrustedOnlyWhenSomebodySaysYes) {
  tests::TestSshd machine;
  add("new", machine, path("known_hosts"));
  const Outcome nobody = paceline({"hosts", "deploy", "new"});
  EXPECT_EQ(nobody.code, 1);
  EXPECT_THAT(nobody.err, HasSubstr("SHA256:"));
  const std::string no = write("no", "#!/bin/sh\necho no\n"), yes = write("yes", "#!/bin/sh\ncase $1 in *SHA256:*) echo yes;; esac\n");
  shell("chmod +x '" + no + "' '" + yes + "'");
  environment_["PACELINE_ASKPASS"] = no;
  EXPECT_EQ(paceline({"hosts", "deploy", "new"}).err, nobody.err);
  environment_["PACELINE_ASKPASS"] = yes;
  EXPECT_EQ(paceline({"hosts", "deploy", "new"}).code, 0);
  environment_["PACELINE_ASKPASS"] = no;  // known from now on
  EXPECT_EQ(paceline({"hosts", "deploy", "new"}).code, 0);
}

TEST_F(HostsOverSsh, LinksAreAMatrix) {
  tests::TestSshd a({.name = "a", .address = "127.0.0.11"}), b({.name = "b", .address = "127.0.0.12"});
  add("a", a), add("b", b);
  const Outcome outcome = paceline({"hosts", "links", "a", "b"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, MatchesRegex("from . to +a +b\na +\\. +[0-9.]+ Mbit/s, [0-9.]+ ms\nb +[0-9.]+ Mbit/s, [0-9.]+ ms +\\.\n"));
  const auto last = json({"hosts", "links", "a", "b", "--last", "--json"})["links"];
  ASSERT_EQ(last.size(), 2U);
  EXPECT_TRUE(last[0]["reachable"].get<bool>());
}

TEST_F(HostsOverSsh, ARunGoesToListedHosts) {
  tests::TestSshd a({.name = "a", .address = "127.0.0.13"});
  add("a", a);
  const std::string placed = path("placed.json");
  EXPECT_EQ(paceline({"hosts", "place", writeSpec("spec.json"), "--hosts", "a", "-o", placed}).code, 0);
  const auto runs = json({"run", placed, "--json"})["runs"];
  EXPECT_EQ(runs[0]["state"], "finished") << runs.dump();
  for (const auto& node : json({"show", runs[0]["id"], "--json"})["summary"]["nodes"]) EXPECT_EQ(node["host"], "a");
}

}  // namespace
}  // namespace paceline::tests

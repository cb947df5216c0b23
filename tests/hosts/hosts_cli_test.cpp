// paceline hosts ...: the list as a person keeps it, and one sentence for every mistake.
#include <filesystem>
#include <fstream>

#include "tests/cli/program.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Hosts : public Desk {
 protected:
  Hosts() { environment_["PACELINE_HOSTS"] = path("hosts.json"); }

  void add(const std::vector<std::string>& arguments) {
    std::vector<std::string> words = {"hosts", "add"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const Outcome outcome = paceline(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
  }
  void expectUsage(const std::vector<std::string>& arguments, const std::string& reason) {
    const Outcome outcome = paceline(arguments);
    EXPECT_EQ(outcome.err, "paceline: " + reason + "\n");
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.code, 2);
  }
  nlohmann::json listed(const std::string& name) {
    const nlohmann::json document = json({"hosts", "list", "--json"});
    for (const auto& host : document["hosts"])
      if (host["name"] == name) return host;
    return nullptr;
  }
};

TEST_F(Hosts, ThisComputerIsAlwaysThereWithWhatItHas) {
  const auto local = listed("local");
  EXPECT_EQ(local["kind"], "local");
  EXPECT_GE(local["cpus"], 1);
  EXPECT_GT(local["memory_total_bytes"], 0);
  EXPECT_FALSE(std::filesystem::exists(path("hosts.json")));
  EXPECT_THAT(paceline({"hosts", "list"}).out, HasSubstr("this computer"));
}

TEST_F(Hosts, AddedHostsKeepAllThatWasSaidOfThem) {
  const std::string key = write("id_test", "not read here");
  add({"gate", "--address", "10.0.0.1", "--port", "2222"});
  add({"gpu1", "--address", "10.0.0.5", "--user", "ann", "--identity", key, "--jump", "gate", "--known-hosts", path("known"), "--accept-new-key", "--data-address", "10.1.0.5",
       "--libraries", "/opt/libtorch/lib", "--env", "A=1=2", "--env", "B="});
  const auto host = listed("gpu1");
  EXPECT_EQ(host["kind"], "ssh");
  EXPECT_EQ(host["user"], "ann");
  EXPECT_EQ(host["identity"], key);
  EXPECT_EQ(host["jump"], "gate");
  EXPECT_EQ(host["accept_new_key"], true);
  EXPECT_EQ(host["data_address"], "10.1.0.5");
  EXPECT_EQ(host["libraries"], "/opt/libtorch/lib");
  EXPECT_EQ(host["env"], (nlohmann::json{{"A", "1=2"}, {"B", ""}}));
  EXPECT_EQ(host["state"], "not checked");
  EXPECT_EQ(listed("gate")["port"], 2222);
}

TEST_F(Hosts, AnAddressDefaultsToTheName) {
  add({"gpu7"});
  EXPECT_EQ(listed("gpu7")["address"], "gpu7");
}

TEST_F(Hosts, ASlurmHostHasOptionsForSbatch) {
  add({"lab", "--kind", "slurm", "--slurm=--partition=gpu", "--slurm=--gres=gpu:1"});
  EXPECT_EQ(listed("lab")["slurm"], (nlohmann::json{"--partition=gpu", "--gres=gpu:1"}));
  EXPECT_EQ(listed("lab")["address"], "");
}

TEST_F(Hosts, TheNodesOfOneJobAreHostsOfTheirOwn) {
  add({"lab", "--kind", "slurm", "--nodes", "3", "--partition", "gpu", "--time", "2:00:00"});
  EXPECT_EQ(listed("lab"), nullptr);
  for (int i = 0; i < 3; ++i) {
    const auto host = listed("lab" + std::to_string(i));
    EXPECT_EQ(host["job"], "lab");
    EXPECT_EQ(host["job_nodes"], 3);
    EXPECT_EQ(host["job_node"], i);
    EXPECT_EQ(host["slurm"], (nlohmann::json{"--partition=gpu", "--time=2:00:00"}));
  }
  expectUsage({"hosts", "add", "a", "--nodes", "3"}, "--nodes, --partition and --time are for hosts of --kind slurm");
  expectUsage({"hosts", "add", "a", "--kind", "slurm", "--nodes", "3", "--count", "2"}, "--nodes are those of one job, --count makes hosts of their own: one of them");
}

TEST_F(Hosts, WhateverACommandGivesAShellOnIsAHost) {
  add({"pod", "--command", "kubectl exec -i web-{n} --", "--count", "3", "--data-address", "10.0.0.{n}"});
  EXPECT_EQ(listed("pod2")["kind"], "exec");
  EXPECT_EQ(listed("pod2")["command"], "kubectl exec -i web-2 --");
  EXPECT_EQ(listed("pod2")["data_address"], "10.0.0.2");
  EXPECT_THAT(paceline({"hosts", "list"}).out, HasSubstr("kubectl exec -i web-0 --"));
  expectUsage({"hosts", "add", "box", "--kind", "exec"}, "host \"box\": has no command that gives a shell there, such as \"docker exec -i box\"");
  expectUsage({"hosts", "add", "box", "--kind", "ssh", "--command", "x"}, "host \"box\": a command is for hosts of kind exec; its kind is ssh");
  expectUsage({"hosts", "add", "box", "--command", "x", "--jump", "pod0"}, "host \"box\": is reached by its command, so it has no jump host");
}

TEST_F(Hosts, AnEntryIsWrittenAnewOnlyOnRequest) {
  add({"a", "--address", "10.0.0.1"});
  expectRefusal({"hosts", "add", "a", "--address", "10.0.0.2"}, "host \"a\" is there already; --replace writes it anew");
  add({"a", "--address", "10.0.0.2", "--replace"});
  EXPECT_EQ(listed("a")["address"], "10.0.0.2");
}

TEST_F(Hosts, RemovedHostsAreGone) {
  add({"a"}), add({"b", "--jump", "a"});
  expectRefusal({"hosts", "remove", "a"}, "host \"a\" stays: host \"b\" jumps over it");
  EXPECT_EQ(paceline({"hosts", "remove", "b"}).code, 0);
  EXPECT_EQ(paceline({"hosts", "remove", "a"}).code, 0);
  EXPECT_EQ(listed("a"), nullptr);
  expectRefusal({"hosts", "remove", "a"}, "host \"a\" is not known; have local");
  expectRefusal({"hosts", "remove", "local"}, "\"local\" is this computer and stays in the list");
}

TEST_F(Hosts, BadEntriesHaveOneSentence) {
  expectUsage({"hosts", "add", "a b"}, "--address: \"a b\" is no host name or IP address");
  expectUsage({"hosts", "add", "a", "--address", "-oProxyCommand=reboot"}, "--address: \"-oProxyCommand=reboot\" is no host name or IP address");
  expectUsage({"hosts", "add", "a", "--jump", "b"}, "host \"a\": jump host \"b\" is not known; have local");
  expectUsage({"hosts", "add", "a", "--data-address", "0.0.0.0"},
              "host \"a\": data address 0.0.0.0 means every interface; name the one that carries the runs' traffic");
  expectUsage({"hosts", "add", "a", "--env", "=x"}, "--env \"=x\" is not NAME=VALUE");
  expectUsage({"hosts", "add", "a", "--slurm=--partition=x"}, "--slurm is for hosts of --kind slurm");
  expectUsage({"hosts", "add", "a", "--kind", "slurm", "--slurm", "gpu"}, "host \"a\": slurm option \"gpu\" must begin with '-' and hold its value, as --partition=gpu");
  expectRefusal({"hosts", "add", "a", "--identity", "/none/key"}, "--identity /none/key: there is no such file");
  EXPECT_EQ(paceline({"hosts", "add", "a", "--port", "70000"}).code, 2);
  EXPECT_EQ(paceline({"hosts", "add"}).code, 2);
  EXPECT_EQ(paceline({"hosts"}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(path("hosts.json")));
}

TEST_F(Hosts, ADamagedListIsToldWithItsPlaceAndKept) {
  write("hosts.json", R"({"paceline_hosts": 1, "hosts": [{"name": "a", "adress": "x"}]})");
  const Outcome outcome = paceline({"hosts", "add", "b"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, StartsWith("paceline: " + path("hosts.json") + ": /hosts/0/adress: unknown key"));
  EXPECT_THAT(shell("cat '" + path("hosts.json") + "'").out, HasSubstr("adress"));
}

TEST_F(Hosts, RunsOnThisComputerDoNotNeedTheList) {
  write("hosts.json", "{");
  EXPECT_EQ(paceline({"run", writeSpec("a.json")}).code, 0);
}

TEST_F(Hosts, ImportedHostsGetNamesOfTheirOwn) {
  add({"gpu1", "--address", "10.9.9.9"});
  const std::string file = write("hosts", "10.0.0.1\tgpu1\n10.0.0.2\tgpu2\n10.9.9.9\told\n");
  const Outcome outcome = paceline({"hosts", "import", file, "--user", "ubuntu"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("added 3 hosts, read as ps_pytorch\n"));
  EXPECT_EQ(listed("gpu1-2")["address"], "10.0.0.1");
  EXPECT_EQ(listed("gpu2")["user"], "ubuntu");
  EXPECT_THAT(paceline({"hosts", "import", file, "--user", "ubuntu"}).out, HasSubstr("added 0 hosts, read as ps_pytorch; 3 known already: gpu1-2, gpu2, old\n"));
}

TEST_F(Hosts, AFileWithABadLineChangesNothing) {
  const std::string file = write("lab.txt", "10.0.0.1\n10.0.0.300\n");
  expectRefusal({"hosts", "import", file}, file + ":2: \"10.0.0.300\" is no IP address");
  const std::string worse = write("worse.txt", "a/b\nc d e\n");
  const Outcome outcome = paceline({"hosts", "import", worse, "--format", "list"});
  EXPECT_EQ(outcome.err, worse + ":1: \"a/b\" is no host name or IP address\n" + worse + ":2: one host a line expected, got 3 words\n" + "paceline: " + worse +
                             " has 2 bad lines; nothing was imported\n");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_FALSE(std::filesystem::exists(path("hosts.json")));
  expectRefusal({"hosts", "import", path("none")}, "cannot read " + path("none") + ": No such file or directory");
  EXPECT_EQ(paceline({"hosts", "import", file, "--format", "xml"}).code, 2);
}

TEST_F(Hosts, ADryRunSaysWhatItWouldDo) {
  const std::string file = write("hostfile", "a slots=4\nb slots=2\n");
  const Outcome outcome = paceline({"hosts", "import", file, "--dry-run"});
  EXPECT_EQ(outcome.out, "name  address  user  slots\na     a                  4\nb     b                  2\nwould add 2 hosts, read as mpi\n");
  EXPECT_FALSE(std::filesystem::exists(path("hosts.json")));
}

TEST_F(Hosts, ExportedHostsCanBeImported) {
  add({"a", "--address", "10.0.0.1"}), add({"b", "--address", "10.0.0.2"});
  EXPECT_EQ(paceline({"hosts", "export"}).out, "10.0.0.1\n10.0.0.2\n");
  EXPECT_EQ(paceline({"hosts", "export", "b", "--format", "mpi"}).out, "10.0.0.2 slots=1\n");
}

TEST_F(Hosts, NodesArePlacedInTurn) {
  add({"a"}), add({"b"});
  const std::string spec = writeSpec("spec.json");
  const Outcome outcome = paceline({"hosts", "place", spec, "--hosts", "a,b,local", "-o", path("placed.json")});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  std::ifstream file(path("placed.json"));
  const auto placed = nlohmann::json::parse(file);
  EXPECT_EQ(placed["nodes"][0]["host"], "a");
  EXPECT_EQ(placed["nodes"][1]["host"], "b");
  EXPECT_EQ(placed["nodes"][2]["host"], "local");
  EXPECT_EQ(paceline({"validate", path("placed.json")}).code, 0);
}

TEST_F(Hosts, ADocumentWithCommentsIsPlaced) {
  add({"a"});
  const std::string spec = write("spec.json", "// Mine\n" + tinySpec().dump());
  const Outcome outcome = paceline({"hosts", "place", spec, "--hosts", "a"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["nodes"][0]["host"], "a");
  EXPECT_THAT(outcome.err, HasSubstr(spec + ": its comments are not in what is written\n"));
}

TEST_F(Hosts, PlacingRefusesWhatItDoesNotKnow) {
  const std::string spec = writeSpec("spec.json");
  add({"a"});
  expectRefusal({"hosts", "place", spec, "--hosts", "a,c"}, "host \"c\" is not known; have local, a");
  expectRefusal({"hosts", "place", spec, "--hosts", "a", "--by-speed"}, "the speed of \"a\" was never measured; run paceline hosts check a");
  expectUsage({"hosts", "place", spec, "--hosts", "a,,a"}, "--hosts has an empty name; give names with commas between, as a,b:2");
  expectRefusal({"hosts", "place", write("empty.json", "{}"), "--hosts", "a"}, path("empty.json") + ": /nodes: there are no nodes to place");
}

TEST_F(Hosts, ASpeedSaysWhenOtherWorkDisturbedIt) {
  add({"a"}), add({"b"});
  write("facts.json", R"({"paceline_facts": 1, "links": [], "hosts": {"a": {"speed_gflops": 100, "lines": [], "probe": {"cpus": 4}},
    "b": {"speed_gflops": 47, "speed_utc": "2026-01-02T03:04:05Z", "speed_load": "other work took 1.0 of its 2 CPUs", "lines": [], "probe": {"cpus": 2}}}})");
  EXPECT_THAT(paceline({"hosts", "list", "b"}).out, HasSubstr("at least 47"));
  EXPECT_THAT(paceline({"hosts", "list", "a"}).out, Not(HasSubstr("at least")));
  EXPECT_EQ(listed("b")["speed_load"], "other work took 1.0 of its 2 CPUs");
  EXPECT_EQ(listed("b")["speed_utc"], "2026-01-02T03:04:05Z");
  EXPECT_EQ(listed("a")["speed_gflops"], 100);  // of an older Paceline
  EXPECT_EQ(listed("a")["speed_load"], nullptr);
  const Outcome placed = paceline({"hosts", "place", writeSpec("spec.json"), "--hosts", "a,b", "--by-speed"});
  EXPECT_EQ(placed.code, 0);
  EXPECT_EQ(placed.err, "paceline: the speed of \"b\" was measured while other work took 1.0 of its 2 CPUs, so its share may be too small; paceline hosts check b --only speed measures it again\n");
}

TEST_F(Hosts, AProbeMaySayAnythingOfItsCpus) {
  add({"a", "--address", "10.0.0.1"});
  for (const char* cpus : {"1e300", "-1e300", "\"many\"", "null"}) {
    write("facts.json", std::string(R"({"paceline_facts": 1, "links": [], "hosts": {"a": {"speed_gflops": 100, "lines": [], "probe": {"cpus": )") + cpus + "}}}}");
    EXPECT_THAT(paceline({"hosts", "export", "--format", "mpi"}).out, StartsWith("10.0.0.1 slots=1")) << cpus;
    EXPECT_EQ(paceline({"hosts", "place", writeSpec("spec.json"), "--hosts", "a", "--by-speed"}).code, 0) << cpus;
  }
}

TEST_F(Hosts, CommandsOnHostsRefuseUnknownNames) {
  for (const char* command : {"list", "check", "deploy", "clean", "export"}) expectRefusal({"hosts", command, "moon"}, "host \"moon\" is not known; have local");
  expectRefusal({"hosts", "deploy"}, "there is no host to deploy to: this computer runs the programs where they are; add hosts with paceline hosts add");
  expectUsage({"hosts", "links"}, "links are between hosts; name two or more");
  const Outcome outcome = paceline({"hosts", "check", "--only", "luck"});
  EXPECT_THAT(outcome.err, StartsWith("paceline: --only: check \"luck\" is not known; have reachable, key"));
  EXPECT_EQ(outcome.code, 2);
}

}  // namespace
}  // namespace paceline::tests

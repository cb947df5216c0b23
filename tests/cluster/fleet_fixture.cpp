#include "tests/cluster/fleet_fixture.h"

#include <signal.h>
#include <sys/wait.h>

#include "engine/core/base/error.h"

namespace paceline::tests {
namespace {

class CabledProcess final : public hosts::Process {
 public:
  CabledProcess(std::unique_ptr<hosts::Process> inner, std::string host, std::shared_ptr<Cable> cable)
      : inner_(std::move(inner)), host_(std::move(host)), cable_(std::move(cable)) {}

  std::optional<std::string> readLine(double timeoutSeconds) override {
    if (broken()) return std::nullopt;
    if (!cable_->frozen) return inner_->readLine(timeoutSeconds);
    inner_->readLine(timeoutSeconds);  // what comes now is lost, and so is the connection when it moves again
    hung_ = true;
    return std::nullopt;
  }
  bool ended() const override { return broken_ || (!cable_->frozen && inner_->ended()); }
  void write(std::string_view bytes) override {
    if (broken()) throw Error(Errc::kHost, strCat(host_, ": the cable is pulled"));
    if (cable_->onSaid) cable_->onSaid(bytes);
    if (!cable_->frozen) inner_->write(bytes);
  }
  void closeInput() override { inner_->closeInput(); }
  hosts::ProcessEnd wait() override { return inner_->wait(); }

 private:
  bool broken() {
    if (cable_->cut || (hung_ && !cable_->frozen)) broken_ = true;
    return broken_;
  }
  std::unique_ptr<hosts::Process> inner_;
  std::string host_;
  std::shared_ptr<Cable> cable_;
  bool broken_ = false, hung_ = false;
};

class CabledHost final : public hosts::Host {
 public:
  CabledHost(std::unique_ptr<hosts::Host> inner, std::shared_ptr<Cable> cable) : inner_(std::move(inner)), cable_(std::move(cable)) {}
  std::string name() const override { return inner_->name(); }
  std::unique_ptr<hosts::Process> start(const std::vector<std::string>& command) override {
    if (cable_->cut) throw Error(Errc::kHost, strCat(name(), ": the cable is pulled"));
    ++cable_->connections;
    return std::make_unique<CabledProcess>(inner_->start(command), name(), cable_);
  }

 private:
  std::unique_ptr<hosts::Host> inner_;
  std::shared_ptr<Cable> cable_;
};

}  // namespace

std::unique_ptr<hosts::Host> behind(std::unique_ptr<hosts::Host> host, std::shared_ptr<Cable> cable) {
  return std::make_unique<CabledHost>(std::move(host), std::move(cable));
}

FleetTest::FleetTest() {
  for (const char* name : {"a", "b", "c"}) cables_[name] = std::make_shared<Cable>();
}

FleetTest::~FleetTest() {
  for (const auto& [name, cable] : cables_) {
    const pid_t pid = supervisorOf(name);
    if (pid <= 0) continue;
    ::kill(pid, SIGKILL);
    waitForEnd(pid);
  }
}

RunSpec FleetTest::spec(std::int64_t rounds, const std::string& habits, int hosts) const {
  RunSpec spec = ClusterTest::spec(rounds, habits);
  const std::string a = "a", b = "b";
  for (NodeSpec& node : spec.nodes) node.host = node.id == "w1" ? b : a;
  if (hosts == 3) {
    NodeSpec third = spec.nodes.back();
    third.id = std::string("w2");
    third.host = std::string("c");
    spec.nodes.push_back(third);
  }
  return spec;
}

hosts::HostOpener FleetTest::opener() {
  return [this](const std::string& name, const hosts::HostNeeds& needs) -> hosts::ReadyHost {
    const auto cable = cables_.find(name);
    if (cable == cables_.end()) throw Error(Errc::kHost, strCat("host \"", name, "\" is not known; have a, b, c"));
    if (needs.onProgress) needs.onProgress("connecting");
    if (cable->second->cut) throw hosts::NotReached(strCat(name, ": the cable is pulled"));
    return {.host = behind(there(name), cable->second), .installation = hosts::localInstallation(), .dataAddress = "127.0.0.1"};
  };
}

run::LinkTimes FleetTest::quick() { return {.firstRetrySeconds = 0.01, .longestRetrySeconds = 0.1, .giveUpSeconds = 600, .leaseSeconds = 15, .endGraceSeconds = 0.5}; }

run::RunSession FleetTest::session(run::RecordWriter& records, run::RunCallbacks callbacks) {
  return run::RunSession({records, std::move(callbacks), opener(), quick()});
}

std::unique_ptr<hosts::Host> FleetTest::there(const std::string& host) const {
  std::map<std::string, std::string> env{{"PACELINE_AGENT_DIR", agentFolder(host).string()}};
  if (const auto more = env_.find(host); more != env_.end()) env.insert(more->second.begin(), more->second.end());
  return hosts::localHost(host, env);
}

std::vector<run::AgentRun> FleetTest::runsOn(const std::string& host) const {
  return run::AgentClient(*there(host), hosts::localInstallation()).list();
}

pid_t FleetTest::pidOf(const std::string& host, const std::string& node) const {
  for (const run::AgentRun& run : runsOn(host))
    for (const run::AgentNode& known : run.nodes)
      if (known.id == node) return static_cast<pid_t>(known.pid);
  return 0;
}

void FleetTest::expectNothingLeftOn(const std::vector<std::string>& hosts) const {
  for (const std::string& host : hosts) {
    EXPECT_TRUE(runsOn(host).empty()) << host;
    EXPECT_TRUE(std::filesystem::is_empty(agentFolder(host) / "runs")) << host;
  }
}

run::RunCallbacks atRoundOf(const std::string& node, std::int64_t round, std::function<void(const std::string& run)> act) {
  run::RunCallbacks callbacks;
  callbacks.onEvent = [node, round, act = std::move(act)](const StampedEvent& event) {
    const auto* record = std::get_if<RoundRecord>(&event.event);
    if (record != nullptr && record->round == round && event.node == node) act(event.run);
  };
  return callbacks;
}

std::string leftBehind(const std::string& storePath, const std::function<void(run::RecordWriter&)>& work) {
  const pid_t desktop = ::fork();
  if (desktop == 0) {
    run::RecordWriter records(storePath);
    work(records);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(desktop, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  const auto runs = store::StoreReader(storePath).runs();
  EXPECT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs.at(0).state, store::RunState::kStale);
  return runs.at(0).id;
}

}  // namespace paceline::tests

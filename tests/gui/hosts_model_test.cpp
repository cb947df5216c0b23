#include "app/models/clusters/hosts_model.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/models/clusters/host_tasks.h"
#include "tests/gui/fake_hosts.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

struct Hosts : ::testing::Test {
  void SetUp() override { application(); }
  void load() {
    model.load();
    ASSERT_TRUE(waitFor([this] { return model.loaded(); }));
  }
  QString put(const hosts::HostEntry& entry, const std::string& before = "") {
    std::optional<QString> error;
    model.put(entry, before, [&error](const QString& told) { error = told; });
    EXPECT_TRUE(waitFor([&error] { return error.has_value(); }));
    return error.value_or("");
  }
  QString cell(int row, int column) { return model.index(row, column).data().toString(); }

  std::shared_ptr<FakeHosts> fake = fakeHosts();
  clusters::HostsModel model{servicesOf(fake)};
  GuiPrompts prompts;
};

TEST_F(Hosts, ThisComputerComesFirst) {
  fake->add("alpha");
  load();
  ASSERT_EQ(model.rowCount(), 2);
  EXPECT_EQ(cell(0, clusters::HostsModel::kName), "local");
  EXPECT_EQ(cell(0, clusters::HostsModel::kAddress), "this computer");
  EXPECT_EQ(cell(1, clusters::HostsModel::kName), "alpha");
}

TEST_F(Hosts, ShowsWhatWasMeasured) {
  fake->add("gpu1");
  fake->measured("gpu1", 16, 2, 310.4);
  load();
  EXPECT_EQ(cell(1, clusters::HostsModel::kState), "Ready");
  EXPECT_EQ(cell(1, clusters::HostsModel::kCpus), "16");
  EXPECT_EQ(cell(1, clusters::HostsModel::kGpus), "2");
  EXPECT_EQ(cell(1, clusters::HostsModel::kMemory), "68.7 GB");
  EXPECT_EQ(cell(1, clusters::HostsModel::kSpeed), "310");
  EXPECT_EQ(cell(1, clusters::HostsModel::kChecked), "2 Jan 2025");
  EXPECT_EQ(model.find("gpu1")->figures.devices, (QStringList{"cpu", "cuda:0", "cuda:1"}));
}

TEST_F(Hosts, WhatWasNeverMeasuredIsADash) {
  fake->add("gpu1");
  load();
  EXPECT_EQ(cell(1, clusters::HostsModel::kState), "Not checked");
  for (const int column : {clusters::HostsModel::kCpus, clusters::HostsModel::kGpus, clusters::HostsModel::kMemory, clusters::HostsModel::kSpeed, clusters::HostsModel::kDisk}) EXPECT_EQ(cell(1, column), "—");
}

TEST_F(Hosts, AProbeThatIsDamagedGivesEmptyFigures) {
  for (const std::string probe : {"", "{", "[1,2]", R"({"cpus": "many", "gpus": 3, "interfaces": {"a": 1}})"}) {
    const clusters::HostFigures figures = clusters::figuresOf({.name = "x", .checkedUtc = "yesterday", .probe = probe, .lines = {}});
    EXPECT_EQ(figures.cpus, 0);
    EXPECT_EQ(figures.devices, QStringList{"cpu"});
  }
}

TEST_F(Hosts, OnlyAddressesOfInterfacesThatAreUpAreOffered) {
  fake->measured("x", 4, 0, 1);
  const clusters::HostFigures figures = clusters::figuresOf(fake->facts["x"]);
  QStringList addresses;
  for (const clusters::HostAddress& each : figures.addresses) addresses << each.address;
  EXPECT_EQ(addresses, (QStringList{"127.0.0.1", "192.168.1.5", "fe80::1", "10.10.0.5"}));
}

TEST_F(Hosts, AnEditReachesTheFile) {
  load();
  hosts::HostEntry entry;
  entry.name = "gpu1";
  entry.address = "10.0.0.7";
  EXPECT_EQ(put(entry), "");
  EXPECT_NE(fake->book.find("gpu1"), nullptr);
  EXPECT_EQ(model.rowCount(), 2);
}

TEST_F(Hosts, AnEditKeepsWhatTheTerminalAddedMeanwhile) {
  load();
  fake->add("added-by-the-terminal");
  hosts::HostEntry entry;
  entry.name = "gpu1";
  entry.address = "10.0.0.7";
  put(entry);
  EXPECT_NE(fake->book.find("added-by-the-terminal"), nullptr);
  EXPECT_EQ(model.rowCount(), 3);
}

TEST_F(Hosts, ANameThatIsTakenIsRefused) {
  fake->add("gpu1");
  load();
  hosts::HostEntry entry;
  entry.name = "gpu1";
  entry.address = "10.9.9.9";
  EXPECT_EQ(put(entry), "there is a host \"gpu1\" already; choose another name");
  EXPECT_EQ(fake->book.find("gpu1")->address, "10.0.0.1");
}

TEST_F(Hosts, ANewNameIsFollowedByJumpsOverIt) {
  fake->add("gate");
  hosts::HostEntry inner;
  inner.name = "inner", inner.address = "10.1.0.1", inner.jump = "gate";
  fake->book.put(inner);
  load();
  hosts::HostEntry gate = *fake->book.find("gate");
  gate.name = "front";
  EXPECT_EQ(put(gate, "gate"), "");
  EXPECT_EQ(fake->book.find("gate"), nullptr);
  EXPECT_EQ(fake->book.find("inner")->jump, "front");
}

TEST_F(Hosts, WhatWasMeasuredOfARemovedHostIsForgotten) {
  fake->add("gpu1");
  fake->measured("gpu1", 4, 0, 1);
  load();
  bool done = false;
  model.remove("gpu1", [&done](const QString&) { done = true; });
  ASSERT_TRUE(waitFor([&done] { return done; }));
  EXPECT_FALSE(fake->facts.contains("gpu1"));
}

TEST_F(Hosts, AFileThatCannotBeWrittenIsTold) {
  load();
  fake->saveError = "/home/a/hosts.json: cannot be written: no space left on device";
  hosts::HostEntry entry;
  entry.name = "gpu1", entry.address = "x";
  EXPECT_EQ(put(entry), "/home/a/hosts.json: cannot be written: no space left on device");
  EXPECT_EQ(model.rowCount(), 1);
}

TEST_F(Hosts, TheFilterFindsStateAndGpuAndKeepsThisComputerFirst) {
  fake->add("zeta");
  fake->add("gpu1");
  fake->measured("gpu1", 16, 2, 300);
  load();
  clusters::HostsFilter filter;
  filter.setSourceModel(&model);
  filter.setWords("a100 ready");
  ASSERT_EQ(filter.rowCount(), 1);
  EXPECT_EQ(filter.index(0, 0).data().toString(), "gpu1");
  filter.setWords("");
  for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
    filter.sort(clusters::HostsModel::kName, order);
    EXPECT_EQ(filter.index(0, 0).data().toString(), "local");
  }
}

TEST_F(Hosts, ChecksOfManyHostsRunAndTellEveryLine) {
  for (int i = 0; i < 200; ++i) fake->add("node" + std::to_string(i));
  fake->answers["node7"] = {checkLine("reachable", check::CheckState::kBad, "refused", "start sshd")};
  load();
  clusters::HostChecks checks(model, prompts);
  checks.checkAll();
  EXPECT_EQ(checks.running(), 201);
  ASSERT_TRUE(waitFor([&checks] { return checks.running() == 0; }));
  EXPECT_EQ(model.find("node6")->standing(), clusters::HostStanding::kReady);
  EXPECT_EQ(model.find("node7")->standing(), clusters::HostStanding::kProblem);
  EXPECT_EQ(model.find("node7")->lines[0].advice, "start sshd");
}

TEST_F(Hosts, OneLineCanBeCheckedAgainWhileOthersStay) {
  fake->add("gpu1");
  fake->measured("gpu1", 4, 0, 1);
  fake->answers["gpu1"] = {checkLine("disk", check::CheckState::kWarning, "1 GB free")};
  load();
  clusters::HostChecks checks(model, prompts);
  checks.check("gpu1", "disk");
  ASSERT_TRUE(waitFor([&checks] { return checks.running() == 0; }));
  EXPECT_TRUE(fake->wasCalled("check gpu1 disk"));
  int good = 0;
  for (const check::CheckLine& line : model.find("gpu1")->lines) good += line.state == check::CheckState::kGood;
  EXPECT_EQ(good, static_cast<int>(check::plannedChecks().size()) - 1);
  EXPECT_EQ(model.find("gpu1")->standing(), clusters::HostStanding::kWarnings);
}

TEST_F(Hosts, AStoppedCheckSaysWhatWasNotReached) {
  fake->add("gpu1");
  clusters::HostServices services = servicesOf(fake);
  services.check = [](const hosts::HostRegistry&, const std::string& host, hosts::CredentialPrompts& asked, const clusters::HostServices::OnLine&, std::stop_token, const std::string&) {
    asked.secret(host, "password:", false);  // until it is stopped
    return std::vector<check::CheckLine>();
  };
  clusters::HostsModel slow(services);
  slow.load();
  ASSERT_TRUE(waitFor([&slow] { return slow.loaded(); }));
  clusters::HostChecks checks(slow, prompts);
  QObject::connect(&prompts, &GuiPrompts::asked, &checks, [&checks] { checks.stop("gpu1"); });
  checks.check("gpu1");
  ASSERT_TRUE(waitFor([&checks] { return checks.running() == 0; }));
  for (const check::CheckLine& line : slow.find("gpu1")->lines) EXPECT_EQ(line.state, check::CheckState::kSkipped);
  EXPECT_EQ(slow.find("gpu1")->standing(), clusters::HostStanding::kNotChecked);
}

TEST_F(Hosts, ADeploymentTellsItsEndAndAsksForTheDisk) {
  fake->add("gpu1");
  fake->sending = {{.file = "libtorch_cpu.so", .bytesDone = 50, .bytesTotal = 100, .rateBytesPerSecond = 10, .etaSeconds = 5}};
  fake->disk.versions = {{.id = "abc", .paceline = "0.1.0", .createdUtc = "", .bytes = 5000, .current = true}};
  load();
  clusters::HostDeploys deploys(model, prompts);
  std::vector<double> fractions;
  QObject::connect(&deploys, &clusters::HostDeploys::changed, &deploys, [&] {
    if (const clusters::DeployView* view = deploys.view("gpu1")) fractions.push_back(view->fraction);
  });
  deploys.deploy("gpu1");
  EXPECT_EQ(model.find("gpu1")->standing(), clusters::HostStanding::kDeploying);
  ASSERT_TRUE(waitFor([this] { return model.find("gpu1")->disk.has_value(); }));
  EXPECT_EQ(deploys.view("gpu1"), nullptr);
  EXPECT_TRUE(std::find(fractions.begin(), fractions.end(), 0.5) != fractions.end());
  EXPECT_EQ(cell(1, clusters::HostsModel::kDisk), "5.0 kB");
}

TEST_F(Hosts, ADeploymentThatFailsLeavesItsSentenceOnTheHost) {
  fake->add("gpu1");
  fake->deployError = "gpu1: no space left: 300 MB needed, 12 MB free in /home/a/.cache";
  load();
  clusters::HostDeploys deploys(model, prompts);
  deploys.deploy("gpu1");
  ASSERT_TRUE(waitFor([&deploys] { return deploys.view("gpu1") == nullptr; }));
  EXPECT_EQ(model.find("gpu1")->failure, "gpu1: no space left: 300 MB needed, 12 MB free in /home/a/.cache");
}

TEST_F(Hosts, AQuestionAboutTheDiskLeavesTheSentenceOfADeploymentThatFailedMeanwhile) {
  fake->add("gpu1");
  fake->deployError = "gpu1: no space left";
  clusters::HostServices services = servicesOf(fake);
  services.disk = [](const hosts::HostRegistry&, const std::string& host, hosts::CredentialPrompts& asked) {
    asked.secret(host, "password:", false);  // until the test answers
    return deploy::HostDisk();
  };
  clusters::HostsModel slow(services);
  slow.load();
  ASSERT_TRUE(waitFor([&slow] { return slow.loaded(); }));
  clusters::HostDeploys deploys(slow, prompts);
  int question = 0;
  QObject::connect(&prompts, &GuiPrompts::asked, &deploys, [&question](const AskedPrompt& asked) { question = asked.id; });
  deploys.askDisk("gpu1");
  ASSERT_TRUE(waitFor([&question] { return question != 0; }));
  deploys.deploy("gpu1");
  ASSERT_TRUE(waitFor([&deploys] { return deploys.view("gpu1") == nullptr; }));
  prompts.answer(question, "open sesame");
  ASSERT_TRUE(waitFor([&deploys] { return !deploys.asking("gpu1"); }));
  EXPECT_TRUE(slow.find("gpu1")->disk.has_value());
  EXPECT_EQ(slow.find("gpu1")->failure, "gpu1: no space left");
}

TEST_F(Hosts, AQuestionAboutTheDiskLeavesWhyADeploymentWaits) {
  fake->add("gpu1");
  clusters::HostServices services = servicesOf(fake);
  services.deploy = [](const hosts::HostRegistry&, const std::string& host, hosts::CredentialPrompts& asked, const deploy::DeployOptions&) {
    asked.mayWait(host, "waits for a node of the partition gpu");
    asked.secret(host, "password:", false);  // until it is stopped
  };
  clusters::HostsModel slow(services);
  slow.load();
  ASSERT_TRUE(waitFor([&slow] { return slow.loaded(); }));
  const clusters::HostChecks checks(slow, prompts);  // hears why hosts make their tasks wait
  clusters::HostDeploys deploys(slow, prompts);
  deploys.deploy("gpu1");
  ASSERT_TRUE(waitFor([&slow] { return !slow.find("gpu1")->waiting.isEmpty(); }));
  deploys.askDisk("gpu1");
  ASSERT_TRUE(waitFor([&deploys] { return !deploys.asking("gpu1"); }));
  EXPECT_EQ(slow.find("gpu1")->waiting, "waits for a node of the partition gpu");
  deploys.stop("gpu1");
  ASSERT_TRUE(waitFor([&deploys] { return deploys.view("gpu1") == nullptr; }));
  EXPECT_EQ(slow.find("gpu1")->waiting, "");
}

TEST(DeployViews, TheBarNeverGoesBackAndTheEtaIsARange) {
  clusters::DeployView view = clusters::nextView({}, {.file = "a", .bytesDone = 60, .bytesTotal = 100, .rateBytesPerSecond = 5}, 2);
  EXPECT_DOUBLE_EQ(view.fraction, 0.6);
  EXPECT_DOUBLE_EQ(*view.etaLow, 40 / 30.0);
  EXPECT_DOUBLE_EQ(*view.etaHigh, 8);
  view = clusters::nextView(view, {.file = "b", .bytesDone = 60, .bytesTotal = 200, .rateBytesPerSecond = 5}, 3);
  EXPECT_DOUBLE_EQ(view.fraction, 0.6);
}

TEST_F(Hosts, LinksComeAsTheyAreMeasured) {
  fake->add("a");
  fake->add("b");
  fake->links = {{.from = "a", .to = "b", .reachable = true, .mbps = 940, .latencyMs = 0.2, .problem = ""},
                 {.from = "b", .to = "a", .reachable = false, .problem = "b cannot reach a at 10.0.0.1: connection timed out"}};
  load();
  clusters::LinksModel links(model, prompts);
  EXPECT_TRUE(links.measured().empty());
  links.measure({"a", "b"});
  EXPECT_EQ(links.total(), 2);
  ASSERT_TRUE(waitFor([&links] { return !links.measuring(); }));
  EXPECT_EQ(links.done(), 2);
  EXPECT_EQ(links.measured(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(links.at("a", "b")->mbps, 940);
  EXPECT_FALSE(links.at("b", "a")->reachable);
}

TEST(HostTarget, ReadsWhatPeopleType) {
  const hosts::HostRegistry book;
  const auto read = [&book](const QString& typed) {
    hosts::HostEntry entry;
    const QString wrong = clusters::readTarget(typed, book, entry);
    return wrong.isEmpty() ? QString("%1|%2|%3|%4").arg(entry.name.c_str(), entry.user.c_str(), entry.address.c_str()).arg(entry.port) : wrong;
  };
  EXPECT_EQ(read("gpu1"), "gpu1||gpu1|0");
  EXPECT_EQ(read(" alice@10.0.0.5:2222 "), "10.0.0.5|alice|10.0.0.5|2222");
  EXPECT_EQ(read("ssh://bob@gpu.example.org/"), "gpu.example.org|bob|gpu.example.org|0");
  EXPECT_EQ(read("[fd00::2]:22"), "fd00--2||fd00::2|22");
  EXPECT_EQ(read("fd00::2"), "fd00--2||fd00::2|0");
  EXPECT_EQ(read("gpu1:0"), "The port must be 1 to 65535; it is \"0\".");
  EXPECT_EQ(read("gpu 1"), "An address has no spaces; this is \"gpu 1\".");
  EXPECT_EQ(read("@gpu1"), "There is no user before the @.");
  EXPECT_EQ(read(""), "A host needs an address.");
}

TEST(HostTarget, ANameThatIsTakenGetsANumber) {
  hosts::HostRegistry book;
  hosts::HostEntry first;
  first.name = first.address = "gpu1";
  book.put(first);
  hosts::HostEntry second;
  EXPECT_EQ(clusters::readTarget("bob@gpu1", book, second), "");
  EXPECT_EQ(second.name, "gpu1-2");
}

TEST(HostTarget, EnvironmentLinesAreReadOrNamed) {
  std::map<std::string, std::string> env;
  EXPECT_EQ(clusters::readEnvironment("A=1\n\nXDG_CACHE_HOME=/data/a b=c", env), "");
  EXPECT_EQ(env, (std::map<std::string, std::string>{{"A", "1"}, {"XDG_CACHE_HOME", "/data/a b=c"}}));
  EXPECT_EQ(clusters::readEnvironment("A=1\nB", env), "Line 2 of the environment must be NAME=VALUE; it is \"B\".");
}

TEST_F(Hosts, ADisturbedSpeedIsShownAsTheLeastItCanDo) {
  hosts::HostFacts facts;
  facts.speed = 47;
  EXPECT_EQ(clusters::speedNumber(clusters::figuresOf(facts)), "47");
  facts.speedLoad = "other work took 1.0 of its 2 CPUs";
  const clusters::HostFigures figures = clusters::figuresOf(facts);
  EXPECT_EQ(clusters::speedNumber(figures), "≥ 47");
  EXPECT_EQ(std::ranges::count(figures.facts, std::pair(QString("Speed"), QString("at least 47 GFLOP/s, measured while other work took 1.0 of its 2 CPUs"))), 1);
}

}  // namespace
}  // namespace paceline::tests

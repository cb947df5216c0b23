#include "app/cluster/check/judge.h"

#include <gmock/gmock.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <set>
#include <thread>

#include "engine/core/base/error.h"
#include "tests/probe/agent_program.h"
#include "tests/probe/shaped_networks.h"

namespace paceline::tests {
namespace {

check::MeasuredHost loopback(const std::string& name) { return {.host = hosts::localHost(name), .agent = agentProgram(), .address = "127.0.0.1"}; }

std::vector<std::string> pairsOf(const std::vector<check::LinkMeasure>& links) {
  std::vector<std::string> pairs;
  for (const check::LinkMeasure& link : links) pairs.push_back(link.from + ">" + link.to);
  return pairs;
}

TEST(LinkMeasure_, EveryOrderedPairOnceInTheOrderOfNames) {
  std::vector<check::LinkMeasure> told;
  const auto links = check::measureLinksWith(loopback, {"a", "b", "c", "a"}, [&](const check::LinkMeasure& link) { told.push_back(link); }, {});
  EXPECT_THAT(pairsOf(links), testing::ElementsAre("a>b", "a>c", "b>a", "b>c", "c>a", "c>b"));
  EXPECT_THAT(pairsOf(told), testing::UnorderedElementsAreArray(pairsOf(links)));
  for (const check::LinkMeasure& link : links) {
    EXPECT_TRUE(link.reachable) << link.problem;
    EXPECT_GT(link.mbps, 10);
    EXPECT_GT(link.latencyMs, 0);
  }
}

TEST(LinkMeasure_, NoHostTakesPartInTwoMeasurementsAtOnce) {
  struct Watch {
    std::mutex mutex;
    std::map<std::string, int> running;
    int most = 0;
  } watch;
  // A host whose processes count themselves: in one measurement each host starts one.
  class Counted final : public hosts::Process {
   public:
    Counted(std::unique_ptr<hosts::Process> inner, Watch& watch, std::string host) : inner_(std::move(inner)), watch_(watch), host_(std::move(host)) {
      const std::lock_guard lock(watch_.mutex);
      watch_.most = std::max(watch_.most, ++watch_.running[host_]);
    }
    ~Counted() override {
      const std::lock_guard lock(watch_.mutex);
      --watch_.running[host_];
    }
    std::optional<std::string> readLine(double seconds) override { return inner_->readLine(seconds); }
    bool ended() const override { return inner_->ended(); }
    void write(std::string_view bytes) override { inner_->write(bytes); }
    void closeInput() override { inner_->closeInput(); }
    hosts::ProcessEnd wait() override { return inner_->wait(); }

   private:
    std::unique_ptr<hosts::Process> inner_;
    Watch& watch_;
    std::string host_;
  };
  class CountingHost final : public hosts::Host {
   public:
    CountingHost(std::string name, Watch& watch) : name_(std::move(name)), watch_(watch), host_(hosts::localHost(name_)) {}
    std::string name() const override { return name_; }
    std::unique_ptr<hosts::Process> start(const std::vector<std::string>& command) override {
      return std::make_unique<Counted>(host_->start(command), watch_, name_);
    }

   private:
    std::string name_;
    Watch& watch_;
    std::unique_ptr<hosts::Host> host_;
  };
  const auto open = [&](const std::string& name) {
    return check::MeasuredHost{.host = std::make_unique<CountingHost>(name, watch), .agent = agentProgram(), .address = "127.0.0.1"};
  };
  EXPECT_EQ(check::measureLinksWith(open, {"a", "b", "c", "d"}, {}, {}).size(), 12u);
  EXPECT_EQ(watch.running.size(), 4u);
  EXPECT_EQ(watch.most, 1);
}

TEST(LinkMeasure_, AHostThatCannotBeOpenedHasItsProblemOnAllItsLinks) {
  const auto open = [](const std::string& name) {
    if (name == "b") throw Error(Errc::kHost, "b: connection refused");
    return loopback(name);
  };
  for (const check::LinkMeasure& link : check::measureLinksWith(open, {"a", "b", "c"}, {}, {})) {
    const bool withB = link.from == "b" || link.to == "b";
    EXPECT_EQ(link.reachable, !withB);
    EXPECT_EQ(link.problem, withB ? "b: connection refused" : "");
  }
}

TEST(LinkMeasure_, AHostWithoutADataAddressIsNamed) {
  const auto open = [](const std::string& name) {
    check::MeasuredHost host = loopback(name);
    if (name == "b") host.address.clear();
    return host;
  };
  EXPECT_EQ(check::measureLinksWith(open, {"a", "b"}, {}, {})[0].problem, "b has no data address yet; choose one of its addresses");
}

TEST(LinkMeasure_, AnAddressThatTheHostHasNotIsSaid) {
  const auto open = [](const std::string& name) {
    check::MeasuredHost host = loopback(name);
    host.address = "192.0.2.77";
    return host;
  };
  EXPECT_EQ(check::measureLinksWith(open, {"a", "b"}, {}, {})[0].problem, "b: cannot listen at 192.0.2.77: Cannot assign requested address");
}

TEST(LinkMeasure_, StoppedOnesSaySo) {
  std::stop_source source;
  source.request_stop();
  const auto links = check::measureLinksWith(loopback, {"a", "b"}, {}, source.get_token());
  ASSERT_EQ(links.size(), 2u);
  EXPECT_EQ(links[0].problem, "stopped");
}

TEST(LinkMeasure_, FewerThanTwoHostsHaveNoLinks) {
  EXPECT_TRUE(check::measureLinksWith(loopback, {}, {}, {}).empty());
  EXPECT_TRUE(check::measureLinksWith(loopback, {"a"}, {}, {}).empty());
}

TEST(LinkProblem, EachHasItsSentence) {
  const auto problem = [](const char* said) { return check::linkProblem("w2", "w1", "10.0.0.5", said); };
  EXPECT_EQ(problem(R"({"problem": "timed_out", "detail": "Connection timed out"})"),
            "w2 cannot reach w1 at 10.0.0.5: connection timed out; allow TCP between the hosts' data addresses (any port of the ephemeral range)");
  EXPECT_EQ(problem(R"({"problem": "refused", "detail": "Connection refused"})"),
            "w2 cannot reach w1 at 10.0.0.5: connection refused; a firewall between them turns it away: allow TCP between the hosts' data addresses "
            "(any port "
            "of the ephemeral range)");
  EXPECT_EQ(problem(R"({"problem": "unreachable", "detail": "Network is unreachable"})"),
            "w2 cannot reach w1 at 10.0.0.5: no way there (Network is unreachable); give both hosts data addresses of networks that are joined");
  EXPECT_EQ(problem(R"({"problem": "token", "detail": "the token was refused"})"),
            "w2 cannot reach w1 at 10.0.0.5: somebody else answers there; do two hosts have this address?");
  EXPECT_EQ(problem(R"({"problem": "lost", "detail": "Connection reset by peer"})"),
            "the connection from w2 to w1 at 10.0.0.5 broke while it was measured (Connection reset by peer); measure again");
  EXPECT_EQ(problem("nonsense"), "the connection from w2 to w1 at 10.0.0.5 broke while it was measured (no sensible answer); measure again");
  EXPECT_EQ(problem(R"({"mbps_to": 5, "latency_ms": 1})"), "");
}

// Needs root.
class Networks : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = networks_.make(); !why.empty()) GTEST_SKIP() << why;
  }
  static bool run(const std::string& command) { return std::system(command.c_str()) == 0; }
  // A shaped link cannot be faster than its rate, so on a busy machine the best of a few counts.
  void expectRate(double mbps) const {
    std::vector<double> best(2, 0);
    for (int attempt = 0; attempt < 6 && *std::ranges::min_element(best) < 0.9 * mbps * kPayload; ++attempt) {
      const auto links = networks_.measure();
      for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_TRUE(links[i].reachable) << links[i].problem;
        best[i] = std::max(best[i], links[i].mbps);
      }
    }
    for (const double each : best) EXPECT_NEAR(each, mbps * kPayload, 0.1 * mbps * kPayload);
  }

  ShapedNetworks networks_{agentProgram()};
};

// That it is measured as no less, too, is a matter of a quiet machine: paceline-bench --filter link_measured_1gbit.
TEST_F(Networks, AGigabitIsNotMeasuredAsMore) {
  ASSERT_TRUE(networks_.shape("1gbit"));
  for (const check::LinkMeasure& link : networks_.measure()) {
    EXPECT_TRUE(link.reachable) << link.problem;
    EXPECT_GT(link.mbps, 0);
    EXPECT_LE(link.mbps, 1.1 * 1000 * kPayload);
  }
}

// What piles up in the kernel while the receiver does not get to run came at the link's pace, however fast it is read then.
TEST_F(Networks, AReceiverThatStoodStillMeasuresNoMore) {
  ASSERT_TRUE(networks_.shape("1gbit"));
  const std::string flows = strCat("timeout 20 ip netns exec ", networks_.b(),
                                   " sh -c 'n=/sys/class/net/data/statistics/rx_bytes; b=$(cat $n); while [ $(($(cat $n) - b)) -lt 1000000 ]; do :; done'");
  const std::string stands = strCat("set -- $(ip netns pids ", networks_.b(), "); kill -STOP $*; sleep 0.3; kill -CONT $*");  // the disturbance itself
  for (int attempt = 0; attempt < 4; ++attempt) {
    std::jthread stopper([&] { run(strCat(flows, " && { ", stands, "; }")); });
    for (const check::LinkMeasure& link : networks_.measure()) EXPECT_LE(link.mbps, 1.1 * 1000 * kPayload) << link.problem;
  }
}

TEST_F(Networks, AHundredMegabitAreMeasuredWithinTenPercent) {
  ASSERT_TRUE(networks_.shape("100mbit"));
  expectRate(100);
}

TEST_F(Networks, APortThatIsBlockedOneWayTimesOutOnlyThatWay) {
  ASSERT_TRUE(run(strCat("ip -n ", networks_.b(), " addr add 10.79.0.2/32 dev data")) && run(strCat("ip -n ", networks_.a(), " route add 10.79.0.0/24 dev data")));
  // What b would answer to a from this address goes nowhere: to a it looks like a firewall that drops.
  ASSERT_TRUE(run(strCat("ip -n ", networks_.b(), " rule add from 10.79.0.2 blackhole")));
  const auto links = networks_.measure("10.79.0.2");
  EXPECT_EQ(links[0].problem,
            "a cannot reach b at 10.79.0.2: connection timed out; allow TCP between the hosts' data addresses (any port of the ephemeral range)");
  EXPECT_FALSE(links[0].reachable);
  EXPECT_TRUE(links[1].reachable) << links[1].problem;
}

TEST_F(Networks, ANetworkWithoutAWayIsSaid) {
  ASSERT_TRUE(run(strCat("ip -n ", networks_.b(), " addr add 10.80.0.2/24 dev data")));
  EXPECT_EQ(networks_.measure("10.80.0.2")[0].problem,
            "a cannot reach b at 10.80.0.2: no way there (Network is unreachable); give both hosts data addresses of networks that are joined");
}

}  // namespace
}  // namespace paceline::tests

#include "app/cluster/hosts/facts.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "engine/core/base/error.h"
#include "tests/agent/agent_fixture.h"

namespace paceline::tests {
namespace {

class Facts : public AgentTest {
 protected:
  Facts() { ::setenv("PACELINE_HOSTS", (folder_ / "config" / "hosts.json").c_str(), 1); }
  ~Facts() override { ::unsetenv("PACELINE_HOSTS"); }
  std::string file() const { return (folder_ / "config" / "facts.json").string(); }
};

hosts::HostFacts factsOfGpu1() {
  return {.name = "gpu1",
          .checkedUtc = "2026-01-02T03:04:05Z",
          .probe = R"({"cpus":4})",
          .speed = 99.5,
          .clockOffsetSeconds = -0.25,
          .clockErrorSeconds = 0.001,
          .lines = {{"disk", "Disk", check::CheckState::kWarning, "40 MB", "41 MB", "free some"}}};
}

TEST_F(Facts, ComeBackAsTheyWereKept) {
  EXPECT_EQ(hosts::loadFacts("gpu1"), std::nullopt);
  hosts::keepFacts(factsOfGpu1());
  const hosts::HostFacts facts = hosts::loadFacts("gpu1").value();
  EXPECT_EQ(facts.checkedUtc, "2026-01-02T03:04:05Z");
  EXPECT_EQ(facts.probe, R"({"cpus":4})");
  EXPECT_EQ(facts.speed, 99.5);
  EXPECT_EQ(facts.clockOffsetSeconds, -0.25);
  EXPECT_EQ(facts.clockErrorSeconds, 0.001);
  ASSERT_EQ(facts.lines.size(), 1u);
  EXPECT_EQ(facts.lines[0].id + facts.lines[0].title + facts.lines[0].expected + facts.lines[0].found + facts.lines[0].advice,
            "diskDisk40 MB41 MBfree some");
  EXPECT_EQ(facts.lines[0].state, check::CheckState::kWarning);
  EXPECT_EQ(hosts::loadFacts("gpu2"), std::nullopt);
  struct stat status{};
  ASSERT_EQ(::stat(file().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(Facts, ASpeedOfAnOlderFileIsOneThatNothingDisturbed) {
  std::filesystem::create_directories(folder_ / "config");
  std::ofstream(file()) << R"({"paceline_facts": 1, "hosts": {"gpu1": {"checked_utc": "2026-01-02T03:04:05Z", "speed_gflops": 99.5, "lines": []}}, "links": []})";
  const hosts::HostFacts facts = hosts::loadFacts("gpu1").value();
  EXPECT_EQ(facts.speed, 99.5);
  EXPECT_EQ(facts.speedLoad + facts.speedUtc, "");
}

TEST_F(Facts, ADisturbedSpeedTakesThePlaceOfNoQuietOne) {
  hosts::HostFacts facts = factsOfGpu1();
  facts.speed = 0;
  EXPECT_TRUE(hosts::takeSpeed(facts, 40, "a run was active there", "monday"));
  EXPECT_FALSE(hosts::takeSpeed(facts, 30, "2 runs were active there", "tuesday"));
  EXPECT_TRUE(hosts::takeSpeed(facts, 50, "2 runs were active there", "wednesday"));  // the least that it can do
  hosts::keepFacts(facts);
  facts = hosts::loadFacts("gpu1").value();
  EXPECT_EQ(facts.speed, 50);
  EXPECT_EQ(facts.speedLoad, "2 runs were active there");
  EXPECT_EQ(facts.speedUtc, "wednesday");
  EXPECT_TRUE(hosts::takeSpeed(facts, 45, "", "thursday"));
  EXPECT_FALSE(hosts::takeSpeed(facts, 90, "a run was active there", "friday"));
  EXPECT_EQ(facts.speed, 45);
  EXPECT_EQ(facts.speedUtc, "thursday");
  EXPECT_TRUE(hosts::takeSpeed(facts, 44, "", "saturday"));
}

TEST_F(Facts, ANewMeasureOfALinkReplacesTheOldOne) {
  hosts::keepLinks({{"a", "b", true, 900, 0.1, ""}, {"b", "a", true, 800, 0.2, ""}});
  hosts::keepLinks({{"a", "b", false, 0, 0, "a cannot reach b"}});
  const auto links = hosts::loadLinks();
  ASSERT_EQ(links.size(), 2u);
  EXPECT_EQ(links[0].mbps, 800);
  EXPECT_EQ(links[0].latencyMs, 0.2);
  EXPECT_EQ(links[1].problem, "a cannot reach b");
  EXPECT_FALSE(links[1].reachable);
}

TEST_F(Facts, ForgettingAHostForgetsItsLinks) {
  hosts::keepFacts(factsOfGpu1());
  hosts::keepLinks({{"gpu1", "b", true, 1, 1, ""}, {"b", "gpu1", true, 1, 1, ""}, {"b", "c", true, 1, 1, ""}});
  hosts::forgetFacts("gpu1");
  EXPECT_EQ(hosts::loadFacts("gpu1"), std::nullopt);
  ASSERT_EQ(hosts::loadLinks().size(), 1u);
  EXPECT_EQ(hosts::loadLinks()[0].to, "c");
}

TEST_F(Facts, ADamagedFileIsAnEmptyOne) {
  hosts::keepFacts(factsOfGpu1());
  for (const char* text : {"", "{", "[]", "null", R"({"paceline_facts": 2, "hosts": {}, "links": []})",
                           R"({"paceline_facts": 1, "hosts": [], "links": {}})", R"({"paceline_facts": 1, "hosts": {"gpu1": 7}, "links": []})"}) {
    std::ofstream(file()) << text;
    EXPECT_EQ(hosts::loadFacts("gpu1"), std::nullopt) << text;
    EXPECT_TRUE(hosts::loadLinks().empty());
  }
  std::ofstream(file())
      << R"({"paceline_facts": 1, "hosts": {"gpu1": {"probe": "x", "lines": [4, {}], "speed_gflops": "fast"}}, "links": [3, {"from": 1}]})";
  EXPECT_EQ(hosts::loadFacts("gpu1")->probe, "");
  EXPECT_EQ(hosts::loadLinks().size(), 2u);
  hosts::keepFacts(factsOfGpu1());
  EXPECT_EQ(hosts::loadFacts("gpu1")->speed, 99.5);
}

TEST_F(Facts, HostsThatAreKeptAtTheSameTimeAreAllKept) {
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back([i] {
        hosts::HostFacts facts = factsOfGpu1();
        facts.name = strCat("h", i);
        for (int again = 0; again < 5; ++again) hosts::keepFacts(facts);
      });
  }
  for (int i = 0; i < 8; ++i) EXPECT_TRUE(hosts::loadFacts(strCat("h", i)).has_value()) << i;
}

}  // namespace
}  // namespace paceline::tests

// Checks and links of hosts behind a real SSH server, end to end: connection, agent sent, probed, measured.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/cluster/check/host_check.h"
#include "app/cluster/hosts/facts.h"
#include "tests/cluster/cluster_fixture.h"
#include "tests/ssh/sshd_fixture.h"

namespace paceline::tests {
namespace {

class HostCheckSsh : public ClusterTest {
 protected:
  HostCheckSsh() { ::setenv("PACELINE_HOSTS", (folder_ / "hosts.json").c_str(), 1); }
  ~HostCheckSsh() override { ::unsetenv("PACELINE_HOSTS"); }
  void SetUp() override {
    if (const std::string why = noTestSshd(); !why.empty()) GTEST_SKIP() << why;
  }
  std::vector<check::CheckLine> check(const hosts::HostRegistry& book, const std::string& name) { return check::checkHost(book, name, *nobody_, {}); }
  static check::CheckLine at(const std::vector<check::CheckLine>& lines, const std::string& id) { return *std::ranges::find(lines, id, &check::CheckLine::id); }

  std::unique_ptr<hosts::CredentialPrompts> nobody_ = hosts::nobody();
};

TEST_F(HostCheckSsh, EveryLineOfAHostBehindSshIsJudged) {
  const TestSshd gpu1({.name = "gpu1"});
  hosts::HostRegistry book;
  book.put(gpu1.entry());
  const auto lines = check(book, "gpu1");
  for (const check::CheckLine& line : lines)
    EXPECT_TRUE(line.state == check::CheckState::kGood || line.state == check::CheckState::kWarning)
        << line.id << ": " << check::checkStateName(line.state) << " " << line.found;
  EXPECT_EQ(at(lines, "quoting").found, "all 255 bytes came back");
  EXPECT_EQ(at(lines, "interface").found, "lo 127.0.0.1");
  const hosts::HostFacts facts = hosts::loadFacts("gpu1").value();
  EXPECT_EQ(Json::parse(facts.probe)["hostname"], "gpu1");
  EXPECT_EQ(Json::parse(facts.probe)["cache_folder"], (gpu1.home() / ".cache" / "paceline").string());
  EXPECT_GT(facts.speed, 0);
  EXPECT_GT(facts.clockErrorSeconds, 0);
  EXPECT_LT(facts.clockOffsetSeconds, facts.clockErrorSeconds + 1e-3) << "it is this computer's clock";
}

TEST_F(HostCheckSsh, AChangedKeyIsTheKeysLineAndNothingIsSent) {
  TestSshd gpu1({.name = "gpu1"});
  hosts::HostRegistry book;
  book.put(gpu1.entry());
  gpu1.rekey();
  const auto lines = check(book, "gpu1");
  EXPECT_EQ(at(lines, "reachable").state, check::CheckState::kGood);
  EXPECT_EQ(at(lines, "key").state, check::CheckState::kBad);
  EXPECT_THAT(at(lines, "key").found, testing::StartsWith("gpu1: "));
  EXPECT_EQ(at(lines, "authentication").found, "not checked: its key is not accepted");
  EXPECT_FALSE(std::filesystem::exists(gpu1.home() / ".cache" / "paceline"));
}

TEST_F(HostCheckSsh, AHostThatIsGoneIsTheFirstLine) {
  hosts::HostRegistry book;
  {
    const TestSshd gpu1({.name = "gpu1"});
    book.put(gpu1.entry());
  }
  const auto lines = check(book, "gpu1");
  EXPECT_EQ(at(lines, "reachable").state, check::CheckState::kBad);
  EXPECT_EQ(at(lines, "key").found, "not checked: it cannot be reached");
}

TEST_F(HostCheckSsh, AFullDiskIsTheDisksLine) {
  const std::string cache = (folder_ / "small").string();
  std::filesystem::create_directories(cache);
  const TestSshd gpu1({.name = "gpu1", .env = {{"XDG_CACHE_HOME", cache}}, .smallDisks = {{cache, "1m"}}});
  hosts::HostRegistry book;
  book.put(gpu1.entry());
  const auto lines = check(book, "gpu1");
  EXPECT_EQ(at(lines, "disk").state, check::CheckState::kBad);
  EXPECT_THAT(at(lines, "disk").found, testing::MatchesRegex("gpu1: the disk of .*/small/paceline is full; .* MB are needed"));
  EXPECT_EQ(at(lines, "speed").state, check::CheckState::kSkipped);
}

TEST_F(HostCheckSsh, LinksBetweenHostsBehindSshAreMeasuredAndKept) {
  const TestSshd a({.name = "a", .address = "127.0.0.1"}), b({.name = "b", .address = "127.0.0.2"});
  hosts::HostRegistry book;
  for (hosts::HostEntry entry : {a.entry(), b.entry()}) {
    entry.dataAddress = entry.address;
    book.put(entry);
  }
  const auto links = check::measureLinks(book, {"a", "b"}, *nobody_, {});
  ASSERT_EQ(links.size(), 2u);
  for (const check::LinkMeasure& link : links) {
    EXPECT_TRUE(link.reachable) << link.problem;
    EXPECT_GT(link.mbps, 10);
  }
  EXPECT_EQ(hosts::loadLinks().size(), 2u);
}

}  // namespace
}  // namespace paceline::tests

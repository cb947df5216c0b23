// Every state that a host's key can be in, at every hop of a way without, with one and with two jump hosts.
#include "tests/ssh/ssh_test.h"

namespace paceline::tests {
namespace {

enum class KeyState { kKnown, kUnknownAccepted, kUnknownRefused, kChanged, kOfAnotherType, kRevoked };
constexpr const char* kNames[] = {"Known", "UnknownAccepted", "UnknownRefused", "Changed", "OfAnotherType", "Revoked"};

struct Case {
  KeyState state;
  std::size_t jumps, hop;  // which of the hops has it; the others are known
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (int state = 0; state < 6; ++state)
    for (std::size_t jumps = 0; jumps < 3; ++jumps)
      for (std::size_t hop = 0; hop <= jumps; ++hop) all.push_back({static_cast<KeyState>(state), jumps, hop});
  return all;
}

class KeyStates : public SshTest, public ::testing::WithParamInterface<Case> {
 protected:
  // The line of a machine that has keys of another type only.
  static void bringInto(KeyState state, TestSshd& machine, hosts::HostEntry& entry) {
    const std::string line = read(machine.folder() / "known_hosts");
    if (state == KeyState::kUnknownAccepted || state == KeyState::kUnknownRefused) entry.knownHosts = (machine.folder() / "none").string();
    if (state == KeyState::kChanged) machine.rekey();
    if (state == KeyState::kRevoked) write(entry.knownHosts, line + "@revoked " + line);
    if (state != KeyState::kOfAnotherType) return;
    TestSshd other({.name = "other", .hostKeyTypes = {"ecdsa"}});
    const std::string theirs = read(other.folder() / "known_hosts");
    write(entry.knownHosts, strCat("[", entry.address, "]:", entry.port, theirs.substr(theirs.find(' '))));
  }

  static std::string reasonOf(KeyState state) {
    switch (state) {
      case KeyState::kUnknownRefused: return " is not known: ";
      case KeyState::kChanged: return " has changed: ";
      case KeyState::kOfAnotherType: return " is of another type than the known one: ";
      case KeyState::kRevoked: return ", is marked as revoked ";
      default: return "";
    }
  }
};

TEST_P(KeyStates, AreFoundWhereverTheyAre) {
  const auto [state, jumps, hop] = GetParam();
  constexpr const char* kHops[] = {"first", "second", "third"};
  std::vector<std::unique_ptr<TestSshd>> machines;
  std::vector<hosts::HostEntry> way;
  for (std::size_t i = 0; i <= jumps; ++i) {
    machines.push_back(std::make_unique<TestSshd>(SshdOptions{.name = kHops[i]}));
    way.push_back(machines.back()->entry());
  }
  const std::string before = read(way[hop].knownHosts);
  bringInto(state, *machines[hop], way[hop]);
  Asked person({}, state == KeyState::kUnknownAccepted);
  const std::string reason = reasonOf(state);
  if (reason.empty()) {
    EXPECT_EQ(run(way, person, {"hostname"}), strCat(kHops[jumps], "\n"));
    EXPECT_EQ(read(way[hop].knownHosts), before);  // an accepted key is known from now on
  } else {
    const std::string known = read(way[hop].knownHosts);
    const Refusal refused = refusal(way, person);
    EXPECT_THAT(refused.message, ::testing::StartsWith(strCat(kHops[jumps], ": ")));
    EXPECT_THAT(refused.message, ::testing::HasSubstr(strCat(kHops[hop], ": the key of ", at(way[hop]))));
    EXPECT_THAT(refused.message, ::testing::HasSubstr(reason));
    EXPECT_EQ(refused.stage, hop == jumps ? ssh::SshStage::kKey : ssh::SshStage::kReach);
    EXPECT_EQ(read(way[hop].knownHosts), known);
  }
  // Only an unknown key is a question, and it names its host.
  const bool asked = state == KeyState::kUnknownAccepted || state == KeyState::kUnknownRefused;
  ASSERT_EQ(person.keys.size(), asked ? 1U : 0U);
  if (asked) { EXPECT_EQ(person.keys[0].host, kHops[hop]); }
}

INSTANTIATE_TEST_SUITE_P(All, KeyStates, ::testing::ValuesIn(cases()), [](const auto& info) {
  return strCat(kNames[static_cast<int>(info.param.state)], "At", info.param.hop + 1, "Of", info.param.jumps + 1);
});

}  // namespace
}  // namespace paceline::tests

// The host's key: known, unknown, changed, of another type, revoked; hashed names and ports.
#include <sys/resource.h>

#include <fstream>

#include "engine/core/base/disk.h"
#include "tests/ssh/ssh_test.h"

namespace paceline::tests {
namespace {

class HostKey : public SshTest {};

TEST_F(HostKey, UnknownIsAskedOnceAndThenKnown) {
  TestSshd machine({.name = "gpu1"});
  hosts::HostEntry entry = machine.entry();
  entry.knownHosts = (machine.folder() / "new" / "known").string();
  Asked person({}, true);
  EXPECT_EQ(run({entry}, person, {"hostname"}), "gpu1\n");
  ASSERT_EQ(person.keys.size(), 1u);
  EXPECT_EQ(person.keys[0].host, "gpu1");
  EXPECT_EQ(person.keys[0].address, at(entry));
  EXPECT_EQ(person.keys[0].type, "ssh-ed25519");
  EXPECT_EQ(person.keys[0].fingerprint, fingerprint(machine.folder() / "host_ed25519.pub"));
  EXPECT_EQ(read(entry.knownHosts), read(machine.folder() / "known_hosts"));
  Asked nobodyNeeded;
  EXPECT_EQ(run({entry}, nobodyNeeded, {"hostname"}), "gpu1\n");
  EXPECT_TRUE(nobodyNeeded.keys.empty());
}

TEST_F(HostKey, UnknownWithNobodyToAskIsRefused) {
  TestSshd machine({.name = "gpu1"});
  hosts::HostEntry entry = machine.entry();
  entry.knownHosts = (machine.folder() / "none").string();
  const Refusal refused = refusal({entry}, *hosts::nobody());
  EXPECT_EQ(refused.message, strCat("gpu1: the key of ", at(entry), " is not known: ssh-ed25519 ", fingerprint(machine.folder() / "host_ed25519.pub"),
                                    "; compare it with the host's own (ssh-keygen -lf /etc/ssh/ssh_host_*_key.pub) and accept it, or add it to ", entry.knownHosts));
  EXPECT_EQ(refused.stage, ssh::SshStage::kKey);
  EXPECT_FALSE(std::filesystem::exists(entry.knownHosts));
}

// Ten bytes fit; then another program adds a line.
TEST_F(HostKey, OneThatIsOnlyHalfWrittenIsTakenAwayAndNothingElse) {
  TestSshd machine;
  hosts::HostEntry entry = machine.entry();
  entry.knownHosts = (machine.folder() / "full").string();
  entry.acceptNewKey = true;
  std::ofstream(entry.knownHosts) << "# mine\n";
  disk::tellFileSizeLimits();
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{.rlim_cur = 7 + 10, .rlim_max = before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  static rlimit normal;
  static std::string file;
  static int writes;
  normal = before, file = entry.knownHosts, writes = 0;
  disk::fault = [](const char* call) {
    if (std::string_view(call) != "write" || ++writes != 2) return 0;
    ::setrlimit(RLIMIT_FSIZE, &normal);
    std::ofstream(file, std::ios::app) << "other ssh-ed25519 AAAA\n";
    return EFBIG;
  };
  std::string said;
  try {
    Asked nobodyNeeded;
    run({entry}, nobodyNeeded, {"hostname"});
  } catch (const Error& error) {
    said = error.what();
  }
  disk::fault = nullptr;
  ::setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(writes, 2);
  EXPECT_EQ(said, strCat("host: cannot write its key to ", entry.knownHosts, ": File too large"));
  EXPECT_EQ(read(entry.knownHosts), strCat("# mine\n", std::string(10, '\n'), "other ssh-ed25519 AAAA\n"));
  Asked person;
  EXPECT_EQ(run({entry}, person, {"hostname"}), "host\n");
}

TEST_F(HostKey, AcceptNewKeyTakesAnUnknownOneWithoutAsking) {
  TestSshd machine;
  hosts::HostEntry entry = machine.entry();
  entry.knownHosts = (machine.folder() / "none").string();
  entry.acceptNewKey = true;
  Asked person;
  EXPECT_EQ(run({entry}, person, {"hostname"}), "host\n");
  EXPECT_TRUE(person.keys.empty());
}

TEST_F(HostKey, AChangedOneIsAHardStopWithBothFingerprints) {
  TestSshd machine({.name = "gpu1"});
  hosts::HostEntry entry = machine.entry();
  entry.acceptNewKey = true;
  const std::string before = fingerprint(machine.folder() / "host_ed25519.pub");
  machine.rekey();
  const std::string after = fingerprint(machine.folder() / "host_ed25519.pub");
  write(entry.knownHosts, "# a comment\n" + read(entry.knownHosts));
  Asked person({}, true);
  const Refusal refused = refusal({entry}, person);
  EXPECT_EQ(refused.message,
            strCat("gpu1: the key of ", at(entry), " has changed: known is ssh-ed25519 ", before, " (", entry.knownHosts, ":2), it shows ", after,
                   "; somebody may be listening in. If the host was set up anew, remove that line and connect again"));
  EXPECT_EQ(refused.stage, ssh::SshStage::kKey);
  EXPECT_TRUE(person.keys.empty());
}

TEST_F(HostKey, OneOfAnotherTypeIsAHardStop) {
  TestSshd known({.name = "old", .hostKeyTypes = {"ecdsa"}}), machine({.name = "gpu1"});
  hosts::HostEntry entry = machine.entry();
  const std::string line = read(known.folder() / "known_hosts");
  write(entry.knownHosts, strCat("[", entry.address, "]:", entry.port, line.substr(line.find(' '))));
  entry.acceptNewKey = true;
  Asked person({}, true);
  EXPECT_EQ(refusal({entry}, person).message,
            strCat("gpu1: the key of ", at(entry), " is of another type than the known one: known is ecdsa-sha2-nistp256 ",
                   fingerprint(known.folder() / "host_ecdsa.pub"), " (", entry.knownHosts, ":1), it shows ssh-ed25519 ",
                   fingerprint(machine.folder() / "host_ed25519.pub"),
                   "; somebody may be listening in. If the host was set up anew, remove that line and connect again"));
  EXPECT_TRUE(person.keys.empty());
}

TEST_F(HostKey, ARevokedOneIsRefused) {
  TestSshd machine({.name = "gpu1"});
  hosts::HostEntry entry = machine.entry();
  write(entry.knownHosts, read(entry.knownHosts) + "@revoked " + read(machine.folder() / "known_hosts"));
  EXPECT_EQ(refusal({entry}, *hosts::nobody()).message,
            strCat("gpu1: the key of ", at(entry), ", ", fingerprint(machine.folder() / "host_ed25519.pub"), ", is marked as revoked (", entry.knownHosts,
                   ":2); the host needs a new key"));
}

TEST_F(HostKey, AServerWithSeveralKeysIsAskedForTheKnownType) {
  TestSshd machine({.name = "gpu1", .hostKeyTypes = {"ed25519", "ecdsa", "rsa"}});
  const hosts::HostEntry entry = machine.entry();
  for (const char* type : {"ssh-rsa", "ecdsa-sha2-nistp256", "ssh-ed25519"}) {
    std::istringstream lines(read(machine.folder() / "known_hosts"));
    hosts::HostEntry only = entry;
    only.knownHosts = (machine.folder() / type).string();
    for (std::string line; std::getline(lines, line);)
      if (line.find(type) != std::string::npos) write(only.knownHosts, line);  // without a newline at its end
    EXPECT_EQ(run({only}, *hosts::nobody(), {"hostname"}), "gpu1\n") << type;
  }
}

TEST_F(HostKey, HashedNamesAreFound) {
  TestSshd machine({.name = "gpu1"});
  const hosts::HostEntry entry = machine.entry();
  output({"ssh-keygen", "-q", "-H", "-f", entry.knownHosts});
  EXPECT_THAT(read(entry.knownHosts), ::testing::StartsWith("|1|"));
  EXPECT_EQ(run({entry}, *hosts::nobody(), {"hostname"}), "gpu1\n");
}

}  // namespace
}  // namespace paceline::tests

// Machines behind SSH for tests, made of this one: each has a real sshd with own keys, PIDs, home (so its own ~/.cache) and host name.
// Used by one thread. The destructor ends the machine with all that runs on it.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/cluster/hosts/host_registry.h"
#include "app/cluster/hosts/local_process.h"

namespace paceline::tests {

struct SshdOptions {
  std::string name = "host";                 // its host name too
  std::string address = "127.0.0.1";         // any of 127.0.0.0/8
  std::map<std::string, std::string> env{};  // for every command there; PACELINE_AGENT_DIR and XDG_CACHE_HOME are unset unless given here
  std::vector<std::string> hostKeyTypes{"ed25519"};  // ed25519 rsa ecdsa
  std::string methods{};                     // AuthenticationMethods, as "publickey,password"; "": any that follows from the rest
  std::string password{};                    // root's there; "": none
  int questions = 0;                         // rounds of keyboard-interactive: the first wants the password, others any word (then "password" is off)
  std::string shell{};                       // login shell; "": root's
  std::vector<std::string> settings{};       // more lines for sshd_config, as "MaxSessions 2"
  std::string listenNetwork{}, runNetwork{};  // files of network namespaces; "": the test's. A jump host runs in the one its target listens in
  std::map<std::string, std::string> mounts{};      // target -> source, bind mounts only that machine sees
  std::map<std::string, std::string> smallDisks{};  // folder -> size ("40m"), file systems that run full
};

// "" or the reason for which no machine can be made here (not root): GTEST_SKIP() << noTestSshd();
std::string noTestSshd();

class TestSshd {
 public:
  explicit TestSshd(const SshdOptions& options = {});
  ~TestSshd();
  TestSshd(const TestSshd&) = delete;
  TestSshd& operator=(const TestSshd&) = delete;

  hosts::HostEntry entry() const;  // with address, port, user, identity and a known_hosts file that has its keys
  int port() const { return port_; }
  const std::filesystem::path& folder() const { return folder_; }  // has id_ed25519, authorized_keys, known_hosts, home, sshd.log
  std::filesystem::path home() const { return folder_ / "home"; }
  std::string log() const;

  void drop();    // ends every connection at once
  void freeze();  // connections stay open, nothing answers; new ones neither
  void thaw();
  std::string rekey();  // new host keys; returns their known_hosts lines (the file keeps the old ones)
  void crash();         // the machine ends with all on it
  std::vector<std::string> processes();  // "PID COMMAND LINE" of all but sshd

 private:
  std::string command(const std::string& word);
  SshdOptions options_;
  std::filesystem::path folder_;
  int port_ = 0;
  std::unique_ptr<hosts::LocalProcess> machine_;
};

// A network of its own whose loopback is up: for hosts that only a jump host reaches.
class TestNetwork {
 public:
  TestNetwork();
  ~TestNetwork();
  TestNetwork(const TestNetwork&) = delete;
  TestNetwork& operator=(const TestNetwork&) = delete;
  std::string path() const;  // for listenNetwork, runNetwork

 private:
  int fd_ = -1;
};

}  // namespace paceline::tests

// The hosts that a spec may name: hosts.json in $XDG_CONFIG_HOME/paceline ($PACELINE_HOSTS names another file), mode 0600, written
// atomically. Holds no secret. "local" is always there. Values only; not thread-safe, copy it.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace paceline::hosts {

struct HostEntry {
  std::string name;          // as in a node's "host"; 1 to 64 letters, digits, '_', '-', '.'
  std::string kind = "ssh";  // "local", "ssh", "slurm", "exec"
  std::string address;       // host name, IP or an alias of ~/.ssh/config
  int port = 0;              // 0: what ~/.ssh/config says, else 22
  std::string user, identity, knownHosts;  // "": what ~/.ssh/config says, else OpenSSH's defaults
  std::string jump;          // name of another entry; "": what ~/.ssh/config says (ProxyJump), else none
  bool acceptNewKey = false;  // an unknown key is accepted without asking; a changed one never
  std::string dataAddress;   // IP of the interface that carries the runs' traffic; "": the address
  std::string libraries;     // folder there that has LibTorch; "": the system's own, else a bundle is sent
  std::map<std::string, std::string> env{};    // added to every command there (as PACELINE_AGENT_DIR, XDG_CACHE_HOME); nothing secret
  std::vector<std::string> slurm{};            // kind "slurm": options for sbatch; address "" is this computer's own slurm
  std::string job{};                           // kind "slurm": whose nodes this is one of, all of one allocation; "": it has a job of its own
  int jobNodes = 1, jobNode = 0;               // how many that are, and which one this is, from 0
  std::string command{};                       // kind "exec": what gives a shell there (exec_host.h)
  bool operator==(const HostEntry&) const = default;
};

// "SSH port; default: from ~/.ssh/config, else 22", of a member by its key in hosts.json.
std::string fieldHelp(std::string_view key);

class HostRegistry {
 public:
  HostRegistry();  // only "local", in no file yet
  static std::string defaultPath();
  static HostRegistry load(const std::string& path);  // no file: only "local". Throws Error{kFormat, kFile} naming file and place
  void save() const;                              // throws Error{kFile}

  const std::vector<HostEntry>& entries() const { return entries_; }  // "local" first
  const HostEntry* find(const std::string& name) const;
  const HostEntry& require(const std::string& name) const;            // throws Error{kHost}: `host "x" is not known; have local, a, b`
  void put(HostEntry entry);                       // adds or replaces; throws Error{kUsage} for a bad name, port, jump (unknown, a circle)
  void remove(const std::string& name);            // throws Error{kHost}: not known, "local", or another host jumps over it
  std::vector<std::string> names() const;          // for validate()

 private:
  void checkJumps(const HostEntry& entry) const;

  std::string path_ = defaultPath();
  std::vector<HostEntry> entries_;
};

}  // namespace paceline::hosts

// What OpenSSH's files say of a host, and why one could not be connected to. The settings of ~/.ssh/config: through `ssh -G` where its client is
// installed, else through a reader of our own. Any thread. $PACELINE_SSH_CONFIG names another file than ~/.ssh/config.
#pragma once

#include "app/cluster/hosts/host_registry.h"
#include "engine/core/base/error.h"

namespace paceline::ssh {

// How far a connection got: the host checks put its sentence on the line it belongs to.
enum class SshStage {
  kReach,         // name, route, port, no SSH there, handshake; also a jump host on the way
  kKey,           // host key changed, of another type, revoked, unknown and not accepted
  kAuthenticate,  // every way to log in was refused
};

class SshError : public Error {
 public:
  SshError(SshStage stage, const std::string& message) : SshError(stage, message, stage == SshStage::kReach) {}
  SshError(SshStage stage, const std::string& message, bool mayPass) : Error(Errc::kHost, message), stage_(stage), mayPass_(mayPass) {}
  SshStage stage() const { return stage_; }
  bool mayPass() const { return mayPass_; }  // without anybody's doing: nothing answered

 private:
  SshStage stage_;
  bool mayPass_;
};

// One hop as it will be connected to: the host list's entry with everything that ~/.ssh/config adds.
struct ResolvedAlias {
  std::string name;                     // for messages: the entry's name, or the jump host as the config has it
  std::string host, user;               // what is connected to, and as whom
  int port = 22;
  std::vector<std::string> identities;  // key files to try, in order
  bool identitiesOnly = false;          // the agent's other keys are not tried
  bool identitiesNamed = false;         // by the host list or the config: a missing file is worth a word
  std::string agent;                    // socket of the agent; "": none
  std::vector<std::string> knownHosts;  // files, the first is written to
  std::vector<std::string> globalKnownHosts;
  std::string hostKeyAlias;
  std::vector<std::string> jumps;       // ProxyJump, from the nearest: [user@]host[:port]
  std::string proxyCommand;             // never run
  bool neverAsk = false;                // StrictHostKeyChecking yes: an unknown key is refused without asking
  bool acceptNewKey = false;
  double aliveSeconds = 0, connectSeconds = 0;  // 0: not given
};

// The entry's own fields win over the config's. Throws SshError{kReach} when the config cannot be used: what ssh says of it.
ResolvedAlias resolveAlias(const hosts::HostEntry& entry);

// Names of `Host` lines without wildcards, in order, each once; follows Include. No file: none.
std::vector<std::string> sshAliases(const std::string& path = "");

std::string sshConfigPath();

// OpenSSH's known_hosts: lookup with line numbers, hashed names, [host]:port, wildcards, @revoked. Pure but for the files.
enum class KnownKey {
  kOk,
  kChanged,   // another key of the same type is known
  kOther,     // keys of other types only are known
  kNotFound,  // there is no file yet
  kUnknown,   // the host is in no file
  kError,     // a file cannot be read
  kRevoked,   // this very key is marked @revoked
};

struct KnownHostLine {
  std::string file, marker, type, key;  // marker: "", "@revoked", "@cert-authority"; key: base64
  int line = 0;
  bool withoutPort = false;  // of the host without "[]:port": only the same key counts, as with OpenSSH
};

struct KnownHosts {
  std::vector<KnownHostLine> lines;  // those of this host
  bool anyFile = false;
  std::string problem;               // a file that is there and cannot be read
};

// The name under which a host is looked up: HostKeyAlias, else "host" for port 22, else "[host]:port"; lower case.
std::string knownHostsName(const ResolvedAlias& target);
KnownHosts readKnownHosts(const ResolvedAlias& target);

struct KnownKeyVerdict {
  KnownKey state = KnownKey::kError;
  KnownHostLine line;  // the one that decides: the same key, or the first that contradicts
};
KnownKeyVerdict judgeKey(const KnownHosts& known, const std::string& type, const std::string& key);

}  // namespace paceline::ssh

// One hop as it will be connected to: the host list's entry with everything that ~/.ssh/config adds. Made by config.h.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace paceline::ssh {

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
  std::vector<std::string> unsupported;  // "Ciphers aes128-ctr": set in the config and not honoured here
  std::vector<std::string> warnings;     // sentences, as about modes of ~/.ssh
};

}  // namespace paceline::ssh

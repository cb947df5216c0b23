// OpenSSH's known_hosts: lookup with line numbers, hashed names, [host]:port, wildcards, @revoked; and adding a line. Pure but for the files.
#pragma once

#include <string>
#include <vector>

#include "app/cluster/ssh/target.h"

namespace paceline::ssh {

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

// Appends to the first file, which it makes with mode 0600 (its folder 0700). Throws Error{kFile}.
void addKnownHost(const ResolvedAlias& target, const std::string& type, const std::string& key);

std::string keyFingerprint(const std::string& type, const std::string& base64);  // "SHA256:...", or "(not a key)"

}  // namespace paceline::ssh

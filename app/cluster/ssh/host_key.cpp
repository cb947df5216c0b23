#include <memory>

#include "app/cluster/ssh/error.h"
#include "app/cluster/ssh/known_hosts.h"
#include "app/cluster/ssh/login.h"

namespace paceline::ssh {
namespace {

struct ShownKey {
  std::string type, key, fingerprint;
};

ShownKey keyOf(SshConnection& connection) {
  ssh_key raw = nullptr;
  if (::ssh_get_server_publickey(connection.session(), &raw) != SSH_OK)
    throw SshError(SshStage::kKey, strCat(connection.target().name, ": ", connection.where(), " shows no host key"));
  const std::unique_ptr<ssh_key_struct, decltype(&::ssh_key_free)> key(raw, &::ssh_key_free);
  ShownKey shown{.type = ::ssh_key_type_to_char(::ssh_key_type(key.get())), .key = {}, .fingerprint = {}};
  char* base64 = nullptr;
  if (::ssh_pki_export_pubkey_base64(key.get(), &base64) == SSH_OK) shown.key = base64;
  ::ssh_string_free_char(base64);
  shown.fingerprint = keyFingerprint(shown.type, shown.key);
  return shown;
}

std::string refusal(const SshConnection& connection, const ShownKey& shown, const KnownKeyVerdict& verdict, const std::string& problem) {
  const std::string where = connection.where(), place = strCat(verdict.line.file, ":", verdict.line.line);
  const std::string known = strCat(verdict.line.type, " ", keyFingerprint(verdict.line.type, verdict.line.key));
  const char* warning = "; somebody may be listening in. If the host was set up anew, remove that line and connect again";
  switch (verdict.state) {
    case KnownKey::kChanged:
      return strCat("the key of ", where, " has changed: known is ", known, " (", place, "), it shows ", shown.fingerprint, warning);
    case KnownKey::kOther:
      return strCat("the key of ", where, " is of another type than the known one: known is ", known, " (", place, "), it shows ", shown.type, " ",
                    shown.fingerprint, warning);
    case KnownKey::kRevoked:
      return strCat("the key of ", where, ", ", shown.fingerprint, ", is marked as revoked (", place, "); the host needs a new key");
    case KnownKey::kError: return strCat("the key of ", where, " cannot be compared: ", problem);
    default:
      return strCat("the key of ", where, " is not known: ", shown.type, " ", shown.fingerprint,
                    "; compare it with the host's own (ssh-keygen -lf /etc/ssh/ssh_host_*_key.pub) and accept it, or add it to ",
                    connection.target().knownHosts.at(0));
  }
}

}  // namespace

void verifyHostKey(SshConnection& connection, hosts::CredentialPrompts& prompts) {
  const ResolvedAlias& target = connection.target();
  const ShownKey shown = keyOf(connection);
  const KnownHosts known = readKnownHosts(target);
  const KnownKeyVerdict verdict = judgeKey(known, shown.type, shown.key);
  if (verdict.state == KnownKey::kOk) return;
  const bool unknown = verdict.state == KnownKey::kUnknown || verdict.state == KnownKey::kNotFound;
  const bool accepted = unknown && (target.acceptNewKey ||
                                    (!target.neverAsk && prompts.acceptKey({.host = target.name, .address = connection.where(), .type = shown.type,
                                                                              .fingerprint = shown.fingerprint})));
  if (!accepted) throw SshError(SshStage::kKey, strCat(target.name, ": ", refusal(connection, shown, verdict, known.problem)));
  addKnownHost(target, shown.type, shown.key);
}

}  // namespace paceline::ssh

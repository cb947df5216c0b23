#include "app/cluster/ssh/config.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cctype>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "app/cluster/ssh/connection.h"
#include "engine/core/base/disk.h"
#include "engine/core/base/text.h"

namespace paceline::ssh {
namespace {

// libssh matches names: plain, wildcards, negation, hashed.
bool namesHost(const std::string& line, const std::string& name) {
  ssh_knownhosts_entry* entry = nullptr;
  const bool found = ::ssh_known_hosts_parse_line(name.c_str(), line.c_str(), &entry) == SSH_OK;
  if (entry != nullptr) ::ssh_knownhosts_entry_free(entry);
  return found;
}

void readFile(const std::string& file, const std::string& name, const std::string& portless, KnownHosts& known) {
  std::ifstream in(file);
  if (!in) {
    struct stat unused;
    if (::stat(file.c_str(), &unused) == 0) known.problem = strCat(file, ": ", std::strerror(EACCES));
    return;
  }
  known.anyFile = true;
  int number = 0;
  for (std::string text; std::getline(in, text);) {
    ++number;
    std::istringstream words(text);
    KnownHostLine line{.file = file, .marker = {}, .type = {}, .key = {}, .line = number};
    std::string names;
    words >> names;
    if (!names.empty() && names[0] == '@') {
      line.marker = names;
      words >> names;
    }
    if (names.empty() || names[0] == '#' || !(words >> line.type >> line.key)) continue;
    const std::string entry = strCat(names, " ", line.type, " ", line.key);
    line.withoutPort = !namesHost(entry, name);
    if (!line.withoutPort || (!portless.empty() && namesHost(entry, portless))) known.lines.push_back(line);
  }
}

// One line behind whatever others append meanwhile: ssh does it without a lock. false: errno says why, and where a piece of the line was taken there are
// empty lines, for a piece of a key would be another key, and cutting the file would take what came behind it.
bool appendLine(int fd, std::string_view line) {
  const ssize_t taken = disk::write(fd, line);
  if (taken < 0) return false;
  const off_t end = ::lseek(fd, 0, SEEK_CUR);
  if (disk::writeAll(fd, line.substr(static_cast<std::size_t>(taken)))) return true;
  const int reason = errno;
  ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) & ~O_APPEND);
  (void)disk::pwrite(fd, std::string(static_cast<std::size_t>(taken), '\n'), end - taken);
  errno = reason;
  return false;
}

// Appends to the first file, which it makes with mode 0600 (its folder 0700). Throws Error{kFile}.
void addKnownHost(const ResolvedAlias& target, const std::string& type, const std::string& key) {
  const std::filesystem::path file = target.knownHosts.at(0);
  std::error_code ignored;
  if (std::filesystem::create_directories(file.parent_path(), ignored)) ::chmod(file.parent_path().c_str(), 0700);
  const Fd fd(disk::open(file.string(), O_RDWR | O_CREAT | O_APPEND, 0600));
  char last = '\n';
  const off_t size = fd ? ::lseek(fd.get(), 0, SEEK_END) : 0;
  const bool open = size > 0 && ::pread(fd.get(), &last, 1, size - 1) == 1 && last != '\n';  // its last line has no newline
  const std::string line = strCat(open ? "\n" : "", knownHostsName(target), " ", type, " ", key, "\n");
  if (fd && appendLine(fd.get(), line)) return;
  throw Error(Errc::kFile, strCat(target.name, ": cannot write its key to ", file.string(), ": ", std::strerror(errno)));
}

// "SHA256:...", or "(not a key)".
std::string keyFingerprint(const std::string& type, const std::string& base64) {
  ssh_key key = nullptr;
  if (::ssh_pki_import_pubkey_base64(base64.c_str(), ::ssh_key_type_from_name(type.c_str()), &key) != SSH_OK) return "(not a key)";
  unsigned char* hash = nullptr;
  std::size_t size = 0;
  std::string text;
  if (::ssh_get_publickey_hash(key, SSH_PUBLICKEY_HASH_SHA256, &hash, &size) == SSH_OK) {
    char* shown = ::ssh_get_fingerprint_hash(SSH_PUBLICKEY_HASH_SHA256, hash, size);
    if (shown != nullptr) text = shown;
    ::ssh_string_free_char(shown);
    ::ssh_clean_pubkey_hash(&hash);
  }
  ::ssh_key_free(key);
  return text;
}

struct ShownKey {
  std::string type, key, fingerprint;
};

ShownKey keyOf(const SshConnection& connection) {
  ssh_key key = nullptr;
  if (::ssh_get_server_publickey(connection.session(), &key) != SSH_OK)
    throw SshError(SshStage::kKey, strCat(connection.target().name, ": ", connection.where(), " shows no host key"));
  ShownKey shown{.type = ::ssh_key_type_to_char(::ssh_key_type(key)), .key = {}, .fingerprint = {}};
  char* base64 = nullptr;
  if (::ssh_pki_export_pubkey_base64(key, &base64) == SSH_OK) shown.key = base64;
  ::ssh_string_free_char(base64);
  ::ssh_key_free(key);
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

std::string knownHostsName(const ResolvedAlias& target) {
  const std::string name = lowerCase(target.hostKeyAlias.empty() ? target.host : target.hostKeyAlias);
  return target.hostKeyAlias.empty() && target.port != 22 ? strCat("[", name, "]:", target.port) : name;
}

KnownHosts readKnownHosts(const ResolvedAlias& target) {
  KnownHosts known;
  const std::string name = knownHostsName(target);
  for (const auto* files : {&target.knownHosts, &target.globalKnownHosts})
    for (const std::string& file : *files) readFile(file, name, name[0] == '[' ? name.substr(1, name.rfind(']') - 1) : "", known);
  return known;
}

KnownKeyVerdict judgeKey(const KnownHosts& known, const std::string& type, const std::string& key) {
  const KnownHostLine *same = nullptr, *changed = nullptr, *other = nullptr;
  for (const KnownHostLine& line : known.lines) {
    if (line.marker == "@revoked" && line.key == key) return {KnownKey::kRevoked, line};
    if (!line.marker.empty() || (line.withoutPort && line.key != key)) continue;
    const KnownHostLine*& slot = line.key == key ? same : line.type == type ? changed : other;
    if (slot == nullptr) slot = &line;
  }
  if (same != nullptr) return {KnownKey::kOk, *same};
  if (changed != nullptr) return {KnownKey::kChanged, *changed};
  if (other != nullptr) return {KnownKey::kOther, *other};
  if (!known.problem.empty()) return {KnownKey::kError, {}};
  return {known.anyFile ? KnownKey::kUnknown : KnownKey::kNotFound, {}};
}

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

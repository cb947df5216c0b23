#include "app/cluster/ssh/login.h"

#include <functional>
#include <memory>
#include <set>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/cluster/ssh/agent_filter.h"
#include "app/cluster/ssh/error.h"
#include "app/cluster/ssh/known_hosts.h"

namespace paceline::ssh {

namespace {

constexpr int kTries = 3;  // of a password or passphrase, as with OpenSSH

using Key = std::unique_ptr<ssh_key_struct, decltype(&::ssh_key_free)>;
Key owned(ssh_key raw) { return Key(raw, &::ssh_key_free); }

// Overwritten before its memory is given back.
struct Secret {
  std::optional<std::string> text;
  explicit Secret(std::optional<std::string> given) : text(std::move(given)) {}
  Secret(const Secret&) = delete;
  Secret& operator=(const Secret&) = delete;
  ~Secret() {
    if (text) ::explicit_bzero(text->data(), text->size());
  }
};

std::string methodNames(int methods) {
  std::string names;
  const auto add = [&](unsigned bit, const char* name) {
    if ((static_cast<unsigned>(methods) & bit) != 0) names += strCat(names.empty() ? "" : ", ", name);
  };
  add(SSH_AUTH_METHOD_PUBLICKEY, "publickey");
  add(SSH_AUTH_METHOD_PASSWORD, "password");
  add(SSH_AUTH_METHOD_INTERACTIVE, "keyboard-interactive");
  add(SSH_AUTH_METHOD_HOSTBASED, "hostbased");
  add(SSH_AUTH_METHOD_GSSAPI_MIC, "gssapi-with-mic");
  return names.empty() ? "nothing we know" : names;
}

// One attempt to log in. Each way returns what the server said; it remembers what it tried, for the message.
class Login {
 public:
  Login(SshConnection& connection, hosts::CredentialPrompts& prompts, double seconds)
      : connection_(connection), session_(connection.session()), target_(connection.target()), prompts_(prompts), seconds_(seconds) {}

  void run() {
    int result = ask([this] { return ::ssh_userauth_none(session_, nullptr); });
    while (result != SSH_AUTH_SUCCESS) {
      offered_ = ::ssh_userauth_list(session_, nullptr);
      const int before = partial_;
      result = tryAll();
      if (result != SSH_AUTH_SUCCESS && partial_ == before) refuse();
    }
  }

 private:
  // Every method on offer that was not used yet, until one succeeds, in whole or in part.
  int tryAll() {
    const std::pair<unsigned, int (Login::*)()> ways[] = {{SSH_AUTH_METHOD_PUBLICKEY, &Login::publicKey},
                                                          {SSH_AUTH_METHOD_INTERACTIVE, &Login::interactive},
                                                          {SSH_AUTH_METHOD_PASSWORD, &Login::password}};
    for (const auto& [method, way] : ways) {
      if ((static_cast<unsigned>(offered_) & method) == 0) continue;
      const int result = (this->*way)();
      if (result == SSH_AUTH_PARTIAL) ++partial_;
      if (result == SSH_AUTH_SUCCESS || result == SSH_AUTH_PARTIAL) return result;
    }
    return SSH_AUTH_DENIED;
  }

  [[noreturn]] void refuse() {
    std::string tried;
    for (const std::string& each : tried_) tried += strCat(tried.empty() ? "" : ", ", each);
    throw SshError(SshStage::kAuthenticate,
                   strCat(target_.name, ": ", connection_.where(), " does not let ", target_.user, " in: it ", partial_ > 0 ? "still wants " : "accepts ",
                          methodNames(offered_), "; ", tried.empty() ? "nothing could be tried" : "tried: ", tried));
  }

  int ask(const std::function<int()>& call) {
    const auto result = connection_.until(seconds_, SSH_AUTH_AGAIN, call);
    if (!result)
      throw SshError(SshStage::kAuthenticate, strCat(target_.name, ": ", connection_.where(), " did not answer the log-in within ", seconds_, " s"));
    if (*result == SSH_AUTH_ERROR && ::ssh_is_connected(session_) == 0) {
      tried_.push_back("then it closed the connection (too many attempts?)");
      refuse();
    }
    return *result;
  }

  // ---- public key
  // The agent's copies of our key files come first (they need no passphrase), then the files, then whatever else the agent has: a server
  // ends the connection after a few wrong keys.
  int publicKey() {
    const auto through = [](int result) { return result == SSH_AUTH_SUCCESS || result == SSH_AUTH_PARTIAL; };
    const bool named = target_.identitiesNamed || target_.identitiesOnly;
    int result = agent(named ? AgentFilter::Show::kWanted : AgentFilter::Show::kAll);
    if (through(result)) return result;
    for (const std::string& file : target_.identities) {
      result = files_.contains(file) ? SSH_AUTH_DENIED : keyFile(file);
      if (through(result)) return result;
    }
    return named && !target_.identitiesOnly ? agent(AgentFilter::Show::kOthers) : SSH_AUTH_DENIED;
  }

  int agent(AgentFilter::Show which) {
    if (target_.agent.empty() || partial_ > 0) return SSH_AUTH_DENIED;  // the same key twice is no second factor
    if (!agent_) {
      std::vector<std::string> wanted;
      for (const std::string& file : target_.identities)
        if (const std::string key = publicPart(file); !key.empty()) wanted.push_back(key);
      agent_ = std::make_unique<AgentFilter>(target_.agent, wanted);
      const int socket = agent_->releaseSocket();
      if (socket >= 0) ::ssh_set_agent_socket(session_, socket);
      else tried_.push_back(strCat("agent ", target_.agent, " (does not answer)"));
      agentAnswers_ = socket >= 0;
    }
    if (!agentAnswers_) return SSH_AUTH_DENIED;
    agent_->show(which);
    const int result = ask([this] { return ::ssh_userauth_agent(session_, nullptr); });
    if (result == SSH_AUTH_SUCCESS || result == SSH_AUTH_PARTIAL) return result;
    const bool others = which == AgentFilter::Show::kOthers;
    if (agent_->offered() > 0) tried_.push_back(others ? "the agent's other keys (not accepted)" : "agent (its keys are not accepted)");
    else if (which == AgentFilter::Show::kAll) tried_.push_back("agent (it has no key)");
    return SSH_AUTH_DENIED;
  }

  // base64 of FILE.pub, or of a private key file that shows its public part without a passphrase.
  static std::string publicPart(const std::string& file) {
    const Key key = publicKeyOf(file);
    char* text = nullptr;
    if (!key || ::ssh_pki_export_pubkey_base64(key.get(), &text) != SSH_OK) return "";
    const std::string base64 = text;
    ::ssh_string_free_char(text);
    return base64;
  }

  static Key publicKeyOf(const std::string& file) {
    ssh_key key = nullptr;
    if (::ssh_pki_import_pubkey_file((file + ".pub").c_str(), &key) == SSH_OK) return owned(key);
    if (::ssh_pki_import_pubkey_file(file.c_str(), &key) == SSH_OK) return owned(key);  // OpenSSH's format has it in clear
    return owned(nullptr);
  }

  int keyFile(const std::string& file) {
    const std::string shown = strCat("key ", file);
    struct stat info;
    if (::stat(file.c_str(), &info) != 0) {
      if (target_.identitiesNamed) tried_.push_back(strCat(shown, " (no such file)"));
      return SSH_AUTH_DENIED;
    }
    if ((info.st_mode & 077) != 0) {
      tried_.push_back(strCat(shown, " (not used: others can read it; chmod 600)"));
      return SSH_AUTH_DENIED;
    }
    if (const Key known = publicKeyOf(file)) {  // asks before a passphrase is typed in vain
      const int result = ask([&] { return ::ssh_userauth_try_publickey(session_, nullptr, known.get()); });
      if (result != SSH_AUTH_SUCCESS) {
        tried_.push_back(strCat(shown, " (not accepted)"));
        return SSH_AUTH_DENIED;
      }
    }
    const Key key = privateKey(file);
    if (!key) return SSH_AUTH_DENIED;
    const int result = ask([&] { return ::ssh_userauth_publickey(session_, nullptr, key.get()); });
    if (result == SSH_AUTH_SUCCESS || result == SSH_AUTH_PARTIAL) files_.insert(file);
    else tried_.push_back(strCat(shown, " (not accepted)"));
    return result;
  }

  static int noPassphrase(const char*, char*, std::size_t, int, int, void* needed) {
    *static_cast<bool*>(needed) = true;
    return -1;
  }

  Key privateKey(const std::string& file) {
    ssh_key key = nullptr;
    bool encrypted = false;
    if (::ssh_pki_import_privkey_file(file.c_str(), nullptr, &noPassphrase, &encrypted, &key) == SSH_OK) return owned(key);
    if (!encrypted) {
      tried_.push_back(strCat("key ", file, " (not a private key that can be read)"));
      return owned(nullptr);
    }
    for (int i = 0; i < kTries; ++i) {
      const Secret phrase(prompts_.secret(target_.name, strCat("Passphrase of ", file), false));
      if (!phrase.text) {
        tried_.push_back(strCat("key ", file, i == 0 ? " (needs its passphrase, and nobody is there to ask)" : " (wrong passphrase)"));
        return owned(nullptr);
      }
      if (::ssh_pki_import_privkey_file(file.c_str(), phrase.text->c_str(), nullptr, nullptr, &key) == SSH_OK) return owned(key);
    }
    tried_.push_back(strCat("key ", file, " (wrong passphrase)"));
    return owned(nullptr);
  }

  // ---- what a person answers
  int password() {
    for (int i = 0; i < kTries; ++i) {
      const Secret given(prompts_.secret(target_.name, strCat("Password of ", target_.user, " at ", connection_.where()), false));
      if (!given.text) {
        tried_.push_back(i == 0 ? "password (nobody is there to ask)" : "password (wrong)");
        return SSH_AUTH_DENIED;
      }
      const int result = ask([&] { return ::ssh_userauth_password(session_, nullptr, given.text->c_str()); });
      if (result != SSH_AUTH_DENIED) return result;
    }
    tried_.push_back("password (wrong)");
    return SSH_AUTH_DENIED;
  }

  int interactive() {
    for (int i = 0; i < kTries; ++i) {
      bool nobody = false;
      const int result = rounds(nobody);
      if (result == SSH_AUTH_SUCCESS || result == SSH_AUTH_PARTIAL) return result;
      if (!nobody) continue;
      tried_.push_back(i == 0 ? "keyboard-interactive (nobody is there to ask)" : "keyboard-interactive (wrong answer)");
      return SSH_AUTH_DENIED;
    }
    tried_.push_back("keyboard-interactive (wrong answer)");
    return SSH_AUTH_DENIED;
  }

  // The server asks round after round, each with any number of prompts, perhaps none.
  int rounds(bool& nobody) {
    const auto next = [this] { return ask([this] { return ::ssh_userauth_kbdint(session_, nullptr, nullptr); }); };
    int result = next();
    while (result == SSH_AUTH_INFO) {
      const int prompts = ::ssh_userauth_kbdint_getnprompts(session_);
      const char* instruction = ::ssh_userauth_kbdint_getinstruction(session_);
      for (int i = 0; i < prompts; ++i) {
        char echo = 0;
        const char* prompt = ::ssh_userauth_kbdint_getprompt(session_, static_cast<unsigned>(i), &echo);
        const std::string lead = i == 0 && instruction != nullptr && *instruction != '\0' ? strCat(instruction, "\n") : "";
        const Secret answer(nobody ? std::nullopt : prompts_.secret(target_.name, lead + (prompt != nullptr ? prompt : ""), echo != 0));
        nobody = nobody || !answer.text;
        ::ssh_userauth_kbdint_setanswer(session_, static_cast<unsigned>(i), answer.text ? answer.text->c_str() : "");
      }
      result = next();
    }
    return result;
  }

  SshConnection& connection_;
  ssh_session session_;
  const ResolvedAlias& target_;
  hosts::CredentialPrompts& prompts_;
  double seconds_;
  int offered_ = 0, partial_ = 0;
  std::unique_ptr<AgentFilter> agent_;
  bool agentAnswers_ = false;
  std::set<std::string> files_;  // used with partial success
  std::vector<std::string> tried_;
};

}  // namespace

void logIn(SshConnection& connection, hosts::CredentialPrompts& prompts, double seconds) { Login(connection, prompts, seconds).run(); }

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

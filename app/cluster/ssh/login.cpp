#include <arpa/inet.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <set>

#include <openssl/evp.h>

#include "app/cluster/ssh/config.h"
#include "app/cluster/ssh/connection.h"
#include "engine/core/base/secret.h"
#include "engine/core/base/text.h"

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
    if (text) wipe(*text);
  }
};

std::string methodNames(int methods) {
  std::vector<std::string> names;
  for (const auto& [bit, name] : {std::pair(SSH_AUTH_METHOD_PUBLICKEY, "publickey"), std::pair(SSH_AUTH_METHOD_PASSWORD, "password"),
                                  std::pair(SSH_AUTH_METHOD_INTERACTIVE, "keyboard-interactive"), std::pair(SSH_AUTH_METHOD_HOSTBASED, "hostbased"),
                                  std::pair(SSH_AUTH_METHOD_GSSAPI_MIC, "gssapi-with-mic")})
    if ((static_cast<unsigned>(methods) & bit) != 0) names.emplace_back(name);
  return names.empty() ? "nothing we know" : listed(names);
}

bool goesOn(int result) { return result == SSH_AUTH_SUCCESS || result == SSH_AUTH_PARTIAL; }

constexpr std::uint32_t kLargest = 256 << 10;  // as in OpenSSH's agent
constexpr char kListRequest = 11, kListAnswer = 12, kFailure = 5;

bool readAll(int fd, void* into, std::size_t size) {
  for (std::size_t done = 0; done < size;) {
    const ssize_t got = ::recv(fd, static_cast<char*>(into) + done, size - done, 0);
    if (got > 0) done += static_cast<std::size_t>(got);
    else if (got == 0 || errno != EINTR) return false;
  }
  return true;
}

// A message of the agent protocol: its length in four bytes, then the text.
std::optional<std::string> receive(int fd) {
  std::uint32_t length = 0;
  if (!readAll(fd, &length, sizeof length)) return std::nullopt;
  length = ntohl(length);
  if (length == 0 || length > kLargest) return std::nullopt;
  std::string message(length, '\0');
  return readAll(fd, message.data(), length) ? std::optional(std::move(message)) : std::nullopt;
}

std::string number(std::uint32_t value) {
  value = htonl(value);
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::string framed(const std::string& text) { return number(static_cast<std::uint32_t>(text.size())) + text; }

bool send(int fd, const std::string& message) {
  return writeAll(framed(message), [fd](std::string_view rest) { return ::send(fd, rest.data(), rest.size(), MSG_NOSIGNAL); });
}

std::string base64(const std::string& bytes) {
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');  // EVP_EncodeBlock adds a NUL
  text.resize(static_cast<std::size_t>(::EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()))));
  return text;
}

// One string of the protocol at `at`, which moves behind it.
std::optional<std::string> take(const std::string& from, std::size_t& at) {
  std::uint32_t length = 0;
  if (from.size() - at < sizeof length) return std::nullopt;
  std::memcpy(&length, from.data() + at, sizeof length);
  length = ntohl(length);
  at += sizeof length;
  if (from.size() - at < length) return std::nullopt;
  at += length;
  return from.substr(at - length, length);
}

// The user's SSH agent as one session shall see it: the wanted keys first, or those alone. An agent with many keys else uses up the attempts that a
// server allows before the right key comes. A thread of its own passes requests on until the object ends.
class AgentFilter {
 public:
  enum class Show { kWanted, kOthers, kAll };  // kAll: the wanted ones first

  // `wanted`: public keys, base64.
  AgentFilter(const std::string& agentSocket, const std::vector<std::string>& wanted) : wanted_(wanted) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (agentSocket.size() >= sizeof address.sun_path) return;
    std::memcpy(address.sun_path, agentSocket.data(), agentSocket.size());
    agent_ = Fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    int pair[2] = {-1, -1};
    int connected = -1;
    do connected = ::connect(agent_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
    while (connected != 0 && errno == EINTR);
    if (connected != 0 || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return;
    ours_ = Fd(pair[0]), theirs_ = Fd(pair[1]);
    thread_ = std::jthread([this] { serve(); });
  }

  ~AgentFilter() {
    for (const Fd* end : {&theirs_, &agent_}) ::shutdown(end->get(), SHUT_RDWR);  // ends its thread
  }
  AgentFilter(const AgentFilter&) = delete;
  AgentFilter& operator=(const AgentFilter&) = delete;

  int releaseSocket() { return ours_.release(); }  // for libssh, which closes it; -1: the agent cannot be reached
  void show(Show which) { show_ = which; }
  int offered() const { return offered_; }  // keys shown last; -1: never any list
  bool failed() const { return failed_; }   // the agent went away, or gave no answer that can be read

 private:
  std::string filtered(const std::string& answer) {
    std::vector<std::pair<std::size_t, std::string>> keys;  // place in `wanted`, the key with its comment
    const Show which = show_;
    std::size_t at = 1 + sizeof(std::uint32_t);
    while (at < answer.size()) {
      const auto blob = take(answer, at), comment = take(answer, at);
      if (!blob || !comment) break;
      const auto place = std::find(wanted_.begin(), wanted_.end(), base64(*blob));
      if (which == Show::kAll || (which == Show::kWanted) == (place != wanted_.end()))
        keys.emplace_back(static_cast<std::size_t>(place - wanted_.begin()), framed(*blob) + framed(*comment));
    }
    std::stable_sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string list = kListAnswer + number(static_cast<std::uint32_t>(keys.size()));
    for (const auto& [place, key] : keys) list += key;
    offered_ = static_cast<int>(keys.size());
    return list;
  }

  void serve() {
    while (const auto request = receive(theirs_.get())) {
      auto answer = send(agent_.get(), *request) ? receive(agent_.get()) : std::nullopt;
      if (!answer) failed_ = true, answer = std::string(1, kFailure);
      if ((*request)[0] == kListRequest && (*answer)[0] == kListAnswer) answer = filtered(*answer);
      if (!send(theirs_.get(), *answer)) break;
    }
    ::shutdown(theirs_.get(), SHUT_RDWR);  // libssh would wait for an answer
  }

  std::vector<std::string> wanted_;
  Fd ours_, theirs_, agent_;
  std::atomic<Show> show_ = Show::kAll;
  std::atomic<int> offered_ = -1;
  std::atomic<bool> failed_ = false;
  std::jthread thread_;
};

// While it lives a socket whose reader is gone raises no SIGPIPE in this thread.
class NoPipeSignal {
 public:
  NoPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoPipeSignal() {
    const timespec now{};
    while (sigismember(&before_, SIGPIPE) == 0 && ::sigtimedwait(&pipe_, nullptr, &now) > 0) continue;
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;

 private:
  sigset_t pipe_{}, before_{};
};

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
      if (goesOn(result)) return result;
    }
    return SSH_AUTH_DENIED;
  }

  [[noreturn]] void refuse() {
    throw SshError(SshStage::kAuthenticate,
                   strCat(target_.name, ": ", connection_.where(), " does not let ", target_.user, " in: it ", partial_ > 0 ? "still wants " : "accepts ",
                          methodNames(offered_), "; ", tried_.empty() ? "nothing could be tried" : "tried: " + listed(tried_)));
  }

  int denied(const std::string& what) {
    tried_.push_back(what);
    return SSH_AUTH_DENIED;
  }

  int ask(const std::function<int()>& call) {
    const auto result = connection_.until(seconds_, SSH_AUTH_AGAIN, call);
    if (connection_.closed() && (!result || *result == SSH_AUTH_ERROR)) {
      if (const std::string problem = connection_.socketProblem(); !problem.empty())
        throw SshError(SshStage::kReach, strCat(target_.name, ": the connection to ", connection_.where(), " is lost: ", problem));
      tried_.push_back("then it closed the connection (too many attempts?)");
      refuse();
    }
    if (!result)
      throw SshError(SshStage::kAuthenticate, strCat(target_.name, ": ", connection_.where(), " did not answer the log-in within ", seconds_, " s"));
    return *result;
  }

  // ---- public key
  // The agent's copies of our key files come first (they need no passphrase), then the files, then whatever else the agent has: a server
  // ends the connection after a few wrong keys.
  int publicKey() {
    const bool named = target_.identitiesNamed || target_.identitiesOnly;
    int result = agent(named ? AgentFilter::Show::kWanted : AgentFilter::Show::kAll);
    if (goesOn(result)) return result;
    for (const std::string& file : target_.identities) {
      result = files_.contains(file) ? SSH_AUTH_DENIED : keyFile(file);
      if (goesOn(result)) return result;
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
    const int result = ask([this] {
      const NoPipeSignal quiet;  // libssh writes to the agent's socket with write(2), and the agent may just have gone
      return ::ssh_userauth_agent(session_, nullptr);
    });
    if (goesOn(result)) return result;
    if (agent_->failed() || agent_->offered() < 0) return denied(strCat("agent ", target_.agent, " (does not answer)"));
    if (agent_->offered() > 0) return denied(which == AgentFilter::Show::kOthers ? "the agent's other keys (not accepted)" : "agent (its keys are not accepted)");
    return which == AgentFilter::Show::kAll ? denied("agent (it has no key)") : SSH_AUTH_DENIED;
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
    if (::stat(file.c_str(), &info) != 0) return target_.identitiesNamed ? denied(shown + " (no such file)") : SSH_AUTH_DENIED;
    if ((info.st_mode & 077) != 0) return denied(shown + " (not used: others can read it; chmod 600)");
    const Key known = publicKeyOf(file);  // asks before a passphrase is typed in vain
    if (known && ask([&] { return ::ssh_userauth_try_publickey(session_, nullptr, known.get()); }) != SSH_AUTH_SUCCESS) return denied(shown + " (not accepted)");
    const Key key = privateKey(file);
    if (!key) return SSH_AUTH_DENIED;
    const int result = ask([&] { return ::ssh_userauth_publickey(session_, nullptr, key.get()); });
    if (goesOn(result)) files_.insert(file);
    else tried_.push_back(shown + " (not accepted)");
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
    const char* why = encrypted ? " (wrong passphrase)" : " (not a private key that can be read)";
    for (int i = 0; encrypted && i < kTries; ++i) {
      const Secret phrase(prompts_.secret(target_.name, strCat("Passphrase of ", file), false));
      if (!phrase.text && i == 0) why = " (needs its passphrase, and nobody is there to ask)";
      if (!phrase.text) break;
      if (::ssh_pki_import_privkey_file(file.c_str(), phrase.text->c_str(), nullptr, nullptr, &key) == SSH_OK) return owned(key);
    }
    denied(strCat("key ", file, why));
    return owned(nullptr);
  }

  // ---- what a person answers
  int password() {
    for (int i = 0; i < kTries; ++i) {
      const Secret given(prompts_.secret(target_.name, strCat("Password of ", target_.user, " at ", connection_.where()), false));
      if (!given.text) return denied(i == 0 ? "password (nobody is there to ask)" : "password (wrong)");
      const int result = ask([&] { return ::ssh_userauth_password(session_, nullptr, given.text->c_str()); });
      if (result != SSH_AUTH_DENIED) return result;
    }
    return denied("password (wrong)");
  }

  int interactive() {
    for (int i = 0; i < kTries; ++i) {
      bool nobody = false;
      const int result = rounds(nobody);
      if (goesOn(result)) return result;
      if (nobody) return denied(i == 0 ? "keyboard-interactive (nobody is there to ask)" : "keyboard-interactive (wrong answer)");
    }
    return denied("keyboard-interactive (wrong answer)");
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

}  // namespace paceline::ssh

#include "app/cluster/ssh/connection.h"

#include <libssh/server.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "app/cluster/ssh/config.h"

namespace paceline::ssh {
namespace {

constexpr std::string_view kSocketError = "Socket error: ";  // libssh: "Socket error: Connection timed out"
// AES-GCM first: CPUs have instructions for it; libssh by itself prefers ChaCha20.
constexpr const char* kCiphers =
    "aes256-gcm@openssh.com,aes128-gcm@openssh.com,chacha20-poly1305@openssh.com,aes256-ctr,aes192-ctr,aes128-ctr";

// Types of which the host's key is known come first, so that a host with several keys shows one that can be compared.
std::string hostKeyAlgorithms(const std::vector<std::string>& knownTypes) {
  std::vector<std::string> types{"ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521", "ssh-rsa"};
  std::stable_partition(types.begin(), types.end(), [&](const std::string& type) { return std::ranges::find(knownTypes, type) != knownTypes.end(); });
  std::string all;
  for (const std::string& type : types) all += strCat(all.empty() ? "" : ",", type == "ssh-rsa" ? "rsa-sha2-512,rsa-sha2-256" : type);
  return all;
}

void setOption(ssh_session session, ssh_options_e option, const void* value, const std::string& name) {
  if (::ssh_options_set(session, option, value) < 0) throw SshError(SshStage::kReach, strCat(name, ": ", ::ssh_get_error(session)));
}

}  // namespace

SshConnection::SshConnection(const ResolvedAlias& target, int socket, std::unique_ptr<SshCarrier> carrier, const SshTimeouts& timeouts,
                             const std::vector<std::string>& keyTypes)
    : target_(target), timeouts_(timeouts), carrier_(std::move(carrier)) {
  if (::ssh_version(SSH_VERSION_INT(0, 10, 6)) == nullptr) {
    ::close(socket);
    throw SshError(SshStage::kReach, strCat(target.name, ": libssh ", ::ssh_version(0), " is older than 0.10.6, which has known holes; update it"));
  }
  session_ = ::ssh_new();
  bool taken = false;  // by libssh, which may have closed it when it fails: its number can then be another thread's
  try {
    const bool off = false;
    const std::string algorithms = hostKeyAlgorithms(keyTypes), nowhere = "/dev/null";
    const std::string& known = target_.hostKeyAlias.empty() ? target_.host : target_.hostKeyAlias;
    const unsigned port = static_cast<unsigned>(target_.port);
    setOption(session_, SSH_OPTIONS_PROCESS_CONFIG, &off, target_.name);
    setOption(session_, SSH_OPTIONS_HOST, known.c_str(), target_.name);
    setOption(session_, SSH_OPTIONS_PORT, &port, target_.name);
    setOption(session_, SSH_OPTIONS_USER, target_.user.c_str(), target_.name);
    setOption(session_, SSH_OPTIONS_KNOWNHOSTS, nowhere.c_str(), target_.name);  // keys are judged by known_hosts.cpp
    setOption(session_, SSH_OPTIONS_GLOBAL_KNOWNHOSTS, nowhere.c_str(), target_.name);
    setOption(session_, SSH_OPTIONS_HOSTKEYS, algorithms.c_str(), target_.name);
    setOption(session_, SSH_OPTIONS_CIPHERS_C_S, kCiphers, target_.name);
    setOption(session_, SSH_OPTIONS_CIPHERS_S_C, kCiphers, target_.name);
    setOption(session_, SSH_OPTIONS_FD, &socket, target_.name);
    ::ssh_set_counters(session_, nullptr, &counted_);
    ::ssh_set_blocking(session_, 0);
    taken = true;
    shakeHands();
  } catch (...) {
    if (!taken) ::close(socket);
    ::ssh_free(session_);
    throw;
  }
  event_ = ::ssh_event_new();
  ::ssh_event_add_session(event_, session_);
  quietSince_ = steadySeconds();
}

SshConnection::~SshConnection() {
  ::ssh_event_remove_session(event_, session_);
  ::ssh_event_free(event_);
  const int none = -1;
  ::ssh_options_set(session_, SSH_OPTIONS_FD, &none);  // else ssh_disconnect() leaves our socket open
  if (!lost() && ::ssh_is_connected(session_) != 0) ::ssh_disconnect(session_);
  ::ssh_free(session_);
}

std::string SshConnection::where() const { return endpoint(target_.host, target_.port); }

std::string SshConnection::socketProblem() const {
  const std::string_view said = ::ssh_get_error(session_);
  if (!said.starts_with(kSocketError)) return "";
  const std::string_view reason = said.substr(kSocketError.size());
  const bool closed = reason == "disconnected" || reason == std::strerror(ECONNRESET) || reason == std::strerror(EPIPE);
  return closed ? "" : std::string(reason);
}

bool SshConnection::closed() const { return ::ssh_is_connected(session_) == 0; }

void SshConnection::shakeHands() {
  const double seconds = timeouts_.connectSeconds;
  const auto result = until(seconds, SSH_AGAIN, [this] {
    const int code = ::ssh_connect(session_);
    const int socket = ::ssh_get_fd(session_);  // libssh lets it block: then what the other side does not take holds us in send(), without keep-alives
    if (socket >= 0) ::fcntl(socket, F_SETFL, ::fcntl(socket, F_GETFL) | O_NONBLOCK);
    return code;
  });
  if (result == SSH_OK) return;
  const bool greeted = ::ssh_get_serverbanner(session_) != nullptr;
  const std::string carried = carrier_ ? carrier_->whyLost() : "";
  std::string why;
  if (!carried.empty()) {
    why = carried;
  } else if (!result && !closed()) {
    why = greeted ? strCat(where(), " began the SSH handshake and did not finish it within ", seconds, " s")
                  : strCat(where(), " takes connections but does not speak SSH (nothing came within ", seconds,
                           " s): another service listens there, or the SSH server hangs");
  } else if (const std::string problem = socketProblem(); !problem.empty()) {
    why = strCat("the connection to ", where(), " is lost: ", problem);
  } else {
    const std::string_view said = ::ssh_get_error(session_);
    why = greeted ? strCat("the SSH handshake with ", where(), " failed: ", said.starts_with(kSocketError) ? "the connection was closed" : said)
                  : strCat(where(), " does not speak SSH (it closed the connection or sent something else): check the port");
  }
  throw SshError(SshStage::kReach, strCat(target_.name, ": ", why));
}

std::optional<int> SshConnection::until(double seconds, int again, const std::function<int()>& call) {
  const double deadline = steadySeconds() + seconds;
  for (;;) {
    const std::uint64_t before = packets();
    const int result = call();
    if (result != again) return result;
    const double left = deadline - steadySeconds();
    if (left <= 0 || closed()) return std::nullopt;  // libssh goes on with "again" for some calls when the connection is closed
    if (packets() == before) waitReadable(::ssh_get_fd(session_), left, writePending());
  }
}

bool SshConnection::writePending() const { return (::ssh_get_status(session_) & SSH_WRITE_PENDING) != 0; }

void SshConnection::lose(const std::string& reason) {
  if (!lost_.empty()) return;
  const std::string carried = carrier_ ? carrier_->whyLost() : "";
  lost_ = carried.empty() ? reason : carried;
}

double SshConnection::nextKeepAlive() const {
  return std::max(0.0, std::max(quietSince_, asked_) + timeouts_.keepAliveSeconds - steadySeconds());
}

// Every keepAliveSeconds without a byte from there one question, which any SSH server has to answer. Only time in which we listened counts:
// `unanswered_` grows by one per question, not by the clock.
void SshConnection::keepAlive() {
  if (counted_.in_bytes != seen_) {
    seen_ = counted_.in_bytes;
    quietSince_ = steadySeconds();
    unanswered_ = 0;
  }
  if (timeouts_.keepAliveSeconds <= 0 || nextKeepAlive() > 0) return;
  asked_ = steadySeconds();
  if (++unanswered_ >= std::max(2, timeouts_.keepAliveMisses)) {
    lose(strCat("the connection to ", where(), " is lost: no answer for ", timeouts_.keepAliveSeconds * unanswered_, " s"));
    return;
  }
  const std::uint64_t sent = counted_.out_packets;
  ::ssh_send_keepalive(session_);
  if (counted_.out_packets == sent) ::ssh_send_keepalive(session_);  // the first call collected the last answer and sent nothing
}

bool SshConnection::wait(double seconds) {
  if (lost()) return false;
  if (closed()) {
    const std::string problem = socketProblem();
    lose(strCat("the connection to ", where(), problem.empty() ? " was closed from there" : " is lost: " + problem));
    return false;
  }
  const std::uint64_t before = packets();
  keepAlive();
  if (packets() != before) return !lost();
  if (!lost()) waitReadable(::ssh_get_fd(session_), std::min(seconds, timeouts_.keepAliveSeconds > 0 ? nextKeepAlive() : seconds), writePending());
  return !lost();
}

void SshConnection::takePackets() { ::ssh_event_dopoll(event_, 0); }

bool SshConnection::flush(const std::function<void()>& meanwhile) {
  while (!lost()) {
    const int result = ::ssh_blocking_flush(session_, 0);
    if (result == SSH_OK && !writePending()) return true;
    if (result == SSH_ERROR) lose(strCat("the connection to ", where(), " is lost: ", ::ssh_get_error(session_)));
    meanwhile();
    if (writePending()) wait(3600);
  }
  return false;
}

}  // namespace paceline::ssh

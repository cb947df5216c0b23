#include "app/cluster/ssh/agent_filter.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

namespace paceline::ssh {
namespace {

constexpr std::uint32_t kLargest = 256 << 10;  // as in OpenSSH's agent
constexpr char kListRequest = 11, kListAnswer = 12, kFailure = 5;

bool readAll(int fd, char* into, std::size_t size) {
  for (std::size_t done = 0; done < size;) {
    const ssize_t got = ::recv(fd, into + done, size - done, 0);
    if (got <= 0) return false;
    done += static_cast<std::size_t>(got);
  }
  return true;
}

// A message of the agent protocol: its length in four bytes, then the text.
std::optional<std::string> receive(int fd) {
  std::uint32_t length = 0;
  if (!readAll(fd, reinterpret_cast<char*>(&length), sizeof length)) return std::nullopt;
  length = ntohl(length);
  if (length == 0 || length > kLargest) return std::nullopt;
  std::string message(length, '\0');
  return readAll(fd, message.data(), length) ? std::optional(std::move(message)) : std::nullopt;
}

std::string number(std::uint32_t value) {
  value = htonl(value);
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

bool send(int fd, const std::string& message) {
  const std::string bytes = number(static_cast<std::uint32_t>(message.size())) + message;
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::send(fd, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

std::string base64(const std::string& bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) group = group << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j) text += i + j > bytes.size() ? '=' : kDigits[group >> (18 - 6 * j) & 63];
  }
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

}  // namespace

AgentFilter::AgentFilter(const std::string& agentSocket, const std::vector<std::string>& wanted) : wanted_(wanted) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (agentSocket.size() >= sizeof address.sun_path) return;
  std::memcpy(address.sun_path, agentSocket.data(), agentSocket.size());
  agent_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int pair[2] = {-1, -1};
  if (agent_ < 0 || ::connect(agent_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    return;
  ours_ = pair[0], theirs_ = pair[1];
  thread_ = std::jthread([this] { serve(); });
}

AgentFilter::~AgentFilter() {
  if (theirs_ >= 0) ::shutdown(theirs_, SHUT_RDWR);
  if (agent_ >= 0) ::shutdown(agent_, SHUT_RDWR);
  if (thread_.joinable()) thread_.join();
  for (const int fd : {ours_, theirs_, agent_})
    if (fd >= 0) ::close(fd);
}

int AgentFilter::releaseSocket() { return std::exchange(ours_, -1); }

std::string AgentFilter::filtered(const std::string& answer) {
  std::vector<std::pair<std::size_t, std::string>> keys;  // place in `wanted`, the key with its comment
  const Show which = show_;
  std::size_t at = 1 + sizeof(std::uint32_t);
  while (at < answer.size()) {
    const auto blob = take(answer, at), comment = take(answer, at);
    if (!blob || !comment) break;
    const auto place = std::find(wanted_.begin(), wanted_.end(), base64(*blob));
    if (which == Show::kAll || (which == Show::kWanted) == (place != wanted_.end()))
      keys.emplace_back(static_cast<std::size_t>(place - wanted_.begin()),
                        number(static_cast<std::uint32_t>(blob->size())) + *blob + number(static_cast<std::uint32_t>(comment->size())) + *comment);
  }
  std::stable_sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string list = kListAnswer + number(static_cast<std::uint32_t>(keys.size()));
  for (const auto& [place, key] : keys) list += key;
  offered_ = static_cast<int>(keys.size());
  return list;
}

void AgentFilter::serve() {
  while (const auto request = receive(theirs_)) {
    auto answer = send(agent_, *request) ? receive(agent_) : std::nullopt;
    if (!answer) answer = std::string(1, kFailure);
    if ((*request)[0] == kListRequest && (*answer)[0] == kListAnswer) answer = filtered(*answer);
    if (!send(theirs_, *answer)) return;
  }
}

}  // namespace paceline::ssh

#include "app/cluster/recorder/protocol.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <filesystem>

#include "app/cluster/hosts/host_registry.h"
#include "app/cluster/run/launch_plan.h"
#include "engine/core/base/clock.h"
#include "engine/core/json/json_text.h"
#include "storage/store/store.h"

namespace paceline::recorder {
namespace {

constexpr std::size_t kLongestLine = std::size_t{64} << 20;

constexpr std::array<std::pair<Errc, const char*>, 5> kCodes = {
    {{Errc::kLocked, "locked"}, {Errc::kStore, "store"}, {Errc::kNoSpace, "no_space"}, {Errc::kSpec, "spec"}, {Errc::kHost, "host"}}};

std::array<int, 3> numbers(const std::string& version) {
  std::array<int, 3> found{};
  std::istringstream in(version);
  char dot = 0;
  in >> found[0] >> dot >> found[1] >> dot >> found[2];
  return found;
}

}  // namespace

Channel::Channel(Fd socket) : socket_(std::move(socket)) { ::fcntl(socket_.get(), F_SETFL, ::fcntl(socket_.get(), F_GETFL) | O_NONBLOCK); }

void Channel::send(const std::string& line) {
  out_ += line;
  out_ += '\n';
  flush();
}

void Channel::flush() {
  while (open() && waiting()) {
    const ssize_t taken = ::send(fd(), out_.data() + sent_, out_.size() - sent_, MSG_NOSIGNAL);
    if (taken > 0) sent_ += static_cast<std::size_t>(taken);
    else if (errno == EAGAIN) break;
    else if (errno != EINTR) socket_.close();
  }
  if (!waiting()) out_.clear(), sent_ = 0;
}

bool Channel::flushWithin(double seconds) {
  for (const double until = steadySeconds() + seconds; open() && waiting() && steadySeconds() < until; flush()) {
    pollfd polled{fd(), POLLOUT, 0};
    ::poll(&polled, 1, 100);
  }
  return open() && !waiting();
}

void Channel::receive() {
  char chunk[16 << 10];
  while (open()) {
    const ssize_t got = ::recv(fd(), chunk, sizeof chunk, 0);
    if (got > 0) in_.append(chunk, static_cast<std::size_t>(got));
    else if (got < 0 && errno == EINTR) continue;
    else if (got < 0 && errno == EAGAIN) return;
    else socket_.close();
    if (in_.size() - read_ > kLongestLine) socket_.close();
  }
}

std::optional<std::string> Channel::line() {
  const std::size_t end = in_.find('\n', scanned_);
  if (end == std::string::npos) {
    in_.erase(0, read_);
    read_ = 0, scanned_ = in_.size();
    return std::nullopt;
  }
  std::string line = in_.substr(read_, end - read_);
  read_ = scanned_ = end + 1;
  return line;
}

Hello ourHello(bool answers) { return {.schema = store::storeVersion(), .version = PACELINE_VERSION, .pid = ::getpid(), .answers = answers}; }

bool isOlder(const Hello& one, const Hello& other) {
  return std::tuple(one.protocol, one.schema, numbers(one.version)) < std::tuple(other.protocol, other.schema, numbers(other.version));
}

std::string toLine(const Hello& hello) { return dumped(Json{{"hello", written(hello)}}); }

std::optional<Hello> helloOf(const std::string& line) {
  const Json json = jsonOrNull(line);
  try {
    return readFrom<Hello>(json.at("hello"));
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

Context contextHere() {
  std::error_code ignored;
  return {.folder = std::filesystem::current_path(ignored).string(), .hosts = hosts::HostRegistry::defaultPath(), .variables = run::inheritedVariables()};
}

std::optional<EntryKind> kindFromName(std::string_view name) {
  const auto words = wordsOf(EntryKind());
  const auto found = std::ranges::find(words, name);
  return found == words.end() ? std::nullopt : std::optional(static_cast<EntryKind>(found - words.begin()));
}

std::string toLine(const Notice& notice) {
  static constexpr std::array<const char*, std::variant_size_v<Notice>> kNames = {"entry", "rows", "trouble", "question", "gone", "lost"};
  return dumped(Json{{kNames.at(notice.index()), written(notice)}});
}

std::optional<Notice> noticeOf(const Json& line) {
  if (line.contains("entry")) return readFrom<Entry>(line["entry"]);
  if (line.contains("rows")) return readFrom<NewerRows>(line["rows"]);
  if (line.contains("trouble")) return readFrom<StoreTrouble>(line["trouble"]);
  if (line.contains("question")) return readFrom<Question>(line["question"]);
  if (line.contains("gone")) return readFrom<QuestionGone>(line["gone"]);
  return std::nullopt;
}

const char* codeName(Errc code) {
  for (const auto& [known, name] : kCodes)
    if (known == code) return name;
  return code == Errc::kFormat || code == Errc::kFile ? "store" : "host";
}

Errc codeFromName(std::string_view name) {
  for (const auto& [code, known] : kCodes)
    if (known == name) return code;
  return Errc::kHost;
}

}  // namespace paceline::recorder

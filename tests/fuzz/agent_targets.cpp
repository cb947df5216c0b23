#include <fcntl.h>
#include <sys/socket.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "agent/supervisor/receive/installed.h"
#include "agent/supervisor/spool/spool.h"
#include "agent/supervisor/supervise/supervisor.h"
#include "engine/core/base/hash.h"
#include "engine/core/json/json_text.h"
#include "tests/fuzz/targets.h"

namespace paceline::fuzz {
namespace {

// A supervisor of this process's own, without runs. It is never told to launch (its request has a target of its own): what a launch starts would run.
supervise::Supervisor& supervisor() {
  static const Folder folder;
  static supervise::Supervisor one = [] {
    ::setenv("PACELINE_AGENT_DIR", folder.path().c_str(), 1);
    return supervise::Supervisor(agentPaths(), 3600);
  }();
  return one;
}

void request(Input input) {
  const std::string line(textOf(input).substr(0, textOf(input).find('\n')));
  const Json json = jsonOrNull(line);
  if (json.is_object() && (json.value("request", Json()) == "launch" || json.value("request", Json()) == "shutdown")) return;
  int pair[2];
  PACELINE_CHECK(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) == 0, "a connection");
  const Fd other(pair[1]);
  supervise::Client client(Fd{pair[0]}, [](supervise::Client&, const LineSplitter::Line&) { return std::string(); });
  const std::string reply = supervise::answer(supervisor(), client, {.text = line, .cut = false});
  PACELINE_CHECK(Json::accept(reply), "a reply is JSON");
}

void launch(Input input) {
  const supervise::LaunchRequest wanted = supervise::launchOf(jsonFrom(textOf(input), "a request"));
  for (const supervise::NodeCommand& node : wanted.nodes) {
    PACELINE_CHECK(!node.command.empty(), "a node has a command");
    for (const auto& [name, value] : node.env) PACELINE_CHECK(!name.empty() && name.find_first_of(std::string_view("=\0", 2)) == std::string::npos, "a variable has a name that exec knows");
  }
}

void spool(Input input) {
  static const Folder folder;
  const std::string path = folder.path() + "/0.spool";
  std::filesystem::remove(path);
  const InputFile file(input);
  std::filesystem::copy_file(file.path(), path);
  const auto opened = std::make_shared<spool::Spool>(path);
  const std::int64_t last = opened->lastSeq();
  spool::SpoolCursor cursor(opened, 0);
  std::int64_t seen = 0;
  while (const auto record = cursor.next()) {
    PACELINE_CHECK(record->seq > seen, "numbers grow");
    seen = record->seq;
  }
  PACELINE_CHECK(seen == last, "the last record is the last number");
}

// An upload from its first byte to its last, into a folder of its own. What it places has no programs, so nothing of it is ever started.
void upload(Input input) {
  const Folder folder;
  ::setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
  const InputFile file(input);
  const Fd sent(::open(file.path().c_str(), O_RDONLY | O_CLOEXEC));
  std::stringstream answers;
  const int code = receive::receive(sent.get(), answers);
  bool refused = false;
  for (std::string line; std::getline(answers, line);) {
    PACELINE_CHECK(!refused, "nothing is said behind an error");
    refused = jsonFrom(line, "an answer").contains("error");
  }
  PACELINE_CHECK(refused == (code != 0), "who fails says so");
  std::error_code none;
  for (const auto& object : std::filesystem::directory_iterator(receive::installedPaths().objects, none))
    PACELINE_CHECK(sha256OfFile(object.path().string()) == object.path().stem().string(), "an object has the content that its name says");
}

constexpr Target kAgentTargets[] = {{"agent_request", request}, {"launch", launch}, {"spool", spool}, {"upload", upload}};

}  // namespace

std::span<const Target> agentTargets() { return kAgentTargets; }

}  // namespace paceline::fuzz

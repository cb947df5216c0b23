// paceline-agent: what runs on every host. Needs neither torch nor Qt, starts in milliseconds.
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

#include "agent/supervisor/contain/containment.h"
#include "agent/supervisor/left_weights.h"
#include "agent/supervisor/probe/measure.h"
#include "agent/supervisor/probe/probe.h"
#include "agent/supervisor/receive/installed.h"
#include "agent/supervisor/spool/spool.h"
#include "agent/supervisor/supervise/up.h"
#include "engine/core/base/disk.h"
#include "engine/core/base/hash.h"
#include "engine/core/json/json_text.h"

namespace paceline {
namespace {

using Arguments = std::vector<std::string>;

struct Command {
  const char *name, *arguments, *help;
  std::size_t argumentCount;
  void (*perform)(const Arguments&);
};

void supervise(const Arguments&) {
  const auto tell = [](const std::string& line) {
    if (line == "ready") std::cout << line << std::endl;
  };
  const AgentPaths paths = agentPaths();
  if (const int code = contain::guarded([&] { return supervise::superviseHere(paths, tell); }); code != 0) ::_exit(code);
}

void receiveFiles(const Arguments&) {
  if (const int code = receive::receive(STDIN_FILENO, std::cout); code != 0) std::exit(code);
}

// Of a request to the supervisor, which is started when none runs (and ends when idle).
void printResult(const Json& request) {
  const Json reply = jsonOrNull(supervise::ask(supervise::connectOrStart(agentPaths()), request.dump()));
  const Json error = reply.is_object() ? reply.value("error", Json()) : Json();
  if (error.is_string()) throw Error(Errc::kHost, error.get<std::string>());
  if (!reply.is_object() || reply.value("ok", Json()) != true || !reply.contains("result")) throw Error(Errc::kHost, "the supervisor's answer cannot be read");
  std::cout << reply["result"].dump() << std::endl;
}

void dropCheckpoints(const Arguments& words) {  // none is no error
  if (!spool::RunFolder::isRunName(words[0])) throw Error(Errc::kHost, strCat("\"", words[0], "\" cannot be the name of a run"));
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(agentPaths().checkpoints) / words[0];
  std::error_code error;
  std::uintmax_t bytes = 0;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->is_regular_file(error)) bytes += entry->file_size(error);
  fs::remove_all(folder, error);
  if (error) throw Error(Errc::kFile, strCat("cannot delete ", folder.string(), ": ", error.message()));
  std::cout << Json{{"freed_bytes", bytes}}.dump() << std::endl;
}

constexpr Command kCommands[] = {
    {"version", "", "print the version", 0, [](const Arguments&) { std::cout << PACELINE_VERSION << std::endl; }},
    {"hash", "PATH", "print a file's SHA-256", 1, [](const Arguments& words) { std::cout << sha256OfFile(words[0]) << std::endl; }},
    {"probe", "", "print this host's hardware and software as JSON", 0, [](const Arguments&) { std::cout << probe::probeJson() << std::endl; }},
    {"clock", "", "answer every line on stdin with this host's clocks", 0, [](const Arguments&) { probe::answerClock(); }},
    {"compute", "SECONDS", "measure how fast this host multiplies matrices", 1, [](const Arguments& words) { std::cout << probe::computeJson(words[0]) << std::endl; }},
    {"listen", "ADDRESS", "wait there for one measure; the token is the first line on stdin", 1, [](const Arguments& words) { probe::listenForMeasure(words[0]); }},
    {"measure", "HOST PORT", "measure the link to a listen; the token is the first line on stdin", 2,
     [](const Arguments& words) { std::cout << probe::measureJson(words[0], words[1]) << std::endl; }},
    {"keep", "PART SHA256", "give an agent that has arrived as PART its name, once it is on the disk",
     2, [](const Arguments& words) { std::cout << (receive::keepAgent(words[0], words[1]) ? "paceline-placed" : "paceline-differs") << std::endl; }},
    {"receive", "", "install the upload on stdin", 0, receiveFiles},
    {"installed", "", "print the deployments on this host as JSON", 0, [](const Arguments&) { std::cout << receive::installedJson(receive::installedPaths()) << std::endl; }},
    {"uninstall", "KEEP", "remove all of it that is not in use but version KEEP (-: none)", 1,
     [](const Arguments& words) { std::cout << receive::uninstall(receive::installedPaths(), words[0]) << std::endl; }},
    {"up", "", "start this user's supervisor unless one runs", 0, [](const Arguments&) { supervise::connectOrStart(agentPaths()); }},
    {"attach", "", "the same, then bridge stdin and stdout to it", 0, [](const Arguments&) { supervise::bridge(supervise::connectOrStart(agentPaths())); }},
    {"spools", "", "print the disk space of the runs' spools as JSON", 0, [](const Arguments&) { printResult({{"request", "spools"}, {"id", 1}}); }},
    {"forget", "RUN|--ended", "delete the records of a run, or of all that have ended", 1,
     [](const Arguments& words) {
       const bool ended = words[0] == "--ended";
       printResult({{"request", "forget"}, {"id", 1}, {ended ? "ended" : "run", ended ? Json(true) : Json(words[0])}});
     }},
    {"drop", "RUN", "delete the checkpoints and the weights of a run", 1, dropCheckpoints},
    {"weights", "RUN", "print which weights a run left as JSON", 1, [](const Arguments& words) { std::cout << leftWeightsJson(agentPaths().checkpoints, words[0]) << std::endl; }},
    {"read-weights", "RUN NODE NAME", "print one of them in lines of base64", 3,
     [](const Arguments& words) { printWeights(agentPaths().checkpoints, words[0], words[1], words[2], std::cout); }},
    {"supervise", "", "be the supervisor, in the foreground", 0, supervise},
};

int usage() {
  std::cerr << "usage: paceline-agent COMMAND\n";
  for (const Command& command : kCommands) {
    const std::string words = strCat(command.name, *command.arguments == '\0' ? "" : " ", command.arguments);
    std::cerr << "  " << std::left << std::setw(24) << words << " " << command.help << "\n";
  }
  return 2;
}

int perform(const Arguments& words) {
  for (const Command& command : kCommands) {
    if (words.empty() || words[0] != command.name || words.size() != 1 + command.argumentCount) continue;
    command.perform(Arguments(words.begin() + 1, words.end()));
    return 0;
  }
  return usage();
}

}  // namespace
}  // namespace paceline

int main(int argc, char** argv) {
  ::signal(SIGPIPE, SIG_IGN);
  paceline::disk::tellFileSizeLimits();
  try {
    return paceline::perform({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << "paceline-agent: " << paceline::reasonOf(error) << std::endl;
    return 1;
  }
}

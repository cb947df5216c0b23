#include "agent/supervisor/receive/library_choice.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "agent/supervisor/captured.h"
#include "agent/supervisor/receive/installed.h"
#include "engine/core/base/hash.h"
#include "engine/core/json/json_text.h"

namespace paceline::receive {
namespace {

using Variables = std::map<std::string, std::string>;

constexpr double kTraceSeconds = 60, kDescribeSeconds = 120;  // a worker starts in 0.5 s; its libraries may have to come over NFS
const char* const kPrograms[] = {"paceline-server", "paceline-worker"};

bool isFolder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

struct Candidate {
  std::string libraries;
  Variables env;
};

std::vector<Candidate> candidates(const std::string& version, const std::string& given) {
  Variables data;
  if (isFolder(version + "/data")) data["PACELINE_DATA"] = version + "/data";
  const auto with = [&](const std::string& libraries, const std::string& folder) {
    Candidate candidate{.libraries = libraries, .env = data};
    if (!folder.empty()) candidate.env["LD_LIBRARY_PATH"] = folder;
    return candidate;
  };
  if (!given.empty()) return {with("given", given)};
  std::vector<Candidate> found = {with("system", "")};
  if (isFolder(version + "/lib")) found.push_back(with("sent", version + "/lib"));
  return found;
}

// What the loader says of both programs. Addresses differ from start to start.
std::string loaderAnswer(const std::string& version, Variables env) {
  env["LD_TRACE_LOADED_OBJECTS"] = "1";
  std::string all;
  for (const char* program : kPrograms) {
    const Captured trace = captured({strCat(version, "/", program)}, env, kTraceSeconds);
    if (trace.code == 127 && trace.output.empty()) all += strCat(program, " cannot be started: ", trace.errors, "\n");
    std::istringstream lines(trace.output + trace.errors);
    for (std::string line; std::getline(lines, line);) all += line.substr(0, line.rfind(" (0x")) + "\n";
  }
  return all;
}

struct Kept {
  std::string given, answer;  // answer: hash
  LibraryChoice choice;
};

Kept keptIn(const std::string& file) {  // damaged: as if there were none
  std::ifstream in(file);
  const Json json = Json::parse(in, nullptr, false);
  try {
    return {.given = json.at("given"), .answer = json.at("answer"),
            .choice = {.libraries = json.at("libraries"), .problems = {}, .env = json.at("env"), .datasets = json.at("datasets")}};
  } catch (const Json::exception&) {
    return {};
  }
}

void keep(const std::string& file, const Kept& kept) {
  const std::string temporary = strCat(file, ".", ::getpid());
  const Json json = {{"given", kept.given}, {"answer", kept.answer}, {"libraries", kept.choice.libraries}, {"env", kept.choice.env},
                     {"datasets", kept.choice.datasets}};
  {
    std::ofstream out(temporary);
    out << json.dump() << std::flush;
    if (!out) return static_cast<void>(::unlink(temporary.c_str()));  // found anew next time
  }
  if (::rename(temporary.c_str(), file.c_str()) != 0) ::unlink(temporary.c_str());
}

bool allThere(const LibraryChoice& choice, const std::vector<std::string>& needed) {
  for (const std::string& id : needed) {
    const auto found = choice.datasets.find(id);
    if (found == choice.datasets.end() || found->second.empty()) return false;
    if (found->second.front() == '/' && !isFolder(found->second)) return false;  // "built in" is no folder
  }
  return true;
}

// Starts the worker: what the loader cannot know (a library that refuses this CPU, say) shows only then.
LibraryChoice started(const std::string& version, const Candidate& candidate) {
  LibraryChoice choice{.libraries = candidate.libraries, .problems = {}, .env = candidate.env, .datasets = {}};
  const Captured said = captured({version + "/paceline-worker", "describe"}, candidate.env, kDescribeSeconds);
  const Json json = Json::parse(said.output, nullptr, false);
  if (said.code == 0 && json.is_object() && json.contains("datasets")) {
    for (const Json& entry : json["datasets"])
      if (entry.is_object() && entry.contains("id")) choice.datasets[entry["id"]] = entry.value("location", "");
    return choice;
  }
  const std::string last = lastLine(said.errors), why = last.empty() ? strCat("exit code ", said.code) : last;
  return {.libraries = "", .problems = {strCat("paceline-worker does not start: ", why)}, .env = {}, .datasets = {}};
}

// What is wrong in the loader's answer.
std::vector<std::string> loaderProblems(const std::string& answer) {
  std::vector<std::string> problems;
  std::istringstream lines(answer);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t name = line.find_first_not_of(" \t");
    if (name == std::string::npos) continue;
    if (const std::size_t arrow = line.find(" => not found"); arrow != std::string::npos) problems.push_back(line.substr(name, arrow - name) + " was not found");
    else if (const std::size_t version = line.find("version `"); version != std::string::npos) problems.push_back(line.substr(version));
    else if (line.find(" cannot be started: ") != std::string::npos || line.find("error while loading") != std::string::npos ||
             line.find("undefined symbol") != std::string::npos)
      problems.push_back(line.substr(name));
  }
  return problems;
}

}  // namespace

LibraryChoice chooseLibraries(const std::string& version, const std::string& given, const std::vector<std::string>& needed) {
  if (!given.empty() && !isFolder(given)) return {.libraries = "", .problems = {strCat(given, " is no folder there")}, .env = {}, .datasets = {}};
  const std::string file = strCat(version, "/", kChoiceName);
  const Kept kept = keptIn(file);
  LibraryChoice failed;
  for (const Candidate& candidate : candidates(version, given)) {
    const std::string answer = loaderAnswer(version, candidate.env), hash = sha256Hex(answer);
    if (kept.given == given && kept.answer == hash && kept.choice.libraries == candidate.libraries && kept.choice.env == candidate.env &&
        allThere(kept.choice, needed))
      return kept.choice;
    LibraryChoice choice{.libraries = "", .problems = loaderProblems(answer), .env = {}, .datasets = {}};
    if (choice.problems.empty()) choice = started(version, candidate);
    if (!choice.libraries.empty()) {
      keep(file, {.given = given, .answer = hash, .choice = choice});
      return choice;
    }
    failed = std::move(choice);
  }
  return failed;
}

}  // namespace paceline::receive

#include "app/cluster/deploy/deployment.h"

#include <filesystem>

#include "app/cluster/deploy/files.h"
#include "app/cluster/deploy/library_bundle.h"
#include "app/cluster/deploy/session.h"
#include "app/cluster/hosts/command.h"
#include "app/cluster/worker/worker_answer.h"
#include "engine/core/base/error.h"
#include "engine/core/json/fields.h"

namespace paceline::deploy {

namespace {

std::string firstOf(const std::vector<std::string>& problems) {
  if (problems.empty()) return "its programs do not start";
  return problems.size() == 1 ? problems[0] : strCat(problems[0], " and ", problems.size() - 1, " more");
}

// Sent libraries do not bring a C library: what ours is too new for stays so.
void refuseOldC(const hosts::Host& host, const std::vector<std::string>& problems) {
  for (const std::string& problem : problems)
    if (problem.find("`GLIBC_") != std::string::npos)
      throw Error(Errc::kHost, strCat(host.name(), ": its C library is too old for our programs: ", problem, "; use a newer system there, or build Paceline on one as old"));
}

class Deployer {
 public:
  Deployer(hosts::Host& host, const DeployOptions& options) : host_(host), options_(options), programs_(programFiles()), version_(programs_.manifest.id()) {}

  hosts::Installation run() {
    open();
    if (!answer_.there) placed("", programs_);
    if (answer_.libraries.empty()) sendLibraries();
    for (const std::string& id : options_.datasets)
      if (answer_.datasets[id].empty()) placed(strCat("data/", folderName(here(id))), folderFiles(here(id)));
    for (const std::string& id : options_.datasets)
      if (answer_.datasets[id].empty()) throw Error(Errc::kHost, strCat(host_.name(), ": data set \"", id, "\" was sent, but paceline-worker there does not find it"));
    return {.folder = answer_.folder, .env = answer_.env};
  }

 private:
  void open() {
    session_.emplace(host_, options_);
    auto answer = session_->ready(version_);
    if (!answer) {
      deployAgent(host_);
      session_.emplace(host_, options_);
      answer = session_->ready(version_);
    }
    if (!answer) throw Error(Errc::kHost, strCat(host_.name(), ": paceline-agent was put there and is gone; is its cache folder being cleaned?"));
    answer_ = std::move(*answer);
  }

  void placed(const std::string& part, const FileSet& files) {
    session_->place(version_, part, files);
    auto answer = session_->ready(version_);
    if (!answer || !answer->there) throw Error(Errc::kHost, strCat(host_.name(), ": version ", version_, " was put there and is gone"));
    answer_ = std::move(*answer);
  }

  void sendLibraries() {
    refuseOldC(host_, answer_.problems);
    if (!options_.libraries.empty())
      throw Error(Errc::kHost, strCat(host_.name(), ": our programs do not start with the libraries in ", options_.libraries, ": ", firstOf(answer_.problems),
                                      "; leave that folder empty and LibTorch is sent"));
    placed("lib", *libraryBundle());
    refuseOldC(host_, answer_.problems);
    if (answer_.libraries.empty())
      throw Error(Errc::kHost, strCat(host_.name(), ": our programs do not start there, even with the libraries that were sent: ", firstOf(answer_.problems)));
  }

  std::string here(const std::string& id) {
    if (!catalog_) catalog_ = worker::describeWorker(hosts::localProgram("paceline-worker"));
    const DatasetEntry* entry = findEntry(catalog_->datasets, id);
    if (entry == nullptr) throw Error(Errc::kHost, strCat(host_.name(), ": data set \"", id, "\" is not known"));
    if (!entry->location.starts_with('/') && !std::filesystem::is_directory(entry->location))
      throw Error(Errc::kHost, strCat(host_.name(), ": data set \"", id, "\" is neither there nor on this computer"));
    return entry->location;
  }

  // The worker looks for a set in a folder of this name below PACELINE_DATA (engine/data/datasets/file_set.h).
  static std::string folderName(const std::string& location) { return std::filesystem::path(location).filename().string(); }

  hosts::Host& host_;
  const DeployOptions& options_;
  FileSet programs_;
  std::string version_;
  std::optional<DeploySession> session_;
  ReadyAnswer answer_;
  std::optional<Catalog> catalog_;
};

}  // namespace

hosts::Installation deploy(hosts::Host& host, const DeployOptions& options) { return Deployer(host, options).run(); }

// What deployments and runs left on a host's disk, and giving it back.
namespace {

constexpr const char* kNothing = "-";

// Our agent's answer to a command that prints one JSON object; the agent is put there first when it is missing.
Json asked(hosts::Host& host, const std::vector<std::string>& arguments) {
  hosts::CommandResult result = hosts::runOn(host, agentCommand(arguments));
  if (result.end.code == 127) {
    deployAgent(host);
    result = hosts::runOn(host, agentCommand(arguments));
  }
  if (result.end.code != 0) throw Error(Errc::kHost, strCat(host.name(), ": ", result.said()));
  std::vector<Finding> findings;
  for (const std::string& line : result.lines)
    if (line.starts_with('{'))
      if (auto json = parseJson(line, findings)) return std::move(*json);
  throw Error(Errc::kHost, strCat(host.name(), ": paceline-agent ", arguments.at(0), " gave an answer that is refused: ",
                                  findings.empty() ? "it has no JSON" : findings.front().message));
}

void refuseBad(const hosts::Host& host, const std::vector<Finding>& findings) {
  if (!findings.empty()) throw Error(Errc::kHost, strCat(host.name(), ": its paceline-agent gave an answer that is refused: ", findings.front().pointer, ": ", findings.front().message));
}

void addVersions(const Json& list, HostDisk& disk, std::vector<Finding>& findings) {
  const std::string current = programFiles().manifest.id();
  for (std::size_t i = 0; i < list.size(); ++i) {
    Fields fields(list[i], pointerTo("/versions", i), findings);
    InstalledVersion version;
    version.id = fields.required<std::string>("id");
    version.paceline = fields.required<std::string>("paceline");
    version.createdUtc = fields.required<std::string>("created_utc");
    version.bytes = fields.required<std::int64_t>("bytes");
    version.inUse = fields.required<bool>("in_use");
    version.parts = fields.texts("parts");
    version.current = version.id == current;
    disk.versions.push_back(std::move(version));
  }
}

void addSpools(const Json& answer, HostDisk& disk, std::vector<Finding>& findings) {
  Fields fields(answer, "", findings);
  disk.spoolBytes = fields.required<std::int64_t>("bytes");
  const Json& runs = fields.array("runs");
  disk.spools = static_cast<int>(runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) disk.activeRuns += Fields(runs[i], pointerTo("/runs", i), findings).required<bool>("active") ? 1 : 0;
}

}  // namespace

HostDisk diskOf(hosts::Host& host) {
  HostDisk disk;
  std::vector<Finding> findings;
  const Json installed = asked(host, {"installed"}), spools = asked(host, {"spools"});
  Fields fields(installed, "", findings);
  disk.partialBytes = fields.required<std::int64_t>("partial_bytes");
  addVersions(fields.array("versions"), disk, findings);
  addSpools(spools, disk, findings);
  refuseBad(host, findings);
  return disk;
}

std::int64_t cleanHost(hosts::Host& host, bool spools, bool currentToo) {
  std::vector<Finding> findings;
  std::int64_t freed = 0;
  const auto add = [&](const Json& answer) { freed += Fields(answer, "", findings).required<std::int64_t>("freed_bytes"); };
  if (spools) add(asked(host, {"forget", "--ended"}));
  add(asked(host, {"uninstall", currentToo ? std::string(kNothing) : programFiles().manifest.id()}));
  refuseBad(host, findings);
  return freed;
}

}  // namespace paceline::deploy

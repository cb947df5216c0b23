// What deployments and runs left on a host's disk, and giving it back.
#include "app/cluster/deploy/deployment.h"
#include "app/cluster/deploy/agent.h"
#include "app/cluster/deploy/files.h"
#include "app/cluster/hosts/command.h"
#include "engine/core/base/error.h"
#include "engine/core/json/fields.h"

namespace paceline::deploy {
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

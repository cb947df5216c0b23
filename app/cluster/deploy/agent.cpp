// The agent on a host: its place there, its upload with nothing but a shell, and what it says of the host's disk.
#include <algorithm>
#include <elf.h>

#include "app/cluster/deploy/deployment.h"
#include "app/cluster/deploy/elf.h"
#include "app/cluster/deploy/files.h"
#include "app/cluster/hosts/host.h"
#include "engine/core/base/file_text.h"
#include "engine/core/base/hash.h"
#include "engine/core/json/fields.h"

namespace paceline::deploy {
namespace {

// What follows comes as arguments, never as text of a script. The marks tell our lines from what a login shell may print.
constexpr const char* kLook = R"sh(LC_ALL=C; export LC_ALL; umask 077
folder=${XDG_CACHE_HOME:-${HOME:?is not set}/.cache}/paceline
echo "paceline-system $(uname -s) $(uname -m)"
echo "paceline-folder $folder"
agent=$folder/agents/$1/paceline-agent
if test -x "$agent" && test "$("$agent" hash "$agent" 2> /dev/null)" = "$1"; then echo "paceline-there"; fi)sh";

constexpr const char* kReceive = R"sh(LC_ALL=C; export LC_ALL; umask 077
to=$1/agents/$2
part=$to/part.$$
mkdir -p "$to" || exit 1
trap 'rm -f "$part"' EXIT
trap 'exit 1' HUP INT TERM
cat > "$part" || exit 1
chmod 700 "$part" || exit 1
"$part" keep "$part" "$2" || { code=$?; test $code = 1 || echo "paceline-refused $code"; exit 1; })sh";

constexpr const char* kStart = R"sh(folder=${XDG_CACHE_HOME:-${HOME:?is not set}/.cache}/paceline
agent=$folder/agents/$1/paceline-agent
test -x "$agent" && test -s "$agent" || exit 127
shift
exec "$agent" "$@")sh";

// What follows `mark` on its line; nullptr: no such line.
const std::string* marked(const hosts::CommandResult& result, std::string_view mark) {
  const auto line = std::find_if(result.lines.begin(), result.lines.end(), [&](const std::string& l) { return l.starts_with(mark); });
  return line == result.lines.end() ? nullptr : &*line;
}

std::string ownSystem(const std::string& program) {
  const int machine = readElf(program).machine;
  return machine == EM_X86_64 ? "Linux x86_64" : machine == EM_AARCH64 ? "Linux aarch64" : strCat("Linux on ELF machine ", machine);
}

// "" or the sentence for a full disk or a used-up quota that `errors` (of a tool in the C locale) tells of.
std::string noSpaceSentence(const std::string& errors, const std::string& folder, std::int64_t bytes) {
  if (errors.find("No space left on device") != std::string::npos)
    return strCat("the disk of ", folder, " is full; ", bytesText(bytes), " are needed");
  if (errors.find("quota exceeded") != std::string::npos)
    return strCat("the quota of the disk of ", folder, " is used up; ", bytesText(bytes), " are needed");
  return "";
}

constexpr std::size_t kMaxProgramBytes = std::size_t{1} << 30;  // with symbols it may be large

void sendAgent(hosts::Host& host, const std::string& folder, const std::string& id) {
  const std::string program = hosts::localProgram("paceline-agent");
  const auto bytes = fileText(program, kMaxProgramBytes);
  if (!bytes || bytes->empty()) throw Error(Errc::kFile, strCat("cannot read ", program));
  const hosts::CommandResult sent = hosts::runOn(host, {"sh", "-c", kReceive, "sh", folder, id}, {.input = &*bytes});
  if (marked(sent, "paceline-placed") != nullptr) return;
  if (const std::string full = noSpaceSentence(sent.end.errors, folder, static_cast<std::int64_t>(bytes->size())); !full.empty())
    throw Error(Errc::kNoSpace, strCat(host.name(), ": ", full));
  if (marked(sent, "paceline-differs") != nullptr)
    throw Error(Errc::kHost, strCat(host.name(), ": paceline-agent arrived with another SHA-256 in ", folder, "; try again"));
  if (marked(sent, "paceline-refused") != nullptr)
    throw Error(Errc::kHost, strCat(host.name(), ": programs cannot be started in ", folder, " (", sent.said(),
                                    "); set XDG_CACHE_HOME in this host's env to a folder on a disk that is not mounted noexec"));
  throw Error(Errc::kHost, strCat(host.name(), ": cannot put paceline-agent into ", folder, ": ", sent.said()));
}

// Our agent's answer to a command that prints one JSON object; the agent is put there first when it is missing.
Json asked(hosts::Host& host, const std::vector<std::string>& arguments) {
  hosts::CommandResult result = hosts::runOn(host, agentCommand(arguments));
  if (result.end.code >= kCannotStart) {
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

std::string agentId() { return sha256OfFile(hosts::localProgram("paceline-agent")); }

std::vector<std::string> agentCommand(const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {"sh", "-c", kStart, "sh", agentId()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

std::string deployAgent(hosts::Host& host) {
  const std::string program = hosts::localProgram("paceline-agent"), id = agentId();
  const hosts::CommandResult looked = hosts::runOn(host, {"sh", "-c", kLook, "sh", id});
  const std::string* system = marked(looked, "paceline-system ");
  const std::string* place = marked(looked, "paceline-folder ");
  if (system == nullptr || place == nullptr) throw Error(Errc::kHost, strCat(host.name(), ": its shell does not answer as a POSIX shell: ", looked.said()));
  const std::string theirs = system->substr(system->find(' ') + 1), ours = ownSystem(program), folder = place->substr(place->find(' ') + 1);
  if (theirs != ours)
    throw Error(Errc::kHost, strCat(host.name(), ": it is a ", theirs, " machine, and our programs are built for ", ours));
  if (marked(looked, "paceline-there") == nullptr) sendAgent(host, folder, id);
  return strCat(folder, "/agents/", id, "/paceline-agent");
}

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
  add(asked(host, {"uninstall", currentToo ? "-" : programFiles().manifest.id()}));
  refuseBad(host, findings);
  return freed;
}

}  // namespace paceline::deploy

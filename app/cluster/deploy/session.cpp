#include "app/cluster/deploy/session.h"

#include <algorithm>
#include <elf.h>
#include <iterator>
#include <string_view>

#include <zstd.h>

#include "app/cluster/deploy/elf.h"
#include "app/cluster/hosts/command.h"
#include "engine/core/base/error.h"
#include "engine/core/base/file_text.h"
#include "engine/core/base/hash.h"
#include "engine/core/base/text.h"
#include "engine/core/json/fields.h"

namespace paceline::deploy {

namespace {

constexpr double kAnswerSeconds = 300;  // placing hashes what was sent; a worker on a slow disk takes its time to start
constexpr double kStopLatencySeconds = 0.2;
constexpr int kZstdLevel = 3;

void appendLittleEndian(std::string& to, std::size_t value) {
  for (int i = 0; i < 4; ++i) to += static_cast<char>(value >> (8 * i));
}

std::string frameOf(const std::string& raw) {
  std::string packed(ZSTD_compressBound(raw.size()), '\0');
  const std::size_t size = ZSTD_compress(packed.data(), packed.size(), raw.data(), raw.size(), kZstdLevel);
  PACELINE_CHECK(ZSTD_isError(size) == 0, "zstd");
  std::string frame;
  appendLittleEndian(frame, raw.size());
  appendLittleEndian(frame, size);
  return frame.append(packed, 0, size);
}

std::map<std::string, std::string> textsIn(Fields& fields, const char* name) {
  std::map<std::string, std::string> texts;
  const Json* object = fields.find(name);
  if (object == nullptr || !object->is_object()) return texts;
  for (const auto& [key, value] : object->items()) {
    if (value.is_string()) texts[key] = value.get<std::string>();
    else fields.refuse(name, "has a member that is no text");
  }
  return texts;
}

}  // namespace

DeploySession::DeploySession(hosts::Host& host, const DeployOptions& options)
    : host_(host), options_(options), agent_(host.start(agentCommand({"receive"}))), began_(std::chrono::steady_clock::now()) {}

void DeploySession::refuse(const std::string& why) const {
  throw Error(Errc::kHost, strCat(host_.name(), ": its paceline-agent gave an answer that is refused: ", why));
}

void DeploySession::lost() {
  constexpr const char* kKept = "; the files sent so far are kept there, deploying again goes on from them";
  hosts::ProcessEnd end;
  try {
    end = agent_->wait();
  } catch (const Error& error) {  // names the host and what became of the connection
    throw Error(Errc::kHost, strCat(error.what(), kKept));
  }
  const std::string said = trimmedEnd(end.errors);
  throw Error(Errc::kHost, strCat(host_.name(), ": the connection to its paceline-agent ended",
                                  said.empty() ? "" : strCat(": ", said), kKept));
}

// A login shell may print what it likes before the agent answers; only objects count.
std::optional<Json> DeploySession::hear(double seconds) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  for (;;) {
    if (options_.stop.stop_requested()) throw Error(Errc::kStopped, strCat(host_.name(), ": deploying was stopped as asked"));
    if (const auto line = agent_->readLine(std::min(seconds, kStopLatencySeconds)); line && line->starts_with('{')) {
      std::vector<Finding> findings;
      auto json = parseJson(*line, findings);
      if (!json) refuse(findings.front().message);
      if (const auto error = json->find("error"); error != json->end() && error->is_string())
        throw Error(json->value("no_space", Json(false)) == true ? Errc::kNoSpace : Errc::kHost, strCat(host_.name(), ": ", error->get<std::string>()));
      return json;
    } else if (line) {
      continue;
    }
    if (agent_->ended() || std::chrono::steady_clock::now() >= deadline) return std::nullopt;
  }
}

Json DeploySession::expect() {
  for (;;) {
    auto answer = hear(kAnswerSeconds);
    if (answer && answer->contains("waiting")) continue;
    if (answer) return std::move(*answer);
    if (agent_->ended()) lost();
    throw Error(Errc::kHost, strCat(host_.name(), ": its paceline-agent did not answer within ", kAnswerSeconds, " s"));
  }
}

std::optional<Json> DeploySession::answerTo(const Json& request) {
  try {
    agent_->writeLine(dumped(request));
  } catch (const Error&) {  // it is gone; what it said or how it ended tells why
  }
  if (auto answer = hear(kAnswerSeconds)) return answer->contains("waiting") ? expect() : std::move(*answer);
  if (agent_->ended() && agent_->wait().code == 127) return std::nullopt;
  lost();
}

std::optional<ReadyAnswer> DeploySession::ready(const std::string& version) {
  const auto json = answerTo({{"request", "ready"}, {"version", version}, {"libraries", options_.libraries}, {"datasets", options_.datasets}});
  if (!json) return std::nullopt;
  std::vector<Finding> findings;
  Fields fields(*json, "", findings);
  ReadyAnswer answer;
  answer.there = fields.required<bool>("there");
  if (answer.there) {
    answer.folder = fields.required<std::string>("folder");
    answer.libraries = fields.required<std::string>("libraries");
    answer.problems = fields.texts("problems");
    answer.env = textsIn(fields, "env");
    answer.datasets = textsIn(fields, "datasets");
  }
  if (!findings.empty()) refuse(findings.front().pointer + ": " + findings.front().message);
  return answer;
}

std::vector<DeploySession::Missing> DeploySession::missingOf(const Json& answer, const FileSet& files) const {
  if (!answer.contains("missing") || !answer["missing"].is_array()) refuse("its answer has no list of missing files");
  std::vector<Missing> missing;
  for (const Json& entry : answer["missing"]) {
    const std::string hash = entry.is_object() && entry.contains("sha256") && entry["sha256"].is_string() ? entry["sha256"].get<std::string>() : "";
    const auto& all = files.manifest.files;
    const auto file = std::find_if(all.begin(), all.end(), [&](const ManifestFile& f) { return f.sha256 == hash; });
    const Json have = entry.is_object() ? entry.value("have", Json()) : Json();
    if (file == all.end()) refuse("it misses a file that was never meant");
    if (!have.is_number_integer() || have < 0 || have > file->size) refuse(strCat("of ", file->path, " it has ", dumped(have), " bytes"));
    missing.push_back({.index = static_cast<std::size_t>(file - all.begin()), .have = have.get<std::int64_t>()});
  }
  return missing;
}

void DeploySession::tell(const std::string& file, std::int64_t raw, std::int64_t packed) {
  progress_.file = file;
  progress_.bytesDone += raw;
  progress_.bytesSent += packed;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  progress_.rateBytesPerSecond = seconds > 0 ? static_cast<double>(progress_.bytesDone) / seconds : 0;
  progress_.etaSeconds =
      progress_.rateBytesPerSecond > 0 ? static_cast<double>(progress_.bytesTotal - progress_.bytesDone) / progress_.rateBytesPerSecond : 0;
  if (options_.onProgress) options_.onProgress(progress_);
}

void DeploySession::send(const ManifestFile& file, const FileSource& source, std::int64_t from) {
  for (std::int64_t done = from; done < file.size;) {
    const std::string raw = readPart(source, done, std::min(kMaxFrameBytes, file.size - done));
    if (raw.empty()) throw Error(Errc::kFile, strCat(source.path, " became shorter while it was sent"));
    const std::string frame = frameOf(raw);
    try {
      agent_->write(frame);
    } catch (const Error&) {
      expect();  // throws what the agent says, or that it is gone
      lost();
    }
    if (hear(0)) refuse("it spoke while a file was sent");
    done += static_cast<std::int64_t>(raw.size());
    tell(file.path, static_cast<std::int64_t>(raw.size()), static_cast<std::int64_t>(frame.size()));
  }
}

void DeploySession::place(const std::string& version, const std::string& part, const FileSet& files) {
  const auto answer =
      answerTo({{"request", "place"}, {"version", version}, {"part", part}, {"manifest", Json::parse(toJsonText(files.manifest))}});
  if (!answer) lost();
  const std::vector<Missing> missing = missingOf(*answer, files);
  progress_ = {};
  for (const Missing& one : missing) progress_.bytesTotal += files.manifest.files[one.index].size - one.have;
  began_ = std::chrono::steady_clock::now();
  for (const Missing& one : missing) send(files.manifest.files[one.index], files.sources[one.index], one.have);
  if (!expect().contains("placed")) refuse("it does not say that the files are in their place");
}

namespace {

// What follows comes as arguments, never as text of a script. The marks tell our lines from what a login shell may print.
constexpr const char* kLook = R"sh(LC_ALL=C; export LC_ALL; umask 077
folder=${XDG_CACHE_HOME:-${HOME:?is not set}/.cache}/paceline
echo "paceline-system $(uname -s) $(uname -m)"
echo "paceline-folder $folder"
if test -x "$folder/agents/$1/paceline-agent"; then echo "paceline-there"; fi)sh";

constexpr const char* kReceive = R"sh(LC_ALL=C; export LC_ALL; umask 077
to=$1/agents/$2
part=$to/part.$$
mkdir -p "$to" || exit 1
trap 'rm -f "$part"' EXIT
trap 'exit 1' HUP INT TERM
cat > "$part" || exit 1
chmod 700 "$part" || exit 1
"$part" hash "$part" > "$part.sum" || { code=$?; rm -f "$part.sum"; echo "paceline-refused $code"; exit 1; }
read -r sum < "$part.sum"
rm -f "$part.sum"
if test "$sum" != "$2"; then echo "paceline-differs"; exit 1; fi
mv -f "$part" "$to/paceline-agent" && echo "paceline-placed")sh";

constexpr const char* kStart = R"sh(folder=${XDG_CACHE_HOME:-${HOME:?is not set}/.cache}/paceline
agent=$folder/agents/$1/paceline-agent
test -x "$agent" || exit 127
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

std::string bytesOf(const std::string& path) {
  auto bytes = fileText(path);
  if (!bytes || bytes->empty()) throw Error(Errc::kFile, strCat("cannot read ", path));
  return std::move(*bytes);
}

void sendAgent(hosts::Host& host, const std::string& folder, const std::string& id) {
  const std::string bytes = bytesOf(hosts::localProgram("paceline-agent"));
  const hosts::CommandResult sent = hosts::runOn(host, {"sh", "-c", kReceive, "sh", folder, id}, {.input = &bytes});
  if (marked(sent, "paceline-placed") != nullptr) return;
  if (const std::string full = noSpaceSentence(sent.end.errors, folder, static_cast<std::int64_t>(bytes.size())); !full.empty())
    throw Error(Errc::kNoSpace, strCat(host.name(), ": ", full));
  if (marked(sent, "paceline-differs") != nullptr)
    throw Error(Errc::kHost, strCat(host.name(), ": paceline-agent arrived with another SHA-256 in ", folder, "; try again"));
  if (marked(sent, "paceline-refused") != nullptr)
    throw Error(Errc::kHost, strCat(host.name(), ": programs cannot be started in ", folder, " (", sent.said(),
                                    "); set XDG_CACHE_HOME in this host's env to a folder on a disk that is not mounted noexec"));
  throw Error(Errc::kHost, strCat(host.name(), ": cannot put paceline-agent into ", folder, ": ", sent.said()));
}

}  // namespace

std::string noSpaceSentence(const std::string& errors, const std::string& folder, std::int64_t bytes) {
  if (errors.find("No space left on device") != std::string::npos)
    return strCat("the disk of ", folder, " is full; ", bytesText(bytes), " are needed");
  if (errors.find("quota exceeded") != std::string::npos)
    return strCat("the quota of the disk of ", folder, " is used up; ", bytesText(bytes), " are needed");
  return "";
}

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

}  // namespace paceline::deploy

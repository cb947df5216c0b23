#include "agent/supervisor/receive/installed.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <set>
#include <sstream>

#include <zstd.h>

#include "engine/core/base/clock.h"
#include "engine/core/base/cpu.h"
#include "engine/core/base/hash.h"
#include "engine/core/json/fields.h"
#include "engine/core/json/json_text.h"
#include "engine/core/record/manifest.h"
#include "engine/core/base/file_text.h"
#include "engine/core/base/replace_file.h"

namespace paceline::receive {
namespace {

// Which libraries the programs of a version start with on this host. The loader itself is asked what it would load, then the worker is really
// started once; what was found is kept beside the programs and holds as long as the loader's answer stays the same.
struct LibraryChoice {
  std::string libraries;               // "given", "system", "sent"; "": the programs start with none of them
  std::vector<std::string> problems;   // then: what the loader misses, as "libtorch_cpu.so.1.13 was not found"
  std::map<std::string, std::string> env;       // for nodes
  std::map<std::string, std::string> datasets;  // id -> where the worker found it; "": nowhere
};

using Variables = std::map<std::string, std::string>;

constexpr double kTraceSeconds = 60, kDescribeSeconds = 120;  // a worker starts in 0.5 s; its libraries may have to come over NFS
const char* const kPrograms[] = {"paceline-server", "paceline-worker"};

bool isFolder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

std::vector<LibraryChoice> candidates(const std::string& version, const std::string& given) {
  Variables data;
  if (isFolder(version + "/data")) data["PACELINE_DATA"] = version + "/data";
  const auto with = [&](const std::string& libraries, const std::string& folder) {
    LibraryChoice choice{.libraries = libraries, .problems = {}, .env = data, .datasets = {}};
    if (!folder.empty()) choice.env["LD_LIBRARY_PATH"] = folder;
    return choice;
  };
  if (!given.empty()) return {with("given", given)};
  std::vector<LibraryChoice> found = {with("system", "")};
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
  const Json json = jsonOrNull(fileText(file).value_or(""));
  try {
    return {.given = json.at("given"), .answer = json.at("answer"),
            .choice = {.libraries = json.at("libraries"), .problems = {}, .env = json.at("env"), .datasets = json.at("datasets")}};
  } catch (const Json::exception&) {
    return {};
  }
}

void keep(const std::string& file, const Kept& kept) {
  const Json json = {{"given", kept.given}, {"answer", kept.answer}, {"libraries", kept.choice.libraries}, {"env", kept.choice.env},
                     {"datasets", kept.choice.datasets}};
  try {
    replaceFile(file, json.dump(), 0600);
  } catch (const Error&) {  // found anew next time
  }
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
LibraryChoice started(const std::string& version, LibraryChoice choice) {
  const Captured said = captured({version + "/paceline-worker", "describe"}, choice.env, kDescribeSeconds);
  const Json json = jsonOrNull(said.output);
  if (said.code == 0 && json.is_object() && json.contains("datasets")) {
    const auto textIn = [](const Json& entry, const char* key) { return entry.contains(key) && entry[key].is_string() ? entry[key].get<std::string>() : ""; };
    for (const Json& entry : json["datasets"])
      if (const std::string id = textIn(entry, "id"); !id.empty()) choice.datasets[id] = textIn(entry, "location");
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

// `version` is the folder of the programs; lib/ in it was sent. `given`: folder that the user names, "": none; then nothing else is tried.
// `needed`: data sets that must still be where they were. Throws Error{kHost} when the programs cannot be tried at all.
LibraryChoice chooseLibraries(const std::string& version, const std::string& given, const std::vector<std::string>& needed) {
  if (!given.empty() && !isFolder(given)) return {.libraries = "", .problems = {strCat(given, " is no folder there")}, .env = {}, .datasets = {}};
  const std::string file = strCat(version, "/", kChoiceName);
  const Kept kept = keptIn(file);
  LibraryChoice failed;
  for (const LibraryChoice& candidate : candidates(version, given)) {
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

constexpr double kRequestSilenceSeconds = 600;  // the desktop may have to collect libraries, or to ask its user
constexpr double kFrameSilenceSeconds = 60;     // others wait for the lock
constexpr double kLockSeconds = 0.2, kTellWaitSeconds = 5;  // how often a lock is tried again; how often the desktop hears of it

[[noreturn]] void refuse(const std::string& why) { throw Error(Errc::kFormat, "a request is refused: " + why); }

constexpr std::size_t kMaxLine = 16 << 20;  // a manifest of 20 000 files has 3 MB

std::uint32_t littleEndian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
  return value;
}

// The desktop's upload on stdin: lines of JSON, and between them the frames of files. One thread. Throws Error{kFormat} for what is too
// long or cut, Error{kHost} when nothing comes for too long.
class ReceiveInput {
 public:
  explicit ReceiveInput(int fd) : fd_(fd) {}

  // nullopt: the end.
  std::optional<std::string> line(double silenceSeconds) {
    for (;;) {
      if (const std::size_t newline = buffer_.find('\n'); newline != std::string::npos) {
        std::string found = buffer_.substr(0, newline);
        buffer_.erase(0, newline + 1);
        return found;
      }
      if (buffer_.size() > kMaxLine) throw Error(Errc::kFormat, strCat("a line of more than ", kMaxLine, " bytes was sent"));
      if (fill(silenceSeconds)) continue;
      if (buffer_.empty()) return std::nullopt;
      throw Error(Errc::kFormat, "what was sent ends within a line");
    }
  }

  // Waits a moment. Throws when the desktop has gone.
  void pause(double seconds) const {
    pollfd polled{fd_, POLLRDHUP, 0};  // what has come stays for later
    if (::poll(&polled, 1, static_cast<int>(seconds * 1000)) > 0) throw Error(Errc::kHost, "the connection ended while another deployment was waited for");
  }

  // One frame: raw size and packed size (32 bits each, little-endian), then that many bytes of zstd. Its raw bytes, at most `limit` of them.
  std::string frame(std::int64_t limit, double silenceSeconds) {
    const std::string sizes = bytes(8, silenceSeconds);
    const std::size_t raw = littleEndian(sizes), packed = littleEndian(std::string_view(sizes).substr(4));
    if (raw == 0 || raw > static_cast<std::size_t>(kMaxFrameBytes) || packed > ZSTD_compressBound(static_cast<std::size_t>(kMaxFrameBytes)))
      throw Error(Errc::kFormat, strCat("a frame of ", raw, " bytes, ", packed, " packed, is refused; at most ", kMaxFrameBytes, " are allowed"));
    if (static_cast<std::int64_t>(raw) > limit) throw Error(Errc::kFormat, strCat("a frame of ", raw, " bytes is refused; ", limit, " of its file are left"));
    const std::string sent = bytes(packed, silenceSeconds);
    std::string content(raw, '\0');
    const std::size_t got = ZSTD_decompress(content.data(), content.size(), sent.data(), sent.size());
    if (ZSTD_isError(got) != 0 || got != raw) throw Error(Errc::kFormat, "a frame cannot be unpacked");
    return content;
  }

 private:
  // false: the end.
  bool fill(double silenceSeconds) {
    pollfd polled{fd_, POLLIN, 0};
    const int ready = ::poll(&polled, 1, static_cast<int>(silenceSeconds * 1000));
    if (ready < 0 && errno == EINTR) return true;
    if (ready == 0) throw Error(Errc::kHost, strCat("nothing has come for ", silenceSeconds, " s"));
    char chunk[128 << 10];
    const ssize_t got = ::read(fd_, chunk, sizeof chunk);
    if (got < 0 && errno != EINTR) throw Error(Errc::kHost, strCat("cannot read what is sent: ", std::strerror(errno)));
    if (got > 0) buffer_.append(chunk, static_cast<std::size_t>(got));
    return got != 0;
  }

  std::string bytes(std::size_t count, double silenceSeconds) {
    while (buffer_.size() < count)
      if (!fill(silenceSeconds)) throw Error(Errc::kHost, "the connection ended within a file");
    std::string taken = buffer_.substr(0, count);
    buffer_.erase(0, count);
    return taken;
  }

  int fd_;
  std::string buffer_;
};

class Session {
 public:
  Session(int input, std::ostream& answers, double patienceSeconds) : input_(input), answers_(answers), paths_(installedPaths()), patienceSeconds_(patienceSeconds) {}

  void run() {
    while (const auto line = input_.line(kRequestSilenceSeconds)) {
      std::vector<Finding> findings;
      const auto json = parseJson(*line, findings);
      if (!json) refuse(findings.front().message);
      Fields fields(*json, "", findings);
      const auto request = fields.required<std::string>("request"), version = fields.required<std::string>("version");
      if (findings.empty() && !isHash(version, 32)) fields.refuse("version", "is no version");
      if (request == "ready") ready(version, fields);
      else if (request == "place") place(version, fields);
      else refuse(findings.empty() ? strCat("\"", quotable(request), "\" is not known; have place, ready") : problem(findings));
    }
  }

 private:
  static std::string problem(const std::vector<Finding>& findings) { return findings.front().pointer + ": " + findings.front().message; }
  void answer(const Json& json) { answers_ << dumped(json) << std::endl; }

  void ready(const std::string& version, Fields& fields) {
    const auto given = fields.required<std::string>("libraries");
    const std::vector<std::string> datasets = fields.texts("datasets");
    fields.refuseUnknown();
    if (!fields.findings().empty()) refuse(problem(fields.findings()));
    const std::string folder = paths_.version(version);
    if (!isWhole(folder)) return answer({{"there", false}});
    const LibraryChoice choice = chooseLibraries(folder, given, datasets);
    answer({{"there", true}, {"aes", hasAesInstructions()}, {"folder", folder}, {"libraries", choice.libraries}, {"problems", choice.problems}, {"env", choice.env},
            {"datasets", choice.datasets}});
  }

  // part: "" the programs, "lib", "data/NAME"
  std::string placeOf(const std::string& version, const std::string& part, const Manifest& manifest) const {
    const std::string folder = paths_.version(version);
    if (part.empty()) {
      if (manifest.id() != version) refuse(strCat("version ", version, " is not the one of its files, ", manifest.id()));
      return folder;
    }
    if (!isWhole(folder)) refuse(strCat("version ", version, " is not there"));
    const bool dataset = part.starts_with("data/") && part.find('/', 5) == std::string::npos && part.size() > 5 && part[5] != '.';
    if (part != "lib" && !dataset) refuse(strCat("\"", quotable(part), "\" is no part of a version; have lib, data/NAME"));
    return folder + "/" + part;
  }

  void place(const std::string& version, Fields& fields) {
    const auto part = fields.required<std::string>("part");
    const Json* given = fields.find("manifest");
    fields.refuseUnknown();
    if (given == nullptr) fields.refuse("manifest", "is missing");
    if (!fields.findings().empty()) refuse(problem(fields.findings()));
    const Manifest manifest = parseManifest(dumped(*given));
    const std::string folder = placeOf(version, part, manifest);
    Waited waited;
    ObjectStore store(paths_, [&](const std::string& holder) { await(holder, waited); });
    const std::vector<ManifestFile> missing = missingFrom(store, manifest);
    total_ = arrived_ = 0;
    Json list = Json::array();
    for (const ManifestFile& file : missing) {
      list.push_back({{"sha256", file.sha256}, {"size", file.size}, {"have", store.arrived(file)}});
      total_ += file.size;
      arrived_ += store.arrived(file);
    }
    if (total_ - arrived_ > store.bytesFree())
      throw Error(Errc::kNoSpace, strCat("the disk of ", paths_.folder, " is full; ", bytesText(total_ - arrived_), " are needed there and ",
                                         bytesText(store.bytesFree()), " are free"));
    answer({{"missing", list}});
    for (const ManifestFile& file : missing) receiveOne(store, file);
    for (const ManifestFile& file : manifest.files) (void)store.has(file);  // those that were sent for another one, too
    store.place(manifest, folder);
    answer({{"placed", folder}});
  }

  struct Waited {
    double told = 0, moved = 0;  // when the desktop heard of it; when something had come of the other deployment
    std::string trace{};
  };
  void await(const std::string& holder, Waited& waited) {
    if (const double now = steadySeconds(); now - waited.told >= std::min(kTellWaitSeconds, patienceSeconds_)) {
      if (std::string trace = traceOf(paths_); trace != waited.trace) waited.trace = std::move(trace), waited.moved = now;
      if (now - waited.moved >= patienceSeconds_)
        throw Error(Errc::kHost, strCat(holder, " has done nothing for ", patienceSeconds_, " s and keeps the lock ", paths_.partial, "/.lock; end it, then deploy again"));
      answer({{"waiting", holder + " is under way"}});
      waited.told = now;
    }
    input_.pause(kLockSeconds);
  }

  static std::vector<ManifestFile> missingFrom(const ObjectStore& store, const Manifest& manifest) {
    std::vector<ManifestFile> missing;
    std::set<std::string> asked;
    for (const ManifestFile& file : manifest.files)
      if (!asked.contains(file.sha256) && !store.has(file)) asked.insert(file.sha256), missing.push_back(file);
    return missing;
  }

  void receiveOne(ObjectStore& store, const ManifestFile& file) {
    const std::int64_t others = arrived_ - store.arrived(file);
    try {
      store.receive(file, [&](std::int64_t left) { return input_.frame(left, kFrameSilenceSeconds); });
      arrived_ = others + file.size;
    } catch (const Error& error) {
      if (error.code() != Errc::kNoSpace) throw;
      throw Error(Errc::kNoSpace, strCat(error.what(), "; ", bytesText(others + store.arrived(file)), " of ", bytesText(total_),
                                         " have arrived and are kept for the next try"));
    }
  }

  ReceiveInput input_;
  std::ostream& answers_;
  InstalledPaths paths_;
  double patienceSeconds_;
  std::int64_t total_ = 0, arrived_ = 0;  // bytes of the part that is being placed
};

}  // namespace

int receive(int input, std::ostream& answers, double patienceSeconds) {
  try {
    Session(input, answers, patienceSeconds).run();
    return 0;
  } catch (const std::exception& error) {
    const auto* ours = dynamic_cast<const Error*>(&error);
    answers << dumped(Json{{"error", error.what()}, {"no_space", ours != nullptr && ours->code() == Errc::kNoSpace}}) << std::endl;
  }
  return 1;
}

}  // namespace paceline::receive

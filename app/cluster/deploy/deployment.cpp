#include "app/cluster/deploy/deployment.h"

#include <algorithm>
#include <filesystem>

#include <zstd.h>

#include "app/cluster/deploy/files.h"
#include "app/cluster/worker/worker_answer.h"
#include "engine/core/base/clock.h"
#include "engine/core/base/user_folders.h"
#include "engine/core/json/fields.h"
#include "engine/core/json/json_text.h"

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

// What the agent says of a version.
struct ReadyAnswer {
  bool there = false, aes = false;    // aes: its processor has instructions for that
  std::string folder, libraries;      // libraries "": its programs do not start
  std::vector<std::string> problems;  // why not
  std::map<std::string, std::string> env, datasets;
};

void describe(auto& visit, ReadyAnswer& answer) {
  visit(Field{.key = "there", .required = true}, answer.there);
  visit(Field{"aes"}, answer.aes);
  visit(Field{"folder"}, answer.folder);
  visit(Field{"libraries"}, answer.libraries);
  visit(Field{"problems"}, answer.problems);
  visit(Field{"env"}, answer.env);
  visit(Field{"datasets"}, answer.datasets);
}

void crossCheck(Fields& fields, const ReadyAnswer& answer) {
  for (const char* key : {"folder", "libraries"})
    if (answer.there) fields.require(key);
}

// One conversation with `paceline-agent receive` on a host (agent/README.md). Used by the thread that uses the host, which must outlive it.
// Throws Error{kHost, kNoSpace, kStopped} naming the host; what a host answers is checked, never believed.
class DeploySession {
 public:
  DeploySession(hosts::Host& host, const DeployOptions& options) : host_(host), options_(options), agent_(host.start(agentCommand({"receive"}))) {}

  // nullopt: our agent is not on this host, or does not start.
  std::optional<ReadyAnswer> ready(const std::string& version) {
    const auto json = answerTo({{"request", "ready"}, {"version", version}, {"libraries", options_.libraries}, {"datasets", options_.datasets}});
    if (!json) return std::nullopt;
    std::vector<Finding> findings;
    Fields fields(*json, "", findings);
    ReadyAnswer answer;
    readObject(fields, answer, UnknownKeys::kPassedOver);
    if (!findings.empty()) refuse(findings.front().pointer + ": " + findings.front().message);
    return answer;
  }

  // Sends what is missing of the files and has them placed as `part` of the version: "" the programs, "lib", "data/NAME".
  void place(const std::string& version, const std::string& part, const FileSet& files) {
    const auto answer =
        answerTo({{"request", "place"}, {"version", version}, {"part", part}, {"manifest", jsonFrom(toJsonText(files.manifest), "manifest")}});
    if (!answer) lost();
    const std::vector<Missing> missing = missingOf(*answer, files);
    progress_ = {};
    for (const Missing& one : missing) progress_.bytesTotal += files.manifest.files[one.index].size - one.have;
    began_ = steadySeconds();
    for (const Missing& one : missing) send(files.manifest.files[one.index], files.sources[one.index], one.have);
    if (!expect().contains("placed")) refuse("it does not say that the files are in their place");
  }

 private:
  struct Missing {
    std::size_t index = 0;  // in the file set
    std::int64_t have = 0;
  };

  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(Errc::kHost, strCat(host_.name(), ": its paceline-agent gave an answer that is refused: ", why));
  }

  [[noreturn]] void lost() {
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

  // The next line of JSON; nullopt: none, or the agent has ended. A login shell may print what it likes before the agent answers; only objects count.
  std::optional<Json> hear(double seconds) {
    const double deadline = steadySeconds() + seconds;
    for (;;) {
      if (options_.stop.stop_requested()) throw Error(Errc::kStopped, strCat(host_.name(), ": deploying was stopped as asked"));
      const auto line = agent_->readLine(std::min(seconds, kStopLatencySeconds));
      if (line && line->starts_with('{')) {
        std::vector<Finding> findings;
        auto json = parseJson(*line, findings);
        if (!json) refuse(findings.front().message);
        heard_ = true;
        if (const auto error = json->find("error"); error != json->end() && error->is_string())
          throw Error(json->value("no_space", Json(false)) == true ? Errc::kNoSpace : Errc::kHost, strCat(host_.name(), ": ", error->get<std::string>()));
        return json;
      }
      if (!line && (agent_->ended() || steadySeconds() >= deadline)) return std::nullopt;
    }
  }

  // An answer or the reason why there is none.
  Json expect() {
    for (;;) {
      auto answer = hear(kAnswerSeconds);
      if (answer && waits(*answer)) continue;
      if (answer) return std::move(*answer);
      silent();
    }
  }

  // It waits for somebody else, and says for whom; it gives up by itself.
  bool waits(const Json& answer) {
    const auto why = answer.find("waiting");
    if (why == answer.end()) return false;
    if (!why->is_string()) refuse("it waits for nothing that it can name");
    if (options_.onProgress) options_.onProgress({.waitsFor = quotable(why->get<std::string>(), 200), .file = ""});
    return true;
  }

  [[noreturn]] void silent() {
    if (agent_->ended()) lost();
    throw Error(Errc::kHost, strCat(host_.name(), ": its paceline-agent did not answer within ", kAnswerSeconds, " s"));
  }

  std::optional<Json> answerTo(const Json& request) {
    try {
      agent_->writeLine(dumped(request));
    } catch (const Error&) {  // it is gone; what it said or how it ended tells why
    }
    if (auto answer = hear(kAnswerSeconds)) return waits(*answer) ? expect() : std::move(*answer);
    if (!heard_ && agent_->ended() && agent_->wait().code >= kCannotStart) return std::nullopt;
    silent();
  }

  std::vector<Missing> missingOf(const Json& answer, const FileSet& files) const {
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

  void tell(const std::string& file, std::int64_t raw, std::int64_t packed) {
    progress_.file = file;
    progress_.bytesDone += raw;
    progress_.bytesSent += packed;
    const double seconds = steadySeconds() - began_;
    progress_.rateBytesPerSecond = seconds > 0 ? static_cast<double>(progress_.bytesDone) / seconds : 0;
    progress_.etaSeconds = progress_.rateBytesPerSecond > 0 ? static_cast<double>(progress_.bytesTotal - progress_.bytesDone) / progress_.rateBytesPerSecond : 0;
    if (options_.onProgress) options_.onProgress(progress_);
  }

  void send(const ManifestFile& file, const FileSource& source, std::int64_t from) {
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

  hosts::Host& host_;
  const DeployOptions& options_;
  std::unique_ptr<hosts::Process> agent_;
  bool heard_ = false;
  DeployProgress progress_;
  double began_ = steadySeconds();
};

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
    for (const PinnedFile& file : options_.files) placed(strCat("data/", file.sha256), filesOf(file));
    if (!options_.files.empty()) answer_.env[kFilesVariable] = answer_.folder + "/data";
    return {.folder = answer_.folder, .env = answer_.env, .aes = answer_.aes};
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
    if (!answer) throw Error(Errc::kHost, strCat(host_.name(), ": paceline-agent was put there and is gone or does not start; is its cache folder being cleaned?"));
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
      throw Error(Errc::kHost, strCat(host_.name(), ": data set \"", id, "\" is neither there nor on this computer; ",
                                      entry->downloads ? strCat("get it here with paceline data download ", id) : strCat("put it below ", userDataSets(), " here"), " and it is sent"));
    return entry->location;
  }

  FileSet filesOf(const PinnedFile& file) const {
    FileSet files;
    files.add(fileName(file), false, {.path = file.path, .content = {}});
    if (files.manifest.files.front().sha256 != file.sha256)
      throw Error(Errc::kHost, strCat(host_.name(), ": ", file.path, " has changed since its run was asked for: its SHA-256 is ", files.manifest.files.front().sha256, ", the document names ", file.sha256));
    return files;
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

}  // namespace paceline::deploy

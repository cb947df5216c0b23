#include "agent/supervisor/receive/receive.h"

#include <filesystem>
#include <fstream>
#include <ostream>
#include <set>
#include <sstream>

#include "agent/supervisor/receive/installed_paths.h"
#include "agent/supervisor/receive/library_choice.h"
#include "agent/supervisor/receive/object_store.h"
#include "agent/supervisor/receive/input.h"
#include "engine/core/base/bytes_text.h"
#include "engine/core/base/error.h"
#include "engine/core/json/fields.h"

namespace paceline::receive {
namespace {

constexpr double kRequestSilenceSeconds = 600;  // the desktop may have to collect libraries, or to ask its user
constexpr double kFrameSilenceSeconds = 60;     // others wait for the lock

[[noreturn]] void refuse(const std::string& why) { throw Error(Errc::kFormat, "a request is refused: " + why); }

class Session {
 public:
  Session(int input, std::ostream& answers) : input_(input), answers_(answers), paths_(installedPaths()) {}

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
    std::error_code ignored;
    const std::string folder = paths_.version(version);
    if (!std::filesystem::exists(folder + "/" + kManifestName, ignored)) return answer({{"there", false}});
    const LibraryChoice choice = chooseLibraries(folder, given, datasets);
    answer({{"there", true}, {"folder", folder}, {"libraries", choice.libraries}, {"problems", choice.problems}, {"env", choice.env},
            {"datasets", choice.datasets}});
  }

  // part: "" the programs, "lib", "data/NAME"
  std::string placeOf(const std::string& version, const std::string& part, const Manifest& manifest) const {
    const std::string folder = paths_.version(version);
    if (part.empty()) {
      if (manifest.id() != version) refuse(strCat("version ", version, " is not the one of its files, ", manifest.id()));
      return folder;
    }
    std::error_code ignored;
    if (!std::filesystem::exists(folder + "/" + kManifestName, ignored)) refuse(strCat("version ", version, " is not there"));
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
    ObjectStore store(paths_, [this] { answer({{"waiting", "another deployment to this host is under way"}}); });
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
    store.place(manifest, folder);
    answer({{"placed", folder}});
  }

  static std::vector<ManifestFile> missingFrom(const ObjectStore& store, const Manifest& manifest) {
    std::vector<ManifestFile> missing;
    std::set<std::pair<std::string, bool>> asked;
    for (const ManifestFile& file : manifest.files)
      if (asked.emplace(file.sha256, file.program).second && !store.has(file)) missing.push_back(file);
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
  std::int64_t total_ = 0, arrived_ = 0;  // bytes of the part that is being placed
};

}  // namespace

int receive(int input, std::ostream& answers) {
  try {
    Session(input, answers).run();
    return 0;
  } catch (const Error& error) {
    answers << dumped(Json{{"error", error.what()}, {"no_space", error.code() == Errc::kNoSpace}}) << std::endl;
  } catch (const std::exception& error) {
    answers << dumped(Json{{"error", error.what()}, {"no_space", false}}) << std::endl;
  }
  return 1;
}

}  // namespace paceline::receive

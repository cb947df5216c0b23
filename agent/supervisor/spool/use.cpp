#include "agent/supervisor/spool/use.h"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "agent/supervisor/spool/run_folder.h"
#include "agent/supervisor/supervise/up.h"
#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
#include "engine/core/json/json_text.h"

namespace paceline::spool {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

SpoolUse useOf(const fs::path& folder) {
  SpoolUse use{.run = folder.filename().string(), .bytes = 0, .active = false, .endedUtc = ""};
  std::time_t last = 0;
  std::error_code ignored;
  for (const auto& file : fs::directory_iterator(folder, ignored)) {
    struct stat status{};
    if (::stat(file.path().c_str(), &status) != 0) continue;
    use.bytes += status.st_size;
    last = std::max(last, status.st_mtime);
  }
  use.endedUtc = utcText(static_cast<double>(last));
  return use;
}

}  // namespace

std::vector<SpoolUse> spoolUse(const std::string& runsFolder, const std::function<bool(const std::string& run)>& active) {
  std::vector<SpoolUse> uses;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(runsFolder, ignored)) {
    SpoolUse use = useOf(entry.path());
    use.active = active(use.run);
    if (use.active) use.endedUtc.clear();
    uses.push_back(std::move(use));
  }
  std::sort(uses.begin(), uses.end(), [](const SpoolUse& a, const SpoolUse& b) { return a.run < b.run; });
  return uses;
}

std::string toJson(const std::vector<SpoolUse>& uses) {
  Json runs = Json::array();
  std::int64_t bytes = 0;
  for (const SpoolUse& use : uses) {
    bytes += use.bytes;
    const Json ended = use.endedUtc.empty() ? Json(nullptr) : Json(use.endedUtc);
    runs.push_back({{"run", use.run}, {"bytes", use.bytes}, {"active", use.active}, {"ended_utc", ended}});
  }
  return dumped(Json{{"runs", runs}, {"bytes", bytes}});
}

namespace {

using Json = nlohmann::json;

std::string resultOf(const AgentPaths& paths, const Json& request) {
  const Json reply = Json::parse(supervise::ask(supervise::connectOrStart(paths), request.dump()), nullptr, false);
  if (!reply.is_object()) throw Error(Errc::kHost, "the supervisor's answer cannot be read");
  if (!reply.value("ok", false)) throw Error(Errc::kHost, reply.value("error", "the supervisor refused"));
  return reply.at("result").dump();
}

}  // namespace

std::string spoolsJson(const AgentPaths& paths) { return resultOf(paths, {{"request", "spools"}, {"id", 1}}); }

std::string dropCheckpoints(const AgentPaths& paths, const std::string& run) {
  if (!RunFolder::isRunName(run)) throw Error(Errc::kHost, strCat("\"", run, "\" cannot be the name of a run"));
  const std::filesystem::path folder = std::filesystem::path(paths.checkpoints) / run;
  std::error_code error;
  std::uintmax_t bytes = 0;
  for (std::filesystem::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->is_regular_file(error)) bytes += entry->file_size(error);
  std::filesystem::remove_all(folder, error);
  if (error) throw Error(Errc::kFile, strCat("cannot delete ", folder.string(), ": ", error.message()));
  return Json{{"freed_bytes", bytes}}.dump();
}

std::string forgetRuns(const AgentPaths& paths, const std::string& runOrEnded) {
  if (runOrEnded == "--ended") return resultOf(paths, {{"request", "forget"}, {"id", 1}, {"ended", true}});
  return resultOf(paths, {{"request", "forget"}, {"id", 1}, {"run", runOrEnded}});
}

}  // namespace paceline::spool

#include "agent/supervisor/spool/use.h"

#include <sys/stat.h>

#include <algorithm>
#include <ctime>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "engine/core/base/utc_text.h"
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

}  // namespace paceline::spool

#include "app/cluster/hosts/facts.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "app/cluster/hosts/replace_file.h"
#include "engine/core/base/file_text.h"
#include "engine/core/json/json_text.h"

namespace paceline::hosts {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMaxFileBytes = 64U << 20U;

fs::path factsPath() {
  std::error_code error;
  return fs::absolute(fs::path(HostRegistry::defaultPath()), error).parent_path() / "facts.json";
}

// Among threads and processes: what one of them measured must not be lost because another wrote at the same time.
class FactsLock {
 public:
  explicit FactsLock(const fs::path& facts) : fd_(::open((facts.string() + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    if (fd_ >= 0) ::flock(fd_, LOCK_EX);
  }
  ~FactsLock() {
    if (fd_ >= 0) ::close(fd_);
  }
  FactsLock(const FactsLock&) = delete;
  FactsLock& operator=(const FactsLock&) = delete;

 private:
  int fd_;
};

Json emptyDocument() { return {{"paceline_facts", 1}, {"hosts", Json::object()}, {"links", Json::array()}}; }

Json readDocument() {  // a cache: what is damaged counts as empty
  const fs::path path = factsPath();
  std::error_code error;
  if (const auto size = fs::file_size(path, error); error || size > kMaxFileBytes) return emptyDocument();
  std::vector<Finding> findings;
  const std::optional<Json> json = parseJson(fileText(path).value_or(""), findings);
  const bool good = json && json->is_object() && json->value("paceline_facts", Json()) == Json(1) && json->value("hosts", Json()).is_object() &&
                    json->value("links", Json()).is_array();
  return good ? *json : emptyDocument();
}

void change(const std::function<void(Json&)>& edit) {
  const fs::path path = factsPath();
  std::error_code error;
  if (!fs::exists(path.parent_path(), error)) {
    fs::create_directories(path.parent_path(), error);
    fs::permissions(path.parent_path(), fs::perms::owner_all, error);
  }
  const FactsLock lock(path);
  Json document = readDocument();
  edit(document);
  replaceFile(path, dumped(document, 1) + "\n");
}

std::string textAt(const Json& json, const char* name) {
  const auto found = json.is_object() ? json.find(name) : json.end();
  return json.is_object() && found != json.end() && found->is_string() ? found->get<std::string>() : "";
}
double numberAt(const Json& json, const char* name) {
  const auto found = json.is_object() ? json.find(name) : json.end();
  return json.is_object() && found != json.end() && found->is_number() ? found->get<double>() : 0;
}

check::CheckState stateNamed(const std::string& name) {
  for (const check::CheckState state :
       {check::CheckState::kWaiting, check::CheckState::kRunning, check::CheckState::kGood, check::CheckState::kWarning, check::CheckState::kBad, check::CheckState::kSkipped})
    if (name == check::checkStateName(state)) return state;
  return check::CheckState::kWaiting;
}

Json toJson(const check::CheckLine& line) {
  return {{"id", line.id},       {"title", line.title},  {"state", check::checkStateName(line.state)}, {"expected", line.expected},
          {"found", line.found}, {"advice", line.advice}};
}

Json toJson(const check::LinkMeasure& link) {
  return {{"from", link.from},      {"to", link.to}, {"reachable", link.reachable}, {"mbps", link.mbps}, {"latency_ms", link.latencyMs},
          {"problem", link.problem}};
}

check::LinkMeasure linkFrom(const Json& json) {
  return {.from = textAt(json, "from"),
          .to = textAt(json, "to"),
          .reachable = json.is_object() && json.value("reachable", Json()) == Json(true),
          .mbps = numberAt(json, "mbps"),
          .latencyMs = numberAt(json, "latency_ms"),
          .problem = textAt(json, "problem")};
}

}  // namespace

std::optional<HostFacts> loadFacts(const std::string& host) {
  const Json document = readDocument();
  const auto found = document["hosts"].find(host);
  if (found == document["hosts"].end() || !found->is_object()) return std::nullopt;
  HostFacts facts{.name = host,
                  .checkedUtc = textAt(*found, "checked_utc"),
                  .probe = found->value("probe", Json()).is_object() ? dumped((*found)["probe"]) : "",
                  .speed = numberAt(*found, "speed_gflops"),
                  .clockOffsetSeconds = numberAt(*found, "clock_offset_s"),
                  .clockErrorSeconds = numberAt(*found, "clock_error_s"),
                  .lines = {}};
  const Json lines = found->value("lines", Json::array());
  for (const Json& line : lines)
    facts.lines.push_back({textAt(line, "id"), textAt(line, "title"), stateNamed(textAt(line, "state")), textAt(line, "expected"),
                           textAt(line, "found"), textAt(line, "advice")});
  return facts;
}

void keepFacts(const HostFacts& facts) {
  Json lines = Json::array();
  for (const check::CheckLine& line : facts.lines) lines.push_back(toJson(line));
  std::vector<Finding> ignored;
  const Json probe = parseJson(facts.probe, ignored).value_or(Json());
  const Json host = {
      {"checked_utc", facts.checkedUtc},          {"probe", probe}, {"speed_gflops", facts.speed}, {"clock_offset_s", facts.clockOffsetSeconds},
      {"clock_error_s", facts.clockErrorSeconds}, {"lines", lines}};
  change([&](Json& document) { document["hosts"][facts.name] = host; });
}

std::vector<check::LinkMeasure> loadLinks() {
  std::vector<check::LinkMeasure> links;
  const Json document = readDocument();
  for (const Json& link : document["links"]) links.push_back(linkFrom(link));
  return links;
}

void keepLinks(const std::vector<check::LinkMeasure>& links) {
  change([&](Json& document) {
    Json kept = Json::array();
    for (const Json& old : document["links"]) {
      const check::LinkMeasure before = linkFrom(old);
      const auto same = [&](const check::LinkMeasure& link) { return link.from == before.from && link.to == before.to; };
      if (std::none_of(links.begin(), links.end(), same)) kept.push_back(old);
    }
    for (const check::LinkMeasure& link : links) kept.push_back(toJson(link));
    document["links"] = kept;
  });
}

void forgetFacts(const std::string& host) {
  change([&](Json& document) {
    document["hosts"].erase(host);
    Json kept = Json::array();
    for (const Json& link : document["links"])
      if (textAt(link, "from") != host && textAt(link, "to") != host) kept.push_back(link);
    document["links"] = kept;
  });
}

}  // namespace paceline::hosts

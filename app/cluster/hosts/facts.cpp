#include "app/cluster/hosts/facts.h"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <filesystem>

#include "app/cluster/hosts/host_registry.h"
#include "engine/core/base/fd.h"
#include "engine/core/base/file_text.h"
#include "engine/core/base/replace_file.h"
#include "engine/core/json/fields.h"
#include "engine/core/json/describe.h"

namespace paceline::check {

void describe(auto& visit, CheckLine& line) {
  visit(Field{.key = "id"}, line.id);
  visit(Field{.key = "title"}, line.title);
  visit(Field{.key = "state"}, line.state);
  visit(Field{.key = "expected"}, line.expected);
  visit(Field{.key = "found"}, line.found);
  visit(Field{.key = "advice"}, line.advice);
}

void describe(auto& visit, LinkMeasure& link) {
  visit(Field{.key = "from"}, link.from);
  visit(Field{.key = "to"}, link.to);
  visit(Field{.key = "reachable"}, link.reachable);
  visit(Field{.key = "mbps"}, link.mbps);
  visit(Field{.key = "latency_ms"}, link.latencyMs);
  visit(Field{.key = "problem"}, link.problem);
}

}  // namespace paceline::check

namespace paceline::hosts {

void describe(auto& visit, HostFacts& facts) {  // its name is its key, the probe is JSON as the agent gave it
  visit(Field{.key = "checked_utc"}, facts.checkedUtc);
  visit(Field{.key = "speed_gflops"}, facts.speed);
  visit(Field{.key = "speed_utc"}, facts.speedUtc);
  visit(Field{.key = "speed_load"}, facts.speedLoad);
  visit(Field{.key = "clock_offset_s"}, facts.clockOffsetSeconds);
  visit(Field{.key = "clock_error_s"}, facts.clockErrorSeconds);
  visit(Field{.key = "lines"}, facts.lines);
}

namespace {

namespace fs = std::filesystem;


fs::path factsPath() {
  std::error_code error;
  return fs::absolute(fs::path(HostRegistry::defaultPath()), error).parent_path() / "facts.json";
}

// Among threads and processes: what one of them measured must not be lost because another wrote at the same time.
Fd locked(const fs::path& facts) {
  Fd lock(::open((facts.string() + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (lock) ::flock(lock.get(), LOCK_EX);
  return lock;
}

Json emptyDocument() { return {{"paceline_facts", 1}, {"hosts", Json::object()}, {"links", Json::array()}}; }

Json readDocument() {  // a cache: what is damaged counts as empty
  const fs::path path = factsPath();
  Json json = jsonOrNull(fileText(path).value_or(""));
  const bool good = json.is_object() && json.value("paceline_facts", Json()) == Json(1) && json.value("hosts", Json()).is_object() &&
                    json.value("links", Json()).is_array();
  return good ? json : emptyDocument();
}

void change(const std::function<void(Json&)>& edit) {
  const fs::path path = factsPath();
  std::error_code error;
  if (fs::create_directories(path.parent_path(), error)) fs::permissions(path.parent_path(), fs::perms::owner_all, error);
  const Fd lock = locked(path);
  Json document = readDocument();
  edit(document);
  replaceFile(path.string(), dumped(document, 1) + "\n", 0600);
}

template <class T>
T valueFrom(const Json& json) {  // what is damaged has its default
  T value{};
  std::vector<Finding> ignored;
  Fields fields(json, "", ignored);
  readObject(fields, value, UnknownKeys::kPassedOver);
  return value;
}

std::vector<check::LinkMeasure> linksOf(const Json& document) {
  std::vector<check::LinkMeasure> links;
  for (const Json& link : document["links"]) links.push_back(valueFrom<check::LinkMeasure>(link));
  return links;
}

}  // namespace

bool takeSpeed(HostFacts& facts, double speed, const std::string& load, const std::string& utc) {
  const bool quietStays = facts.speed > 0 && facts.speedLoad.empty();
  if (!load.empty() && (quietStays || facts.speed >= speed)) return false;
  facts.speed = speed;
  facts.speedUtc = utc;
  facts.speedLoad = load;
  return true;
}

std::optional<HostFacts> loadFacts(const std::string& host) {
  const Json document = readDocument();
  const auto found = document["hosts"].find(host);
  if (found == document["hosts"].end() || !found->is_object()) return std::nullopt;
  auto facts = valueFrom<HostFacts>(*found);
  facts.name = host;
  if (const auto probe = found->find("probe"); probe != found->end() && probe->is_object()) facts.probe = dumped(*probe);
  return facts;
}

void keepFacts(const HostFacts& facts) {
  std::vector<Finding> ignored;
  Json host = written(facts);
  host["probe"] = parseJson(facts.probe, ignored).value_or(Json());
  change([&](Json& document) { document["hosts"][facts.name] = host; });
}

std::vector<check::LinkMeasure> loadLinks() { return linksOf(readDocument()); }

void keepLinks(const std::vector<check::LinkMeasure>& links) {
  change([&](Json& document) {
    std::vector<check::LinkMeasure> kept;
    for (const check::LinkMeasure& before : linksOf(document)) {
      const auto same = [&](const check::LinkMeasure& link) { return link.from == before.from && link.to == before.to; };
      if (std::none_of(links.begin(), links.end(), same)) kept.push_back(before);
    }
    kept.insert(kept.end(), links.begin(), links.end());
    document["links"] = written(kept);
  });
}

void forgetFacts(const std::string& host) {
  change([&](Json& document) {
    document["hosts"].erase(host);
    std::vector<check::LinkMeasure> kept = linksOf(document);
    std::erase_if(kept, [&](const check::LinkMeasure& link) { return link.from == host || link.to == host; });
    document["links"] = written(kept);
  });
}

}  // namespace paceline::hosts

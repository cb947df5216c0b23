#include "app/cli/results/documents.h"

#include <set>

#include "app/cli/console.h"
#include "engine/core/json/json_number.h"
#include "engine/core/json/json_text.h"

namespace paceline::cli {
namespace {

std::string text(const Json& json) { return dumped(json, 2) + "\n"; }

Json parsedOr(const std::string& json) {
  Json parsed = Json::parse(json, nullptr, false);
  return parsed.is_discarded() ? Json() : parsed;
}

Json rowJson(const store::RunRow& run) {
  return {{"id", run.id},
          {"name", run.name},
          {"state", store::stateName(run.state)},
          {"error", run.error},
          {"reason", run.reason},
          {"algorithm", run.algorithm},
          {"model", run.model},
          {"dataset", run.dataset},
          {"partition", run.partition},
          {"seed", run.seed},
          {"config_hash", run.configHash},
          {"created_utc", utcText(run.createdUtc)},
          {"started_utc", utcText(run.startedUtc)},
          {"ended_utc", utcText(run.endedUtc)},
          {"source", run.source},
          {"tags", run.tags},
          {"notes", run.notes},
          {"trashed", run.trashed}};
}

std::string valueAt(const Json& flat, const std::string& pointer) {
  const auto found = flat.find(pointer);
  return found == flat.end() ? "" : found->dump();
}

}  // namespace

std::string outcomesDocument(const std::vector<recorder::Entry>& entries) {
  Json runs = Json::array();
  for (const recorder::Entry& entry : entries)
    runs.push_back({{"id", entry.run},
                    {"name", entry.name},
                    {"state", store::stateName(entry.state)},
                    {"error", entry.text},
                    {"reason", entry.reason}});
  return text({{"runs", runs}});
}

std::string runsDocument(const std::vector<store::RunRow>& runs) {
  Json list = Json::array();
  for (const store::RunRow& run : runs) list.push_back(rowJson(run));
  return text({{"runs", list}});
}

std::string showDocument(const summary::RunData& data, const summary::RunSummary& summary) {
  Json notices = Json::array();
  for (const store::NoticeRow& notice : data.notices)
    notices.push_back({{"node", notice.node},
                       {"seq", notice.seq},
                       {"kind", notice.record.kind},
                       {"level", notice.record.level},
                       {"text", notice.record.text},
                       {"reason", notice.record.reason},
                       {"code", notice.record.code}});
  Json document = {{"run", rowJson(data.run)},
                   {"spec", parsedOr(data.run.specText)},
                   {"versions", parsedOr(data.run.versions)},
                   {"notices", notices}};
  document["summary"] = parsedOr(summary::summariesToJson({summary})).at("runs").at(0);
  return text(document);
}

std::string findingsDocument(const std::vector<Finding>& findings) {
  Json list = Json::array();
  for (const Finding& finding : findings)
    list.push_back({{"pointer", finding.pointer}, {"message", finding.message}, {"error", finding.error}});
  return text({{"findings", list}});
}

std::vector<Difference> differences(const std::string& left, const std::string& right) {
  const Json a = parsedOr(left), b = parsedOr(right);
  const Json flatA = a.is_structured() ? a.flatten() : Json::object();
  const Json flatB = b.is_structured() ? b.flatten() : Json::object();
  std::set<std::string> pointers;
  for (const auto& [pointer, value] : flatA.items()) pointers.insert(pointer);
  for (const auto& [pointer, value] : flatB.items()) pointers.insert(pointer);
  std::vector<Difference> found;
  for (const std::string& pointer : pointers) {
    Difference difference{.pointer = pointer, .left = valueAt(flatA, pointer), .right = valueAt(flatB, pointer)};
    if (difference.left != difference.right) found.push_back(std::move(difference));
  }
  return found;
}

std::string differencesDocument(const std::vector<Difference>& differences) {
  Json list = Json::array();
  for (const Difference& difference : differences)
    list.push_back({{"pointer", difference.pointer}, {"left", parsedOr(difference.left)}, {"right", parsedOr(difference.right)}});
  return text({{"differences", list}});
}

std::string indented(const std::string& json) {
  const Json parsed = Json::parse(json, nullptr, false);
  return parsed.is_discarded() ? json : text(parsed);
}

}  // namespace paceline::cli

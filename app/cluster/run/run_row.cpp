#include "app/cluster/run/run_row.h"

#include <unistd.h>

#include "app/cluster/run/run_keys.h"
#include "engine/core/json/json_text.h"

namespace paceline::run {

store::RunRow newRunRow(const RunSpec& spec, const std::string& source) {
  store::RunRow row;
  row.id = store::newRunId();
  row.name = spec.name;
  row.state = store::RunState::kChecking;
  row.specText = toJsonText(spec);
  row.algorithm = spec.algorithm.id;
  row.model = spec.model.id;
  row.dataset = spec.dataset.id;
  row.partition = spec.partition.id;
  row.seed = spec.seed;
  row.configHash = configHash(spec);
  row.groupHash = groupHash(spec);
  row.tags = spec.tags;
  row.notes = spec.notes;
  row.createdUtc = unixNow();
  row.source = source;
  return row;
}

bool canResume(const store::RunRow& run) {
  return store::isEnded(run.state) && run.source.empty() && !run.specText.empty() && parseRunSpec(run.specText).spec.checkpointEveryRounds > 0;
}

std::vector<store::NodeRow> nodeRows(const std::string& run, const RunSpec& spec) {
  std::vector<store::NodeRow> rows;
  int rank = 0;
  for (const NodeSpec& node : spec.nodes)
    rows.push_back({.run = run,
                    .id = node.id,
                    .role = roleName(node.role),
                    .host = node.host,
                    .device = node.device,
                    .rank = node.role == Role::kWorker ? rank++ : -1});
  return rows;
}

std::string versionsText(const RunSpec& spec, const Catalog& catalog, const std::string& resumed) {
  const ModelEntry* model = findEntry(catalog.models, spec.model.id);
  const AlgorithmEntry* algorithm = findEntry(catalog.algorithms, spec.algorithm.id);
  char host[256] = "";
  ::gethostname(host, sizeof host - 1);
  nlohmann::json json = {{"paceline", PACELINE_VERSION},
                               {"agent", catalog.version},
                               {"torch", catalog.torch},
                               {"parameters", model == nullptr ? 0 : model->parameterCount},
                               {"synchronous", algorithm != nullptr && algorithm->synchronous},
                               {"protection", protectionOf(spec)},
                               {"hosts", {{"local", host}}}};
  if (!resumed.empty()) json["resumed_from"] = resumed;
  return dumped(json);
}

namespace {

nlohmann::json objectOf(const std::string& text) {
  auto json = nlohmann::json::parse(text, nullptr, false);
  return json.is_object() ? json : nlohmann::json::object();
}

}  // namespace

std::string withInstallations(const std::string& versions, const std::map<std::string, InstalledOn>& hosts) {
  auto json = objectOf(versions);
  for (const auto& [host, installed] : hosts) json["installations"][host] = {{"id", installed.id}, {"agent", installed.agent}};
  return dumped(json);
}

std::string withShared(const std::string& versions, const std::map<std::string, std::set<std::string>>& shared) {
  auto json = objectOf(versions);
  json["shared"] = shared;
  return dumped(json);
}

}  // namespace paceline::run

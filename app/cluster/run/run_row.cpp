// The row of a run: what it is run with, and what its versions say of where it came from.
#include <unistd.h>

#include "app/cluster/run/run_session.h"
#include "engine/core/base/clock.h"
#include "engine/core/json/json_text.h"

namespace paceline::run {
namespace {

std::string versionsText(const RunSpec& spec, const Catalog& catalog, const std::string& resumed) {
  const ModelEntry* model = findEntry(catalog.models, spec.model.id);
  const AlgorithmEntry* algorithm = findEntry(catalog.algorithms, spec.algorithm.id);
  char host[256] = "";
  ::gethostname(host, sizeof host - 1);
  Json json = {{"paceline", PACELINE_VERSION},
               {"agent", catalog.version},
               {"torch", catalog.torch},
               {"parameters", model == nullptr ? 0 : model->parameterCount},
               {"synchronous", algorithm != nullptr && algorithm->synchronous},
               {"hosts", {{"local", host}}}};
  if (!resumed.empty()) json["resumed_from"] = resumed;
  return dumped(json);
}

Json versionOf(const store::RunRow& run, const char* name) {
  const Json versions = jsonOrNull(run.versions);
  return versions.is_object() ? versions.value(name, Json()) : Json();
}

}  // namespace

store::RunRow newRunRow(const RunSpec& spec, const std::string& id, const Catalog& catalog, const std::string& source, const std::string& resumed) {
  store::RunRow row;
  row.id = id.empty() ? store::newRunId() : id;
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
  row.versions = versionsText(spec, catalog, resumed);
  return row;
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

bool canResume(const store::RunRow& run) {
  return store::isEnded(run.state) && run.source.empty() && !run.specText.empty() && parseRunSpec(run.specText).spec.checkpointEveryRounds > 0;
}

std::string resumedFrom(const store::RunRow& run) {
  const Json from = versionOf(run, "resumed_from");
  return from.is_string() ? from.get<std::string>() : "";
}

std::optional<GoesOn> goesOn(const store::RunRow& run) {
  const Json of = versionOf(run, "instead_of"), count = versionOf(run, "resumes");
  if (!of.is_string()) return std::nullopt;
  return GoesOn{.insteadOf = of.get<std::string>(), .count = count.is_number_integer() ? count.get<int>() : 0};
}

std::optional<bool> lostWithCheckpoint(const store::RunRow& run) {
  const Json lost = versionOf(run, "lost");
  return lost.is_object() ? std::optional(lost.value("checkpointed", false)) : std::nullopt;
}

}  // namespace paceline::run

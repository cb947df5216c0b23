#include "agent/simulation/simulation.h"

#include <cerrno>
#include <cstring>
#include <iostream>
#include <map>
#include <sstream>

#include "engine/core/base/error.h"
#include "engine/core/base/file_text.h"
#include "engine/core/json/json_text.h"
#include "engine/core/record/event.h"
#include "engine/data/partitioners/partitioner.h"
#include "engine/runtime/hollow_objective.h"

namespace paceline::simulation {

std::string textOf(const std::string& path) {
  if (auto text = path == "-" ? restOf(stdin) : fileText(path)) return std::move(*text);
  throw Error(Errc::kFile, strCat("cannot read ", path, ": ", std::strerror(errno)));
}

void refuseErrors(const std::string& path, const std::vector<Finding>& findings) {
  std::string all;
  for (const Finding& finding : findings)
    if (finding.error)
      all += strCat(all.empty() ? "" : "; ", finding.pointer, finding.pointer.empty() ? "" : " ", finding.message);
  if (!all.empty()) throw Error(Errc::kSpec, strCat(path, ": ", all));
}

RunSpec simulable(const std::string& path, const Catalog& catalog) {
  ParsedSpec parsed = parseRunSpec(textOf(path));
  refuseErrors(path, parsed.findings);
  for (NodeSpec& node : parsed.spec.nodes) {
    node.host = "local";
    node.device = "cpu";
    node.threads = 1;
  }
  ParsedSpec valid = validate(parsed.spec, catalog);
  refuseErrors(path, valid.findings);
  return valid.spec;
}

ObjectiveFactory withoutLearning(const RunSpec& spec, const Catalog& catalog, const datasets::Dataset& data) {
  const std::vector<Block>& blocks = blocksOf(spec.model, data.shape, data.classes, catalog);
  CountedBatches batches{.samples = {},
                         .batchSize = static_cast<std::size_t>(spec.batchSize),
                         .minimum = static_cast<std::size_t>(findEntry(catalog.models, spec.model.id)->minimumBatch)};
  const auto sizesOf = [](const partitioners::Partition& partition) {
    std::vector<std::size_t> sizes;
    for (const std::vector<std::uint32_t>& share : partition.indices) sizes.push_back(share.size());
    return sizes;
  };
  partitioners::Partition partition = partitioners::splitOf(spec, data);
  batches.samples = sizesOf(partition);
  if (spec.dividesLostData())
    batches.without = [sizesOf, partition = std::move(partition), known = std::map<std::vector<int>, std::vector<std::size_t>>()](const std::vector<int>& lost) mutable {
      const auto [found, isNew] = known.try_emplace(lost);
      if (isNew) found->second = sizesOf(partitioners::withoutRanks(partition, lost));
      return found->second;
    };
  return hollowObjectives(blocks, std::move(batches));
}

Replay replayOf(RunSpec& spec, const std::string& path) {
  std::istringstream lines(textOf(path));
  ReplayReader reader(spec);
  std::int64_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const Json json = jsonOrNull(line);
    if (!json.is_object() || !json.contains("node") || !json["node"].is_string()) throw Error(Errc::kFormat, strCat(path, ", line ", number, ": \"", quotable(line), "\" is no record of a node"));
    try {
      reader.take(json["node"].get<std::string>(), readEvent(json));
    } catch (const Error& error) {
      throw Error(error.code(), strCat(path, ", line ", number, ": ", error.what()));
    }
  }
  Replay replay = reader.finished();
  if (replay.rounds < 1) throw Error(Errc::kFormat, strCat(path, ": it holds no round of ", spec.nodes.at(static_cast<std::size_t>(spec.evaluatorNode())).id, ", which ends the run"));
  spec.stop = {};
  spec.stop.rounds = replay.rounds;
  spec.checkpointEveryRounds = 0;
  for (NodeSpec& node : spec.nodes) node.emulate.lostAfterRounds.reset();
  return replay;
}

void printEvents(const RunSpec& spec, const ObjectiveFactory& objectives, const Computing& computing, const Replay* replay) {
  simulate(spec, objectives, [&](int node, const Event& event) {
    // An event's line with the node in front: ids hold letters, digits, _, - and . only.
    std::cout << "{\"node\":\"" << spec.nodes[static_cast<std::size_t>(node)].id << "\"," << std::string_view(toLine(event)).substr(1) << '\n';
  }, computing, replay);
  if (!std::cout.flush()) throw Error(Errc::kFile, "cannot write the events to stdout");
}

}  // namespace paceline::simulation

#include "app/cluster/run/weights.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "engine/core/record/base64.h"
#include "engine/core/base/error.h"
#include "engine/core/base/hash.h"
#include "engine/core/json/json_text.h"

namespace paceline::run {
namespace {

constexpr double kLineSeconds = 60;

std::string fileNameOf(const std::string& which) {
  if (which == "best") return kBestWeights;
  if (which == "last") return kLastWeights;
  std::int64_t round = 0;
  const auto [end, error] = std::from_chars(which.data(), which.data() + which.size(), round);
  if (error != std::errc() || end != which.data() + which.size() || round < 1) throw Error(Errc::kUsage, strCat("weights are best, last, or those of a checkpoint's round, not \"", quotable(which), "\""));
  return checkpointWeights(round);
}

// Nodes that leave weights, evaluators first.
std::vector<int> leavers(const RunSpec& spec) {
  std::vector<int> nodes = spec.evaluators();
  if (spec.evaluatorNode() >= 0) nodes.push_back(spec.evaluatorNode());
  return nodes;
}

struct Left {
  std::string node, name;
};

std::vector<Left> leftThere(hosts::ReadyHost& ready, const std::string& run, const std::string& host) {
  const hosts::CommandResult result = hosts::runOn(*ready.host, {ready.installation.program("paceline-agent"), "weights", run});
  if (result.end.code != 0) throw Error(Errc::kHost, strCat(host, ": ", result.said()));
  const Json answer = jsonFrom(result.lines.empty() ? "" : result.lines.front(), "weights");
  std::vector<Left> left;
  try {
    for (const Json& one : answer.at("weights")) left.push_back({one.at("node").get<std::string>(), one.at("name").get<std::string>()});
  } catch (const Json::exception& error) {
    throw Error(Errc::kHost, strCat(host, ": its answer is none: ", reasonOf(error)));
  }
  return left;
}

Weights fetched(hosts::ReadyHost& ready, const std::string& run, const Left& file, const std::string& host) {
  const auto process = ready.host->start({ready.installation.program("paceline-agent"), "read-weights", run, file.node, file.name});
  std::string bytes;
  while (true) {
    const std::optional<std::string> line = process->readLine(kLineSeconds);
    if (!line) throw Error(Errc::kHost, strCat(host, ": ", file.name, " of ", file.node, " did not come whole: ", trimmedEnd(process->wait().errors)));
    if (line->starts_with("end ")) {
      if (line->substr(4) != sha256Hex(bytes)) throw Error(Errc::kHost, strCat(host, ": ", file.name, " of ", file.node, " was altered on the way"));
      return parseSafetensors(bytes);
    }
    const std::optional<std::string> piece = fromBase64(*line);
    if (!piece) throw Error(Errc::kHost, strCat(host, ": what it sent of ", file.name, " is no base64"));
    bytes += *piece;
  }
}

}  // namespace

std::vector<std::string> hostsWithWeights(const std::string& specText) {
  const RunSpec spec = parseRunSpec(specText).spec;
  const Json document = jsonOrNull(specText);
  if (!spec.keepWeights || !document.is_object() || !document.contains("checkpoint") || !document["checkpoint"].contains("weights")) return {};
  std::vector<std::string> hosts;
  for (const int node : leavers(spec))
    if (const std::string& host = spec.nodes[static_cast<std::size_t>(node)].host; std::ranges::find(hosts, host) == hosts.end()) hosts.push_back(host);
  return hosts;
}

Weights weightsOfRun(const std::string& run, const RunSpec& spec, const std::string& which, const hosts::HostOpener& opener) {
  const std::string wanted = fileNameOf(which);
  std::set<std::string> have;
  for (const int index : leavers(spec)) {
    const NodeSpec& node = spec.nodes[static_cast<std::size_t>(index)];
    hosts::ReadyHost ready = opener(node.host, {});
    const std::vector<Left> left = leftThere(ready, run, node.host);
    for (const Left& file : left) have.insert(file.name.substr(0, file.name.rfind('.')));
    const auto found = std::ranges::find_if(left, [&](const Left& file) { return file.node == node.id && file.name == wanted; });
    if (found != left.end()) return fetched(ready, run, *found, node.host);
  }
  const std::string others = have.empty() ? "its hosts keep none: it is simulated or was imported, they were deleted, or /checkpoint/weights is false" : strCat("there are ", listed({have.begin(), have.end()}));
  throw Error(Errc::kFile, strCat("run \"", quotable(spec.name), "\" has no weights \"", quotable(which), "\"; ", others));
}

}  // namespace paceline::run

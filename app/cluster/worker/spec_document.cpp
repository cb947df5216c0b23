#include "app/cluster/worker/spec_document.h"

#include "app/cluster/hosts/host_registry.h"
#include "engine/core/base/error.h"

namespace paceline::worker {

OrderedJson documentOf(const std::string& text) {
  std::vector<Finding> findings;
  auto document = parseOrderedJson(text, findings);
  if (!document) throw Error(Errc::kSpec, findings.front().message);
  return *std::move(document);
}

OrderedJson& runOf(OrderedJson& document) {
  return document.is_object() && document.contains("base") ? document["base"] : document;
}

OrderedJson& nodesOf(OrderedJson& document) {
  OrderedJson& run = runOf(document);
  const char* base = &run == &document ? "" : "/base";
  if (!run.is_object() || !run.contains("nodes") || !run["nodes"].is_array() || run["nodes"].empty())
    throw Error(Errc::kSpec, strCat(base, "/nodes: there are no nodes to place"));
  OrderedJson& nodes = run["nodes"];
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (!nodes[i].is_object()) throw Error(Errc::kSpec, strCat(base, "/nodes/", i, ": must be an object, got ", described(nodes[i])));
  return nodes;
}

std::string textOf(const OrderedJson& document) { return dumped(document, 2) + "\n"; }

ParsedSpec checkedSpec(const RunSpec& spec, const Catalog& catalog) {
  try {
    return validate(spec, catalog, hosts::HostRegistry::load(hosts::HostRegistry::defaultPath()).names());
  } catch (const Error& unreadable) {
    ParsedSpec checked = validate(spec, catalog, spec.hosts());
    for (std::size_t i = 0; i < spec.nodes.size(); ++i)
      if (spec.nodes[i].host != "local") checked.findings.push_back({strCat("/nodes/", i, "/host"), unreadable.what()});
    return checked;
  }
}

}  // namespace paceline::worker

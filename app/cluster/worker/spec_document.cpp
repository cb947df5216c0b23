#include "app/cluster/worker/spec_document.h"

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

}  // namespace paceline::worker

// ECL's cluster files: who exchanges with whom (node_list.json) and where nodes are (hosts.json). Written from a description of the files;
// pure functions on texts. Bad places are problems, "FILE: /nodes/left/edges/mid: what is wrong"; nothing throws.
//
//   node_list.json  {"nodes": {"left": {"device": "cpu", "round": 8, "edges": {"mid": 0}}, "mid": {..., "edges": {"left": 4}}}}
//   hosts.json      {"hosts": [{"name": "left", "addr": "127.0.0.1", "port": "21000"}, ...]}
//
// `round` is the interval K; an edge's number is the step in 0 .. K-1 at which that end begins an exchange, -1: it never does. A pair whose
// both ends begin has two exchanges in K steps and becomes two edges of a document, one from each end.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/spec/run_spec.h"

namespace paceline::interop {

struct EclText {
  std::string path, text;
};

struct EclWorker {
  std::string id;
  std::string address = {};  // "" without a hosts file
  bool operator==(const EclWorker&) const = default;
};

struct EclCluster {
  std::vector<EclWorker> workers;  // in the order of the hosts file, which is the order of ranks; without one by name
  std::vector<Edge> edges;
  std::vector<std::string> problems, notes;
};

EclCluster readEclFiles(const EclText& nodeList, const std::optional<EclText>& hosts);

// The same of a run; its edges may come from a topology. Throws Error{kSpec} for what the form cannot say: intervals that differ at one
// worker, a pair with two exchanges from one end.
std::string eclNodeList(const RunSpec& spec);
// Ports count up from firstPort. addressOf: a host's name -> its address.
std::string eclHosts(const RunSpec& spec, const std::function<std::string(const std::string&)>& addressOf, int firstPort = 21000);

}  // namespace paceline::interop

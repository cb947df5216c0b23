// Files that describe a cluster for other systems: texts in, parts of a document or problems out. Pure; any thread.
#pragma once

#include <functional>

#include "engine/core/spec/run_spec.h"

namespace paceline::interop {

struct NamedText {
  std::string path, text;
};

// ECL's cluster files: who exchanges with whom (node_list.json) and where nodes are (hosts.json). Written from a description of the files;
// pure functions on texts. Bad places are problems, "FILE: /nodes/left/edges/mid: what is wrong"; nothing throws.
//
//   node_list.json  {"nodes": {"left": {"device": "cpu", "round": 8, "edges": {"mid": 0}}, "mid": {..., "edges": {"left": 4}}}}
//   hosts.json      {"hosts": [{"name": "left", "addr": "127.0.0.1", "port": "21000"}, ...]}
//
// `round` is the interval K; an edge's number is the step in 0 .. K-1 at which that end begins an exchange, -1: it never does. A pair whose
// both ends begin has two exchanges in K steps and becomes two edges of a document, one from each end.
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

EclCluster readEclFiles(const NamedText& nodeList, const std::optional<NamedText>& hosts);

// The same of a run; its edges may come from a topology. Throws Error{kSpec} for what the form cannot say: intervals that differ at one
// worker, a pair with two exchanges from one end.
std::string eclNodeList(const RunSpec& spec);
// Ports count up from firstPort. addressOf: a host's name -> its address.
std::string eclHosts(const RunSpec& spec, const std::function<std::string(const std::string&)>& addressOf, int firstPort = 21000);

// MXNet-G's files of a cluster: `groups`, a line of worker addresses for each group, and `data_sharding`, a line "begin end" for each
// worker in MXNet-G's order of ranks.
struct ClusterWorker {  // of the document, in rank order
  std::string id, host;
  std::string address;  // of the host, as the book of hosts knows it; "": it does not
};

struct MxnetCluster {
  std::vector<std::vector<std::string>> groups;  // worker ids; empty without the file
  std::vector<double> shares;                    // by worker, six decimals that sum to exactly 1; empty without the file
  std::vector<std::string> notes;                // what a reader of the files would want to know
  std::vector<std::string> problems;             // "groups:3: ...", one for every bad line; then nothing else is filled
};

// A group's member is a worker's id; or an address, once for each of its workers, or with the worker's number there as in 10.0.0.5:1
// (from 0). Addresses that are hosts of the document's workers mean the workers there. When none is, they are MXNet-G's ranks: addresses
// in descending order of their text are the document's workers in order, as are data_sharding's lines. Every worker is in one group.
MxnetCluster readMxnetFiles(const std::optional<NamedText>& groups, const std::optional<NamedText>& dataSharding,
                            const std::vector<ClusterWorker>& workers);

}  // namespace paceline::interop

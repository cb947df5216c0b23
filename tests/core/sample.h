// Documents and a catalogue for the core tests.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "engine/core/spec/catalog.h"
#include "engine/core/spec/topologies.h"

namespace paceline::tests {

inline void PrintTo(const Finding& finding, std::ostream* out) {
  *out << (finding.error ? "error" : "warning") << " at \"" << finding.pointer << "\": " << finding.message;
}

}  // namespace paceline::tests

namespace paceline::sample {

inline const std::string kDocument = R"({ "paceline": 1, "name": "esync on two clouds", "seed": 7, "notes": "", "tags": ["a", "b"],
  "algorithm": {"id": "esync", "params": {"local_lr": 0.032, "global_lr": 1.0, "epsilon": 2, "adaptive": true, "variant": "paper"}},
  "aggregation": {"id": "server", "engine": "auto"},
  "model": {"id": "lenet"}, "dataset": {"id": "fashion_mnist"}, "batch_size": 32,
  "partition": {"id": "by_class", "params": {}},
  "groups": [["w0", "w1"], ["w2"]], "edges": [["w0", "w1", {"every": 8, "offset": 4}], ["w1", "w2"]],
  "nodes": [{"id": "s0", "role": "server", "host": "local"},
            {"id": "w0", "role": "worker", "host": "local", "device": "cpu", "threads": 2, "share": 0.5,
             "emulate": {"slowdown": 3.0, "step_s": null, "jitter": 0.25, "bandwidth_mbps": 100, "latency_ms": 5}},
            {"id": "w1", "share": 0.25}, {"id": "w2", "share": 0.25, "emulate": {"step_s": 0.03}}],
  "learning_rate_schedule": {"id": "constant"},
  "evaluate": {"every_rounds": 2, "on": "w1"}, "checkpoint": {"every_rounds": 3},
  "stop": {"rounds": 500, "seconds": 3600, "samples": null, "accuracy": 0.9} })";

inline const std::string kSmallest = R"({"paceline": 1, "algorithm": {"id": "ssgd"}, "model": {"id": "logistic"},
  "dataset": {"id": "synthetic"}, "nodes": [{"id": "s0", "role": "server"}, {"id": "w0"}, {"id": "w1"}], "stop": {"rounds": 5}})";

template <class Entry>
Entry entry(const std::string& id, std::vector<ParamSpec> params = {}) {
  Entry made;
  made.id = id;
  made.title = "Title of " + id;
  made.summary = "What it does.";
  made.reference = "Somebody, 2020";
  made.params = std::move(params);
  return made;
}

inline AlgorithmEntry algorithm(const std::string& id, Topology topology, std::vector<ParamSpec> params = {}) {
  auto made = entry<AlgorithmEntry>(id, std::move(params));
  made.topology = topology;
  return made;
}

inline Catalog catalog() {
  Catalog catalog{.version = "0.1.0", .torch = "1.13.1"};
  catalog.algorithms = {algorithm("standalone", Topology::kStandalone), algorithm("asgd", Topology::kServer),
                        algorithm("ssgd", Topology::kAggregated, {realParam("lr", 0.1, 0.0, 1.0, "Step size.")}),
                        algorithm("d_sgd", Topology::kDecentralised), algorithm("esync", Topology::kAggregated)};
  catalog.algorithms[1].synchronous = false;
  catalog.algorithms[4].needsServer = catalog.algorithms[4].groups = true;
  catalog.algorithms[4].params = {realParam("local_lr", 0.01, 0.0, std::nullopt, "Local step size."), realParam("global_lr", 1, {}, {}, ""),
                                  integerParam("epsilon", 1, 0.0, 10.0, "Slack."), booleanParam("adaptive", false, "Adapts."),
                                  choiceParam("variant", "paper", {"paper", "mxnet"}, "Whose.")};
  catalog.aggregations = {entry<AggregationEntry>("server"), entry<AggregationEntry>("ring")};
  catalog.aggregations[0].needsServer = true;
  catalog.models = {entry<ModelEntry>("logistic"), entry<ModelEntry>("lenet")};
  catalog.models[1].inputs = {{1, 28, 28}, {1, 32, 32}};
  catalog.models[1].parameterCount = 431080;
  catalog.datasets = {entry<DatasetEntry>("synthetic"), entry<DatasetEntry>("fashion_mnist"), entry<DatasetEntry>("cifar10")};
  catalog.datasets[0].location = catalog.datasets[1].location = catalog.datasets[2].location = "built in";
  catalog.datasets[0].trainCount = 1000;
  catalog.datasets[2].shape = {3, 32, 32};
  catalog.datasets[2].params = {textParam("path", "", "Folder; default /usr/share/datasets/cifar10.")};
  catalog.partitions = {entry<PartitionEntry>("iid"), entry<PartitionEntry>("by_class")};
  catalog.schedules = {entry<CatalogEntry>("constant")};
  catalog.topologies = topologies();
  catalog.devices = {"cpu"};
  return catalog;
}

}  // namespace paceline::sample

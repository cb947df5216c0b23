// The command `simulate SPEC|-` of the worker and of the server program: a whole document in virtual time, its events on stdout. Links no torch. Used by main().
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/core/json/finding.h"
#include "engine/core/spec/catalog.h"
#include "engine/data/datasets/dataset.h"
#include "engine/runtime/node_loop.h"
#include "engine/runtime/replay.h"

namespace paceline::simulation {

std::string textOf(const std::string& path);  // of the document named on a command line; "-": stdin. Throws Error{kFile}
void refuseErrors(const std::string& path, const std::vector<Finding>& findings);  // throws Error{kSpec} with every error among them

// The document with its defaults and parameters. Every node is emulated on this host's CPU, whatever device of whatever host it names. Throws Error{kSpec}.
RunSpec simulable(const std::string& path, const Catalog& catalog);

// Workers that do not learn, of the network that the catalogue describes; their batches are those of the document's share of the data.
ObjectiveFactory withoutLearning(const RunSpec& spec, const Catalog& catalog, const datasets::Dataset& data);

// What a run recorded, in a file of such lines as printEvents() writes, and what is left of its document where it is repeated: it ends with the coordinator's last round,
// keeps no checkpoints, and loses whom it lost then. Throws Error{kFile}, Error{kFormat} naming the line.
Replay replayOf(RunSpec& spec, const std::string& path);

// A line per event, the node in front. Throws Error{kFile} when stdout does not take them.
void printEvents(const RunSpec& spec, const ObjectiveFactory& objectives, const Computing& computing = {}, const Replay* replay = nullptr);

}  // namespace paceline::simulation

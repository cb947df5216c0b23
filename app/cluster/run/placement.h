// Which node runs on which host, how much of the training data each worker gets, and how much of the parameters each server owns. Pure; any thread.
#pragma once

#include "engine/core/spec/run_spec.h"

namespace paceline::run {

struct PlacementHost {
  std::string name;
  int slots = 1;     // nodes it takes before the next host's turn
  double speed = 0;  // of all its cores (HostFacts::speed); 0: not measured
  int cpus = 0;      // 0: not known
};

// "a,b:2,c": names in order, b takes two nodes a turn. Throws Error{kUsage} naming what is wrong.
std::vector<PlacementHost> parsePlacementHosts(std::string_view text);

// Nodes in the document's order go to hosts in order, around again when there are more nodes than slots.
void placeRoundRobin(std::vector<NodeSpec>& nodes, const std::vector<PlacementHost>& hosts);

// Share of each worker in the data, and of each of several servers in the parameters, in proportion to what its cores can do: its host's
// speed per CPU times its threads (cut down evenly where those of its role on a host have more threads than it has CPUs), divided by an
// emulated slowdown. Six decimals; a role's sum is exactly 1. Throws Error{kHost} naming a host that was never measured.
void shareBySpeed(std::vector<NodeSpec>& nodes, const std::vector<PlacementHost>& hosts);

// Numbers in proportion to `weights` (all > 0), of six decimals, whose sum added up in order is exactly 1.
std::vector<double> exactShares(const std::vector<double>& weights);

// The document (a run or a suite) with the nodes' hosts, and with `bySpeed` their shares, replaced; everything else as it was, two blanks indented.
// Throws Error{kSpec} when it has no nodes.
std::string placedDocument(const std::string& text, const std::vector<PlacementHost>& hosts, bool bySpeed);

}  // namespace paceline::run

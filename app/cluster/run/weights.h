// The weights that a real run left at its hosts. Throws Error{kHost} where a host cannot be reached or its files are not whole, Error{kFile} where there are none.
#pragma once

#include <string>
#include <vector>

#include "app/cluster/hosts/access.h"
#include "engine/core/record/weights.h"

namespace paceline::run {

// `which`: "best", "last", or a round of which there is a checkpoint. Hosts of nodes that leave them, evaluators first.
Weights weightsOfRun(const std::string& run, const RunSpec& spec, const std::string& which, const hosts::HostOpener& opener);

// Where a run of this document may have left any; none of documents from before there were some.
std::vector<std::string> hostsWithWeights(const std::string& specText);

}  // namespace paceline::run

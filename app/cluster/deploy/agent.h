// The agent on a host: its place there, and its upload with nothing but a shell. See deployment.h for threads and failures.
#pragma once

#include <string>
#include <vector>

#include "app/cluster/hosts/host.h"

namespace paceline::deploy {

std::string agentId();  // SHA-256 of our paceline-agent

// A command for Host::start: our agent, at its place below the host's cache folder, with these arguments. Exit code 127: it is not there.
std::vector<std::string> agentCommand(const std::vector<std::string>& arguments);

// "" or the sentence for a full disk or a used-up quota that `errors` (of a tool in the C locale) tells of.
std::string noSpaceSentence(const std::string& errors, const std::string& folder, std::int64_t bytes);

}  // namespace paceline::deploy

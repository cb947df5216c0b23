// The deployments on this host: listed and removed. Content that several versions share counts once, and for the one whose removal frees it.
// Throws Error{kHost, kFile}.
#pragma once

#include <string>

#include "agent/supervisor/receive/installed_paths.h"

namespace paceline::receive {

// {"folder", "versions": [{"id", "paceline", "created_utc", "bytes", "in_use", "parts": ["lib", "data/mnist"]}], "partial_bytes", "bytes"}
std::string installedJson(const InstalledPaths& paths);

// Removes half-sent files, agents and versions but `keep` ("-": none is kept) and what a process runs or has mapped. {"freed_bytes"}.
std::string uninstall(const InstalledPaths& paths, const std::string& keep);

}  // namespace paceline::receive

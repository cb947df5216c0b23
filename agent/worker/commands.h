// The commands of paceline-worker. Each runs on the main thread and throws Error for the caller to report.
#pragma once

#include <string>
#include <vector>

#include "engine/core/spec/catalog.h"

namespace paceline {

Catalog describe();                                // what this agent can do on this host
void splitFile(const std::string& path);           // "-": stdin; how many samples of each class every worker gets, as JSON
void simulateFile(const std::string& path);        // "-": stdin; events on stdout
void data(const std::vector<std::string>& words);  // list, or check PATH [--as ID] [--decode]: JSON on stdout

}  // namespace paceline

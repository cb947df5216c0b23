// Which libraries the programs of a version start with on this host. The loader itself is asked what it would load, then the worker is really
// started once; what was found is kept beside the programs and holds as long as the loader's answer stays the same.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace paceline::receive {

struct LibraryChoice {
  std::string libraries;               // "given", "system", "sent"; "": the programs start with none of them
  std::vector<std::string> problems;   // then: what the loader misses, as "libtorch_cpu.so.1.13 was not found"
  std::map<std::string, std::string> env;       // for nodes
  std::map<std::string, std::string> datasets;  // id -> where the worker found it; "": nowhere
};

// `version` is the folder of the programs; lib/ in it was sent. `given`: folder that the user names, "": none; then nothing else is tried.
// `needed`: data sets that must still be where they were. Throws Error{kHost} when the programs cannot be tried at all.
LibraryChoice chooseLibraries(const std::string& version, const std::string& given, const std::vector<std::string>& needed);

}  // namespace paceline::receive

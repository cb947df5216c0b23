// The versions of the C and C++ libraries that our programs need on a host: known before an upload. Any thread.
#pragma once

#include <string>
#include <vector>

namespace paceline::deploy {

struct ElfNeeds {
  std::string glibc, glibcxx, cxxabi;  // "2.34", "3.4.30", "1.3.13"; "": none is needed
};

ElfNeeds elfNeeds(const std::string& path);  // throws Error{kFile, kFormat}
ElfNeeds elfNeeds(const std::vector<std::string>& paths);  // the highest of all

// "2.9" < "2.36"; what is no number counts as 0.
bool olderVersion(const std::string& a, const std::string& b);

}  // namespace paceline::deploy

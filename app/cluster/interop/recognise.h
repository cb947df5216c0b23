// What a file or folder is by what it holds, so that whoever drops it on the window need not say. Reads the beginnings of files, names of folders. Any thread.
#pragma once

#include <string>
#include <vector>

namespace paceline::interop {

enum class Found {
  kResults,     // of runs: importPaths() takes it
  kTable,       // a table of numbers whose columns are not known: importPaths() takes it with a profile that says them
  kExperiment,  // a run's or a suite's document
  kHosts,       // a list of hosts
  kData,        // a data set's files
  kNothing      // `words` says why
};

struct Recognised {
  Found what = Found::kNothing;
  std::string path;
  std::string words;  // "a bundle of Paceline", "a store of Paceline; the Settings page opens it"
};

// A folder of several: one for each that is anything; else one that says why it is nothing. Never empty, never throws.
std::vector<Recognised> recognised(const std::string& path);

}  // namespace paceline::interop

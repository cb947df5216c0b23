// What paceline-worker says of data sets: `data list` and `data check`. Its JSON is read here, so that one of another version is told in a sentence.
// Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/json/json_text.h"

namespace paceline::worker {

struct PublishedFile {
  std::string name, url, sha256;
  std::int64_t bytes = 0;  // 0: not known
};

struct ListedSet {
  std::string id, location, downloadTo;  // location: "" not here
  std::vector<std::int64_t> shape;
  std::int64_t classes = 0, trainCount = 0, testCount = 0;  // 0: its files say
  std::vector<PublishedFile> files;                         // none: nothing can be downloaded
};

struct ListedData {
  std::vector<ListedSet> sets;
};

struct CheckedFile {
  std::string name, state;
  std::int64_t bytes = 0;
};

struct CheckedSplit {
  std::string name;
  std::int64_t images = 0, broken = 0;
  std::vector<std::int64_t> perClass;
  std::vector<std::string> brokenFiles;
};

struct CheckedData {
  std::string id, path;
  bool decoded = false;
  std::vector<std::string> classNames, problems;
  std::vector<CheckedFile> files;
  std::vector<CheckedSplit> splits;
};

// Throw Error{kFormat} naming what is not as it must be.
ListedData listedData(const Json& document);
CheckedData checkedData(const Json& document);

}  // namespace paceline::worker

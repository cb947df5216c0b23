// Labelled images in memory. Loaded once per process, read by any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/core/catalog.h"
#include "engine/core/params.h"

namespace paceline {

struct Images {
  std::vector<std::uint8_t> pixels;  // count x channels x height x width, row major
  std::vector<std::uint8_t> labels;  // count; each < classes
  std::size_t count() const { return labels.size(); }
};

struct Dataset {
  Shape shape;
  int classes = 10;
  Images train, test;
};

struct DatasetDef {
  std::string id, title, summary, reference;
  std::vector<ParamSpec> params;
  Shape shape;
  int classes = 10;
  std::int64_t trainCount = 0, testCount = 0;
  std::function<std::string(const Params&)> locate;                // folder, "built in", or "" when not found
  std::function<Dataset(const Params&, std::uint64_t seed)> load;  // throws Error{kData, kFormat, kFile} naming file and value
};

const std::vector<DatasetDef>& datasets();
const DatasetDef* findDataset(const std::string& id);  // nullptr: none

}  // namespace paceline

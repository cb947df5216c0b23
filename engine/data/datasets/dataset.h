// Labelled images, in memory or decoded when they are asked for. Loaded once per process, read by any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/spec/catalog.h"
#include "engine/core/spec/params.h"
#include "engine/core/spec/run_spec.h"
#include "engine/data/images/transform.h"

namespace paceline::datasets {

// One image as bytes, channels x height x width, row major.
struct Picture {
  Shape shape;
  std::vector<std::uint8_t> pixels;
};

// Images that stay in their files. Any thread, several at once.
class ImageFiles {
 public:
  virtual ~ImageFiles() = default;
  // Throws Error{kFormat, kFile} that names the file and what is wrong with it.
  virtual void decode(std::size_t index, Picture& into) const = 0;
};

struct Images {
  std::vector<std::uint8_t> pixels = {};   // count x channels x height x width, row major; empty where `files` has them
  std::vector<std::uint16_t> labels = {};  // count; each < classes
  std::shared_ptr<const ImageFiles> files = nullptr;
  std::size_t count() const { return labels.size(); }
};

struct Dataset {
  Shape stored;               // of every image in `pixels`
  Shape shape;                // what a model sees: after the transforms
  int classes = 10;
  Images train = {}, test = {};
  images::Transform training = {}, testing = {};  // from stored bytes to a model's floats
  bool skipBroken = false;      // images that do not decode are left out of their batch, named and counted; false: they end the run
};

// A file that its publisher offers, and what it must be. Checksums are SHA-256, lower case.
struct PublishedFile {
  std::string name = {}, url = {};  // url "": comes inside another one
  std::int64_t bytes = 0;           // 0: not known
  std::string sha256 = {};          // "": not known
  std::string plainSha256 = {};     // of a gzip's content: it may have been packed anew
};

struct DatasetDef : DatasetEntry {
  std::string folder;  // where downloads go, below a folder of data sets; "": nothing to download
  std::vector<PublishedFile> files;
  std::vector<std::string> classNames;  // empty: numbers, or what its folders are called
  std::function<std::string(const Params&)> locate;                // folder, "built in", or "" when not found
  std::function<Dataset(const Params&, std::uint64_t seed)> load;  // throws Error{kData, kFormat, kFile} naming file and value
};

const std::vector<DatasetDef>& datasets();
const DatasetDef* findDataset(const std::string& id);  // nullptr: none

}  // namespace paceline::datasets

namespace paceline {

std::shared_ptr<const datasets::Dataset> loadDataset(const RunSpec& spec);  // by spec.dataset; throws Error{kSpec}, and as load()

}  // namespace paceline

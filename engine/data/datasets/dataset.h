// Samples with their targets, mostly labelled images; in memory, mapped, or decoded when they are asked for. Loaded once per process, read by any thread.
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

inline constexpr std::int64_t kMostClasses = 65535;  // of a label

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

// What one sample and its target are to a model. Of images: floats of the set's shape, and a class.
enum class Element { kFloat, kInteger };  // float, std::int64_t
constexpr std::size_t sizeOf(Element element) { return element == Element::kFloat ? sizeof(float) : sizeof(std::int64_t); }
constexpr const char* elementName(Element element) { return element == Element::kFloat ? "float32" : "int64"; }
struct SampleForm {
  std::vector<std::int64_t> input = {};  // dimensions; empty: channels x height x width of the set's shape
  Element inputType = Element::kFloat;
  std::vector<std::int64_t> target = {};  // dimensions; empty: one number
  Element targetType = Element::kInteger;
};

// Samples that are no images. Any thread, several at once. What is written has the set's form.
class Rows {
 public:
  virtual ~Rows() = default;
  virtual void input(std::size_t index, void* to) const = 0;
  virtual void target(std::size_t index, void* to) const = 0;
};

struct Images {
  std::vector<std::uint8_t> pixels = {};   // count x channels x height x width, row major; empty where `files` has them
  std::vector<std::uint16_t> labels = {};  // count; each < classes; all 0 where the set has none
  std::shared_ptr<const ImageFiles> files = nullptr;
  std::shared_ptr<const Rows> rows = nullptr;  // not null: the samples are these
  std::size_t count() const { return labels.size(); }
};

struct Dataset {
  Shape stored;               // of every image in `pixels`
  Shape shape;                // what a model sees: after the transforms
  int classes = 10;             // without classes: numbers of a target
  bool hasClasses = true;       // a target is one class
  SampleForm form = {};
  Images train = {}, test = {};
  images::Transform training = {}, testing = {};  // from stored bytes to a model's floats
  std::vector<std::int64_t> inputDims() const {  // of one sample
    return form.input.empty() ? std::vector<std::int64_t>{shape.channels, shape.height, shape.width} : form.input;
  }
  std::size_t inputBytes() const { return countOf(inputDims()) * sizeOf(form.inputType); }    // of one sample
  std::size_t targetBytes() const { return countOf(form.target) * sizeOf(form.targetType); }
  static std::size_t countOf(const std::vector<std::int64_t>& dims) {
    std::size_t count = 1;
    for (const std::int64_t size : dims) count *= static_cast<std::size_t>(size);
    return count;
  }
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
  std::function<std::string(const Params&)> locate;                // folder, kBuiltIn, or "" when not found
  std::function<std::vector<std::string>(const Params&)> describe{};  // what its files hold, a sentence each; empty: its splits say all. Throws as load
  std::function<Dataset(const Params&, std::uint64_t seed)> load;  // throws Error{kData, kFormat, kFile} naming file and value
};

inline constexpr const char* kBuiltIn = "built in";  // where a set is that is made, and read from no file

const std::vector<DatasetDef>& datasets();
const DatasetDef* findDataset(const std::string& id);  // nullptr: none

}  // namespace paceline::datasets

namespace paceline {

std::shared_ptr<const datasets::Dataset> loadDataset(const RunSpec& spec);  // by spec.dataset; throws Error{kSpec}, and as load()

}  // namespace paceline

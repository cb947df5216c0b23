// What lies in a data set's folder: files and their checksums, images per split and class, pictures that do not decode.
// Any thread; takes as long as reading all of it. Never throws for what it finds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/data/datasets/dataset.h"

namespace paceline::datasets {

enum class FileState {
  kPublished,   // byte for byte
  kRepacked,    // its gzip differs, its content is the published one
  kDifferent,   // of another checksum or size
  kUnverified,  // no checksum is known
  kMissing
};
const char* fileStateName(FileState state);

struct CheckedFile {
  std::string name, path = {};  // path: "" when missing
  std::int64_t bytes = 0;
  FileState state = FileState::kMissing;
  std::string expected = {}, found = {};  // SHA-256; "": not known, not computed
};

struct CheckedSplit {
  std::string name;              // "train", "test"
  std::int64_t images = 0, expected = 0;  // expected 0: its files say
  std::vector<std::int64_t> perClass = {};
  std::int64_t broken = 0;       // pictures that do not decode
  std::vector<std::string> brokenFiles = {};  // a sentence each, the first 100
};

struct DataCheck {
  std::string id, path;
  bool decoded = false;
  int classes = 0;
  std::vector<std::string> classNames = {};  // empty: numbers
  std::vector<CheckedFile> files = {};
  std::vector<std::string> facts = {};      // of its arrays, a sentence each
  std::vector<CheckedSplit> splits = {};    // empty: it could not be loaded; per class only where it has classes
  std::vector<std::string> problems = {};   // a sentence each; none: all is well
};

bool hasFiles(const DatasetDef& def);  // false: made from the seed
Params paramsAt(const DatasetDef& def, const std::string& path, const Params& more = {});  // complete; those of a look at what lies there: any number of images. Path "": where runs find it
std::vector<std::string> classNamesOf(const DatasetDef& def, const Dataset& data, const std::string& path);  // empty: numbers
CheckedSplit countedSplit(const char* name, const Images& images, int classes, std::int64_t expected);

// Bytes that its files take up there; of a folder of pictures all that lies below it. 0: none, or they cannot be read.
std::int64_t bytesAt(const DatasetDef& def, const std::string& path);

// Which sets the files at `path` could be: by what they are called, and where several have the same names, by their checksums.
std::vector<const DatasetDef*> setsAt(const std::string& path);

// `decode`: every picture of a set that is decoded while training, on `threads` threads.
// `more`: further parameters of the set. Throws Error{kSpec} where it has no such parameter.
DataCheck checkData(const DatasetDef& def, const std::string& path, bool decode, int threads, const Params& more = {});

}  // namespace paceline::datasets

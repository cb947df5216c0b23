// What paceline-worker says of data sets: `data list`, `data check` and `data look`. Its JSON is read here, so that one of another version is told in a sentence.
// Any thread.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/core/json/json_text.h"

namespace paceline::worker {

struct PublishedFile {
  std::string name{}, url{}, sha256{};
  std::int64_t bytes = 0;  // 0: not known
};

struct ListedSet {
  std::string id{}, title{}, summary{}, reference{}, location{}, downloadTo{};  // location: "" not here
  bool builtIn = false;                                    // made from the seed
  std::vector<std::int64_t> shape{};                        // channels, height, width; empty: its files say
  std::int64_t classes = 0, trainCount = 0, testCount = 0;  // 0: its files say
  std::vector<PublishedFile> files{};                       // none: nothing can be downloaded
  std::int64_t bytes = 0;                                   // on the disk; only where sizes were asked for
};
std::int64_t downloadBytes(const ListedSet& set);  // 0: nothing, or not known

struct ListedData {
  std::vector<ListedSet> sets;
};

struct CheckedFile {
  std::string name{}, state{};
  std::int64_t bytes = 0;
};

struct CheckedSplit {
  std::string name{};
  std::int64_t images = 0, expected = 0, broken = 0;  // expected 0: its files say
  std::vector<std::int64_t> perClass{};
  std::vector<std::string> brokenFiles{};
};

struct CheckedData {
  std::string id{}, path{};
  bool decoded = false;
  std::vector<std::string> classNames{}, problems{}, facts{};  // facts: of its arrays
  std::vector<CheckedFile> files{};
  std::vector<CheckedSplit> splits{};
};

struct LookedSample {
  std::int64_t index = 0, label = 0;
  std::vector<std::int64_t> stored{}, shape{};  // channels, height, width: of the whole picture, of `pixels`
  std::string pixels{};                     // hexadecimal, a byte a value, row major
  std::string problem{};                    // why there are none
  std::string numbers{}, target{};          // of what is no picture, of what has no class: the first of them
  bool isPicture() const { return problem.empty() && numbers.empty(); }
  int side(int of) const { return static_cast<int>(shape[static_cast<std::size_t>(of)]); }  // 0: channels, 1: height, 2: width
};
std::vector<std::uint8_t> bytesOf(const LookedSample& sample);  // of its pixels

struct LookedData {
  std::string id{}, path{}, split{};
  std::vector<std::string> classNames{};  // empty: numbers
  std::vector<CheckedSplit> splits{};
  std::uint64_t seed = 0;
  std::vector<LookedSample> samples{};
};
std::string targetOf(const LookedData& data, const LookedSample& sample);  // its class, or the numbers that it stands beside
std::string className(const std::vector<std::string>& names, std::size_t label);  // its number where it has no name

struct LookQuestion {
  std::string id{}, path{};  // path "": where runs find the set; id "": what lies in `path` says it
  std::string split = "train";
  int count = 24;
  std::uint64_t seed = 1;
};

// Throw Error{kFormat} naming what is not as it must be.
ListedData listedData(const Json& document);
CheckedData checkedData(const Json& document);
LookedData lookedData(const Json& document);

// The same, asked of the worker program beside this one. Throw Error{kHost} with its sentence, Error{kStopped}.
ListedData listData(const std::stop_token& stop = {});  // with sizes
// `set`: further parameters of the set, "inputs=*".
Json checkDocument(const std::string& path, const std::string& id, bool decode, const std::stop_token& stop = {}, const std::vector<std::string>& set = {});
Json lookDocument(const LookQuestion& question, const std::stop_token& stop = {});

}  // namespace paceline::worker

// MXNet-G's file `data_sharding`: line i (from 0) is "begin end", the stretch of the training data of the worker of rank i, in fractions of it.
// Pure: a text in, ranges or problems out. Any thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace paceline {

struct TextLine {
  std::size_t number = 0;  // from 1
  std::vector<std::string> words;
};

// All lines, the empty ones with no words; what comes after the last line break is a line only when there is something.
std::vector<TextLine> linesOf(const std::string& text);

struct DataRange {
  double begin = 0, end = 0;  // in [0, 1], begin < end
  std::size_t line = 0;
  double share() const { return end - begin; }
};

struct DataSharding {
  std::vector<DataRange> ranges;      // by rank, one for each worker; they do not overlap, but may leave gaps
  std::vector<std::string> problems;  // "data_sharding:3: ...", one for every bad line; then there are no ranges
};
DataSharding readDataSharding(const std::string& path, const std::string& text, std::size_t workers);

}  // namespace paceline

#include "engine/core/spec/data_sharding.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>

#include "engine/core/base/error.h"
#include "engine/core/base/text.h"

namespace paceline {
namespace {

constexpr double kTouching = 1e-9;  // ranges may overlap by rounding

std::string shown(const TextLine& line) {
  std::string text;
  for (const std::string& word : line.words) text += (text.empty() ? "" : " ") + word;
  return strCat("\"", quotable(text), "\"");
}

std::optional<double> fraction(const TextLine& line, std::size_t word) {
  if (word >= line.words.size()) return std::nullopt;
  const std::string& text = line.words[word];
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= 0 && value <= 1)) return std::nullopt;
  return value;
}

std::string at(const std::string& path, std::size_t line, const std::string& what) { return strCat(path, ":", line, ": ", what); }

void refuseOverlaps(const std::string& path, DataSharding& sharding) {
  std::vector<DataRange> ordered = sharding.ranges;
  std::sort(ordered.begin(), ordered.end(), [](const DataRange& a, const DataRange& b) { return a.begin < b.begin; });
  for (std::size_t i = 1; i < ordered.size(); ++i)
    if (ordered[i].begin < ordered[i - 1].end - kTouching)
      sharding.problems.push_back(at(path, ordered[i].line, strCat("begins at ", ordered[i].begin, ", where line ", ordered[i - 1].line,
                                                                   " has the data up to ", ordered[i - 1].end)));
}

}  // namespace

std::vector<TextLine> linesOf(const std::string& text) {
  std::vector<TextLine> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    TextLine& read = lines.emplace_back(TextLine{.number = lines.size() + 1, .words = {}});
    for (std::string word; words >> word;) read.words.push_back(word);
  }
  return lines;
}

DataSharding readDataSharding(const std::string& path, const std::string& text, std::size_t workers) {
  DataSharding sharding;
  for (const TextLine& line : linesOf(text)) {
    const auto begin = fraction(line, 0), end = fraction(line, 1);
    if (line.words.size() != 2 || !begin || !end || !(*begin < *end))
      sharding.problems.push_back(at(path, line.number, strCat("two fractions of the data, the first below the second, expected, got ", shown(line))));
    else
      sharding.ranges.push_back({.begin = *begin, .end = *end, .line = line.number});
  }
  if (sharding.problems.empty() && sharding.ranges.size() != workers)
    sharding.problems.push_back(at(path, sharding.ranges.size(),
                                   strCat(sharding.ranges.size(), " lines, one for each worker, but the document has ", workers, " workers")));
  if (sharding.problems.empty()) refuseOverlaps(path, sharding);
  if (!sharding.problems.empty()) sharding.ranges.clear();
  return sharding;
}

}  // namespace paceline

#include "app/figures/class_counts.h"

#include <algorithm>

#include "app/figures/parts/groups.h"
#include "engine/core/base/text.h"

namespace paceline {
namespace {

constexpr std::size_t kMostClassBars = 25;  // that have room for what they are called

std::string categoryOf(const std::vector<std::string>& names, std::size_t from, std::size_t last) {
  if (from != last) return strCat(from, " to ", last);
  return from < names.size() ? names[from] : std::to_string(from);
}

}  // namespace

std::string countsInWords(const ClassCounts& split) {
  std::int64_t all = 0;
  for (const std::int64_t each : split.perClass) all += each;
  if (split.perClass.empty()) return split.samples == 0 ? strCat("no samples to ", split.split) : strCat(split.samples, " samples to ", split.split);
  const auto [least, most] = std::ranges::minmax(split.perClass);
  return strCat(all, " samples to ", split.split, ", ", least == most ? std::to_string(least) : strCat(least, " to ", most), " of each class");
}

Figure classCounts(const std::string& title, const std::vector<std::string>& names, const std::vector<ClassCounts>& splits) {
  Figure figure{.id = "class_counts", .title = title, .x = {.title = "class"}, .y = parts::valueAxis("samples")};
  std::size_t classes = 0;
  for (const ClassCounts& split : splits) classes = std::max(classes, split.perClass.size());
  if (classes == 0) {
    const bool some = std::ranges::any_of(splits, [](const ClassCounts& split) { return split.samples > 0; });
    figure.notes.push_back(strCat(kNothingToDraw, some ? "the set has no classes" : "the set has no samples"));
    return figure;
  }
  const std::size_t wide = (classes + kMostClassBars - 1) / kMostClassBars;
  for (std::size_t from = 0; from < classes; from += wide) figure.x.categories.push_back(categoryOf(names, from, std::min(from + wide, classes) - 1));
  for (const ClassCounts& split : splits) {
    BarSet bars{.label = "to " + split.split, .series = static_cast<int>(figure.bars.size())};
    for (std::size_t from = 0; from < classes; from += wide) {
      std::int64_t sum = 0;
      for (std::size_t c = from; c < std::min(from + wide, split.perClass.size()); ++c) sum += split.perClass[c];
      bars.values.push_back(static_cast<double>(sum));
    }
    figure.bars.push_back(std::move(bars));
    figure.notes.push_back(countsInWords(split));
  }
  if (wide > 1) figure.notes.push_back(strCat(classes, " classes are drawn in ", figure.x.categories.size(), " bars of ", wide));
  return figure;
}

}  // namespace paceline

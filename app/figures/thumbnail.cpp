#include "app/figures/thumbnail.h"

#include <algorithm>

namespace paceline {
namespace {

constexpr std::size_t kColumns = 60;   // a line keeps two points of each
constexpr std::size_t kMostLines = 40;
constexpr std::size_t kMostSpans = 4000;  // of one kind: the longest

void thin(Band& band) {
  if (band.x.size() <= 2 * kColumns) return;
  const std::size_t stride = band.x.size() / kColumns;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < band.x.size(); i += stride, ++kept) band.x[kept] = band.x[i], band.lower[kept] = band.lower[i], band.upper[kept] = band.upper[i];
  for (std::vector<double>* each : {&band.x, &band.lower, &band.upper}) each->resize(kept);
}

void thin(SpanSet& set) {
  if (set.rows.size() <= kMostSpans) return;
  std::vector<double> lengths;
  for (std::size_t i = 0; i < set.rows.size(); ++i) lengths.push_back(set.end[i] - set.begin[i]);
  const auto shortest = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() - kMostSpans);
  std::ranges::nth_element(lengths, shortest);
  const double least = *shortest;
  auto equals = static_cast<std::ptrdiff_t>(kMostSpans) - std::ranges::count_if(lengths, [least](double length) { return length > least; });  // that there is room for
  std::size_t kept = 0;
  for (std::size_t i = 0; i < set.rows.size(); ++i) {
    const double length = set.end[i] - set.begin[i];
    if (!(length > least) && !(length == least && equals-- > 0)) continue;
    set.rows[kept] = set.rows[i], set.begin[kept] = set.begin[i], set.end[kept] = set.end[i], set.strength[kept] = set.strength[i];
    ++kept;
  }
  set.rows.resize(kept);
  for (std::vector<double>* each : {&set.begin, &set.end, &set.strength}) each->resize(kept);
}

}  // namespace

Figure thumbnailOf(Figure figure) {
  figure.notes.clear();
  if (figure.lines.size() > kMostLines) std::erase_if(figure.lines, [](const Line& line) { return line.faint; });
  if (figure.lines.size() > kMostLines) figure.lines.resize(kMostLines);
  for (Line& line : figure.lines) {
    Decimated few = decimate(line.x, line.y, kColumns);
    line.x = std::move(few.x), line.y = std::move(few.y);
    line.rawX.clear(), line.rawY.clear(), line.markers.clear();
  }
  for (Band& band : figure.bands) thin(band);
  for (SpanSet& set : figure.spans) thin(set);
  return figure;
}

}  // namespace paceline

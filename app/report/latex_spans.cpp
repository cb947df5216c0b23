#include "app/report/latex_spans.h"

#include <algorithm>
#include <cmath>

#include "app/figures/parts/latex_text.h"
#include "engine/core/base/error.h"

namespace paceline::report {
namespace {

constexpr std::size_t kMostSpans = 1500;  // that are written one by one
constexpr std::size_t kSpanColumns = 400;  // of the x range where there are more
constexpr std::size_t kBoxesOfAPath = 200;  // TeX's memory
constexpr double kHalf = 0.36, kThinTop = 0.37, kThinBottom = 0.45;  // of a lane, from its middle

struct Box {
  std::size_t row;
  double begin, end, strength;
};

// What each column of a lane shows most of: boxes of that set alone, those of equal columns joined.
class Columns {
 public:
  Columns(const Figure& figure, double low, double high) : figure_(figure), low_(low), width_((high - low) / kSpanColumns) {
    for (std::size_t row = 0; row < figure.y.categories.size(); ++row) takeRow(row);
  }
  const std::vector<std::vector<Box>>& boxes() const { return boxes_; }

 private:
  void takeRow(std::size_t row) {
    std::vector<std::vector<double>> seconds(figure_.spans.size(), std::vector<double>(kSpanColumns, 0));
    for (std::size_t set = 0; set < figure_.spans.size(); ++set) {
      const SpanSet& spans = figure_.spans[set];
      for (std::size_t i = 0; i < spans.rows.size() && !spans.thin; ++i)
        if (spans.rows[i] == row) share(spans.begin[i], spans.end[i], seconds[set]);
    }
    boxes_.resize(figure_.spans.size());
    for (std::size_t column = 0; column < kSpanColumns; ++column) {
      std::size_t most = 0;
      for (std::size_t set = 1; set < seconds.size(); ++set)
        if (seconds[set][column] > seconds[most][column]) most = set;
      if (seconds.empty() || seconds[most][column] < width_ / 4) continue;
      const double begin = low_ + width_ * static_cast<double>(column), end = begin + width_;
      std::vector<Box>& all = boxes_[most];
      if (!all.empty() && all.back().row == row && begin - all.back().end < width_ / 2) all.back().end = end;
      else all.push_back({row, begin, end, 1});
    }
  }

  void share(double begin, double end, std::vector<double>& seconds) const {
    const auto columnOf = [&](double x) { return static_cast<std::size_t>(std::clamp((x - low_) / width_, 0.0, static_cast<double>(kSpanColumns - 1))); };
    for (std::size_t column = columnOf(begin); column <= columnOf(end); ++column) {
      const double left = low_ + width_ * static_cast<double>(column);
      seconds[column] += std::max(0.0, std::min(end, left + width_) - std::max(begin, left));
    }
  }

  const Figure& figure_;
  double low_, width_;
  std::vector<std::vector<Box>> boxes_;
};

std::string paths(const std::vector<Box>& boxes, const std::string& colour, bool thin) {
  std::string out;
  const double top = thin ? kThinTop : -kHalf, bottom = thin ? kThinBottom : kHalf;
  std::size_t inPath = 0;
  double strength = -1;
  for (const Box& box : boxes) {
    if (box.strength != strength || inPath == kBoxesOfAPath) {
      if (inPath > 0) out += ";\n";
      out += strCat("\\path[fill=", colour, ",fill opacity=", coordinate(0.3 + 0.7 * box.strength), "]");
      inPath = 0, strength = box.strength;
    }
    const double row = static_cast<double>(box.row);
    out += strCat("\n(axis cs:", coordinate(box.begin), ",", coordinate(row + top), ") rectangle (axis cs:", coordinate(box.end), ",", coordinate(row + bottom), ")");
    ++inPath;
  }
  return inPath > 0 ? out + ";\n" : out;
}

}  // namespace

std::string spansLatex(const Figure& figure) {
  if (figure.spans.empty()) return "";
  std::size_t count = 0;
  double low = figure.x.min.value_or(0), high = figure.x.max.value_or(low);
  for (const SpanSet& set : figure.spans) {
    count += set.rows.size();
    for (const double end : set.end) high = std::max(high, figure.x.max.value_or(end));
  }
  const bool many = count > kMostSpans && high > low;
  std::vector<std::vector<Box>> columns;
  if (many) columns = Columns(figure, low, high).boxes();
  // Something must be a plot for pgfplots to set up the axes.
  std::string out = strCat("\\addplot[draw=none,forget plot] coordinates {(", coordinate(low), ",0) (", coordinate(high > low ? high : low + 1), ",0)};\n");
  if (many) out += strCat("% ", count, " spans: each of ", kSpanColumns, " columns shows what there is most of\n");
  for (std::size_t set = 0; set < figure.spans.size(); ++set) {
    const SpanSet& spans = figure.spans[set];
    if (many && spans.thin) continue;
    const std::string colour = spans.quiet ? "black!14" : colourName(spans.series, false);
    std::vector<Box> boxes = many ? columns[set] : std::vector<Box>();
    // Shades in tenths, so that boxes of nearly the same one share a path.
    for (std::size_t i = 0; i < spans.rows.size() && !many; ++i) boxes.push_back({spans.rows[i], spans.begin[i], spans.end[i], std::round(spans.strength[i] * 10) / 10});
    out += paths(boxes, colour, spans.thin);
    out += strCat("\\addlegendimage{area legend,draw=none,fill=", colour, "}\n\\addlegendentry{", latexText(spans.label), "}\n");
  }
  return out;
}

}  // namespace paceline::report

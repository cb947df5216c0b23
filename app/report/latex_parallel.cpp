#include "app/report/latex_parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/figures/parts/latex_text.h"
#include "app/report/latex_spans.h"
#include "engine/core/base/error.h"

namespace paceline::report {
namespace {

constexpr double kFewestShades = 25, kMostShades = 100;  // percent of the colour of the greatest value

struct Range {
  double low = 0, high = 1;
  bool log = false;
  double at(double value) const {  // 0 to 1
    if (high <= low) return 0.5;
    return log ? (std::log(value) - std::log(low)) / (std::log(high) - std::log(low)) : (value - low) / (high - low);
  }
};

Range rangeOf(const Figure& figure, std::size_t axis) {
  const Axis& spec = figure.axes[axis];
  if (!spec.categories.empty()) return {.low = 0, .high = std::max<double>(1, static_cast<double>(spec.categories.size()) - 1)};
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Line& line : figure.lines)
    if (std::isfinite(line.y[axis]) && (!spec.log || line.y[axis] > 0)) low = std::min(low, line.y[axis]), high = std::max(high, line.y[axis]);
  if (!(low <= high)) return {};
  return {.low = spec.min.value_or(low), .high = spec.max.value_or(high), .log = spec.log && low > 0};
}

std::string lookOf(const Figure& figure, const Line& line, const std::vector<Range>& ranges) {
  if (!figure.shadedBy) return colourName(line.series, false);
  const double value = line.y[*figure.shadedBy];
  if (!std::isfinite(value)) return "black!15";
  return strCat(colourName(0, false), "!", std::lround(kFewestShades + (kMostShades - kFewestShades) * std::clamp(ranges[*figure.shadedBy].at(value), 0.0, 1.0)));
}

std::string axisLatex(const Axis& axis, const Range& range, std::size_t number) {
  std::string out = strCat("\\draw[black!50] (axis cs:", number, ",0) -- (axis cs:", number, ",1);\n");
  const auto word = [&](double at, const std::string& text, const char* place) {
    out += strCat("\\node[", place, ",font=\\scriptsize,inner sep=2pt] at (axis cs:", number, ",", coordinate(at), ") {", latexText(text), "};\n");
  };
  for (std::size_t i = 0; i < axis.categories.size(); ++i) word(range.at(static_cast<double>(i)), axis.categories[i], "right");
  if (axis.categories.empty()) word(0, coordinate(range.low), "below"), word(1, coordinate(range.high), "above");
  return out;
}

}  // namespace

std::string parallelLatex(const Figure& figure) {
  std::vector<Range> ranges;
  std::string ticks, titles;
  for (std::size_t i = 0; i < figure.axes.size(); ++i) {
    ranges.push_back(rangeOf(figure, i));
    ticks += strCat(i == 0 ? "" : ",", i), titles += strCat(i == 0 ? "" : ",", "{", latexText(figure.axes[i].title), "}");
  }
  std::string out;
  for (const Line& line : figure.lines) {
    std::string points;
    for (std::size_t i = 0; i < line.y.size(); ++i) points += strCat(" (", i, ",", std::isfinite(line.y[i]) ? coordinate(ranges[i].at(line.y[i])) : "nan", ")");
    out += strCat("\\addplot[", lookOf(figure, line, ranges), ",line width=0.5pt,mark=none] coordinates {", points, "};\n");
  }
  for (std::size_t i = 0; i < figure.axes.size(); ++i) out += axisLatex(figure.axes[i], ranges[i], i);
  return strCat("\\begin{tikzpicture}\n\\begin{axis}[width=\\linewidth,height=80mm,hide y axis,axis x line*=bottom,axis line style={draw=none},clip=false,unbounded coords=jump,ymin=-0.08,ymax=1.06,xmin=0,xmax=",
                std::max<std::size_t>(1, figure.axes.size() - 1), ",enlarge x limits=0.06,xtick={", ticks, "},xticklabels={", titles, "},xtick style={draw=none},x tick label style={font=\\footnotesize,rotate=20,anchor=north east}]\n", out,
                "\\end{axis}\n\\end{tikzpicture}\n");
}

}  // namespace paceline::report

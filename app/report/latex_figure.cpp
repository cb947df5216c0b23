#include "app/report/latex_figure.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "app/figures/parts/latex_text.h"
#include "app/figures/parts/palette.h"
#include "app/figures/parts/bar_places.h"
#include "app/report/latex_parallel.h"
#include "app/report/latex_spans.h"
#include "engine/core/base/error.h"

namespace paceline::report {
namespace {

constexpr int kColours = 8;
constexpr std::size_t kMostColumns = 300;  // of a curve: twice as many points
constexpr double kPt = 0.8;                // width of a line
constexpr std::size_t kMarks = 7;          // of a line
constexpr std::size_t kLevelNames = 5;     // of categories: more are written at an angle

const char* markOf(Marker marker) {
  switch (marker) {
    case Marker::kSquare: return "square*";
    case Marker::kTriangle:
    case Marker::kTriangleDown: return "triangle*";
    case Marker::kPentagon: return "pentagon*";
    case Marker::kDiamond: return "diamond*";
    case Marker::kCross: return "x";
    case Marker::kPlus: return "+";
    case Marker::kCircle: break;
  }
  return "*";
}

const char* patternOf(Hatch hatch) {
  switch (hatch) {
    case Hatch::kCross: return "crosshatch";
    case Hatch::kRising: return "north east lines";
    case Hatch::kFalling: return "north west lines";
    case Hatch::kHorizontal: return "horizontal lines";
    case Hatch::kVertical: return "vertical lines";
    case Hatch::kGrid: return "grid";
    case Hatch::kNone: break;
  }
  return "";
}

std::string points(const std::vector<double>& x, const std::vector<double>& y) {
  std::string out;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) out += strCat(i % 8 == 0 ? "\n" : " ", "(", coordinate(x[i]), ",", coordinate(y[i]), ")");
  return out;
}

struct Drawing {
  const Figure& figure;
  bool published, alone;  // alone: one line, nothing to tell apart
  std::string out{};

  std::string colour(int series) const { return colourName(series, published); }

  void line(const Line& line) {
    const SeriesShape shape = seriesShape(line.series, published);
    if (!line.rawX.empty()) plain(line.rawX, line.rawY, line.series);
    if (line.faint) return plain(line.x, line.y, line.series);
    const Decimated seen = decimate(line.x, line.y, kMostColumns);
    std::string look = strCat(colour(line.series), ",line width=", kPt, "pt");
    if (!alone && !shape.dash.empty()) {
      look += ",dash pattern=";
      for (std::size_t i = 0; i < shape.dash.size(); ++i) look += strCat(i % 2 == 0 ? "on " : " off ", shape.dash[i] * kPt, "pt", i % 2 == 0 ? "" : " ");
    }
    const std::size_t step = std::max<std::size_t>(1, seen.x.size() / kMarks);
    if (alone) look += ",mark=none";
    else look += strCat(",mark=", markOf(shape.marker), ",mark repeat=", step, ",mark phase=", 1 + step * static_cast<std::size_t>(std::abs(line.series) % 4) / 5,
                        ",mark options={solid", shape.marker == Marker::kTriangleDown ? ",rotate=180" : "", "},mark size=1.8pt");
    if (seen.x.size() < line.x.size()) out += strCat("% ", seen.x.size(), " of ", line.x.size(), " points\n");
    out += strCat("\\addplot[", look, "] coordinates {", points(seen.x, seen.y), "};\n");
    if (!line.label.empty()) out += strCat("\\addlegendentry{", latexText(line.label), "}\n");
  }

  void plain(const std::vector<double>& x, const std::vector<double>& y, int series) {
    const Decimated seen = decimate(x, y, kMostColumns);
    out += strCat("\\addplot[", colour(series), ",line width=0.4pt,opacity=0.3,mark=none,forget plot] coordinates {", points(seen.x, seen.y), "};\n");
  }

  // A polygon for each part without gaps.
  void band(const Band& band) {
    const std::size_t n = std::min({band.x.size(), band.lower.size(), band.upper.size()});
    const std::size_t step = std::max<std::size_t>(1, n / (2 * kMostColumns));
    std::vector<std::size_t> part;
    const auto finish = [&] {
      if (part.size() > 1) {
        std::string there, back;
        for (const std::size_t i : part) there += strCat(" (", coordinate(band.x[i]), ",", coordinate(band.lower[i]), ")");
        for (std::size_t k = part.size(); k-- > 0;) back += strCat(" (", coordinate(band.x[part[k]]), ",", coordinate(band.upper[part[k]]), ")");
        out += strCat("\\addplot[draw=none,mark=none,fill=", colour(band.series), ",fill opacity=0.18,forget plot] coordinates {", there, "\n", back, "} -- cycle;\n");
      }
      part.clear();
    };
    for (std::size_t i = 0; i < n; ++i) {
      if (!std::isfinite(band.lower[i]) || !std::isfinite(band.upper[i])) finish();
      else if (i % step == 0 || i + 1 == n) part.push_back(i);
    }
    finish();
  }

  // "± std" once, whatever the line before it is called.
  void bandEntries() {
    std::set<std::string> told;
    for (const Band& band : figure.bands) {
      std::string words = band.label;
      for (const Line& line : figure.lines)
        if (!line.faint && !line.label.empty() && words.starts_with(line.label + " ")) words = band.label.substr(line.label.size() + 1);
      if (!words.empty() && told.insert(words).second) out += strCat("\\addlegendimage{area legend,draw=none,fill=black,fill opacity=0.18}\n\\addlegendentry{", latexText(words), "}\n");
    }
  }

  void bars() {
    const parts::BarPlaces places = parts::barPlaces(figure);
    for (std::size_t set = 0; set < figure.bars.size(); ++set) {
      const BarSet& bars = figure.bars[set];
      const SeriesShape shape = seriesShape(bars.series, published);
      const std::vector<double> tops = parts::stackTops(figure, set + 1), floors = parts::stackTops(figure, set);
      std::string look = published ? strCat("fill=white,draw=", colour(bars.series)) : strCat("draw=none,fill=", colour(bars.series));
      if (shape.hatch != Hatch::kNone) look += strCat(",postaction={pattern=", patternOf(shape.hatch), ",pattern color=", published ? colour(bars.series) : std::string("white"), "}");
      std::string boxes, words;
      for (std::size_t i = 0; i < std::min(bars.values.size(), places.keys[set].size()); ++i) {
        const double key = places.keys[set][i], half = places.width / 2, top = figure.stacked ? tops[i] : bars.values[i], floor = figure.stacked ? floors[i] : baseOf();
        if (std::isfinite(bars.values[i])) boxes += strCat(" (axis cs:", coordinate(key - half), ",", coordinate(floor), ") rectangle (axis cs:", coordinate(key + half), ",", coordinate(top), ")");
        if (i < bars.texts.size() && !bars.texts[i].empty())
          words += strCat("\\node[above,font=\\scriptsize,inner sep=1.5pt] at (axis cs:", coordinate(key), ",", coordinate(std::isfinite(top) ? top : baseOf()), ") {", latexText(bars.texts[i]), "};\n");
      }
      if (!boxes.empty()) out += strCat("\\path[", look, "]", boxes, ";\n");
      out += words;
      if (!places.named && !bars.label.empty()) out += strCat("\\addlegendimage{area legend,", look, "}\n\\addlegendentry{", latexText(bars.label), "}\n");
    }
  }

  double baseOf() const { return figure.y.log ? figure.y.min.value_or(1e-3) : 0; }

  // Hollow, with the band as a line through it; black on a bar, whose colour it would have.
  void publishedMarks() {
    std::set<std::string> told;
    const parts::BarPlaces places = figure.bars.empty() ? parts::BarPlaces() : parts::barPlaces(figure);
    for (const PublishedMark& mark : figure.published) {
      const std::string ink = figure.bars.empty() ? colour(mark.series) : "black";
      double x = mark.x;
      const auto category = static_cast<std::size_t>(std::max(0.0, mark.x));
      for (std::size_t set = 0; set < figure.bars.size(); ++set)
        if (figure.bars[set].label == mark.bars && category < places.keys[set].size()) x = places.keys[set][category];
      const auto end = [&](double value) { return mark.lying ? strCat("(axis cs:", coordinate(value), ",", coordinate(mark.y), ")") : strCat("(axis cs:", coordinate(x), ",", coordinate(value), ")"); };
      const double own = mark.lying ? x : mark.y;
      if (mark.low || mark.high) out += strCat("\\draw[", ink, ",line width=0.8pt] ", end(mark.low.value_or(own)), " -- ", end(mark.high.value_or(own)), ";\n");
      const std::string look = strCat("only marks,mark=*,mark size=3pt,mark options={draw=", ink, ",fill=white,line width=0.8pt}");
      out += strCat("\\addplot[", look, ",forget plot] coordinates {(", coordinate(x), ",", coordinate(mark.y), ")};\n");
      if (told.insert(mark.label).second) out += strCat("\\addlegendimage{", look, "}\n\\addlegendentry{", latexText(mark.label), "}\n");
    }
  }

  void references() {
    for (const Reference& reference : figure.references) {
      out += strCat("\\draw[dashed,line width=0.6pt] ({rel axis cs:0,0}|-{axis cs:0,", coordinate(reference.value), "}) -- ({rel axis cs:1,0}|-{axis cs:0,", coordinate(reference.value), "});\n");
      if (!reference.label.empty()) out += strCat("\\addlegendimage{dashed,line width=0.6pt}\n\\addlegendentry{", latexText(reference.label), "}\n");
    }
  }
};

std::string ticks(const std::string& axis, const std::vector<std::string>& names) {
  std::string at, labels;
  for (std::size_t i = 0; i < names.size(); ++i) at += strCat(i == 0 ? "" : ",", i), labels += strCat(i == 0 ? "" : ",", "{", latexText(names[i]), "}");
  return strCat(",", axis, "tick={", at, "},", axis, "ticklabels={", labels, "}");
}

// Of bars and references, which are no plots: pgfplots sees plots alone. Room for the words above.
void yRange(const Figure& figure, std::string& options) {
  double high = 0, low = 0;
  for (std::size_t set = 0; set < figure.bars.size(); ++set)
    for (const double value : figure.stacked ? parts::stackTops(figure, set + 1) : figure.bars[set].values)
      if (std::isfinite(value)) high = std::max(high, value), low = std::min(low, value);
  for (const Reference& reference : figure.references) high = std::max(high, reference.value);
  for (const PublishedMark& mark : figure.published) high = std::max(high, mark.lying ? mark.y : mark.high.value_or(mark.y));
  if (high == low) high = 1;
  if (!figure.y.min && !figure.y.log) options += strCat(",ymin=", coordinate(low * 1.1));
  if (!figure.y.max) options += strCat(",ymax=", coordinate(high * 1.14));
}

std::string axisOptions(const Figure& figure, double heightMm) {
  const double lanes = static_cast<double>(figure.y.categories.size());
  std::string options = strCat("width=\\linewidth,height=", heightMm > 0 ? heightMm : !figure.spans.empty() ? std::clamp(30 + 6 * lanes, 50.0, 200.0) : 85, "mm,scale only axis=false,axis lines=left,axis line style={-},tick align=outside",
                               ",grid=major,grid style={black!12},unbounded coords=jump,scaled ticks=false,tick label style={font=\\footnotesize,/pgf/number format/fixed,/pgf/number format/precision=4}",
                               ",label style={font=\\small},legend style={draw=none,font=\\footnotesize,at={(0.5,0)},anchor=north,yshift=", figure.x.categories.size() > kLevelNames ? -24 : -12, "mm,/tikz/every even column/.append style={column sep=6pt}},legend columns=3,legend cell align=left",
                               ",xlabel={", latexText(figure.x.title), "},ylabel={", latexText(figure.y.title), "}");
  if (figure.x.log) options += ",xmode=log";
  if (figure.y.log) options += ",ymode=log";
  const auto bound = [&](const char* name, const std::optional<double>& value) {
    if (value && std::isfinite(*value)) options += strCat(",", name, "=", coordinate(*value));
  };
  bound("xmin", figure.x.min), bound("xmax", figure.x.max);
  if (figure.spans.empty()) bound("ymin", figure.y.min), bound("ymax", figure.y.max);
  if (!figure.spans.empty()) return options + ticks("y", figure.y.categories) + strCat(",y dir=reverse,ymin=-0.6,ymax=", lanes - 0.4, ",grid=none,axis line style={draw=none},tick style={black!40}");
  if (figure.bars.empty()) return options;
  yRange(figure, options);
  options += ticks("x", figure.x.categories) + strCat(",xmin=-0.6,xmax=", static_cast<double>(figure.x.categories.size()) - 0.4, ",xmajorgrids=false,x tick label style={font=\\footnotesize");
  return options + (figure.x.categories.size() > kLevelNames ? ",rotate=35,anchor=east}" : "}");
}

}  // namespace

std::string coordinate(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char text[32];
  std::snprintf(text, sizeof text, "%.7g", value);
  return text;
}

std::string colourName(int series, bool published) { return strCat(published ? "pub" : "pac", std::abs(series) % kColours); }

std::string paletteLatex() {
  std::string out;
  for (const bool published : {false, true})
    for (int i = 0; i < kColours; ++i) {
      char hex[8];
      std::snprintf(hex, sizeof hex, "%06X", seriesShape(i, published).light & 0xffffffU);
      out += strCat("\\definecolor{", colourName(i, published), "}{HTML}{", hex, "}\n");
    }
  return out;
}

std::string figureLatex(const Figure& figure, double heightMm) {
  if (!figure.axes.empty()) return parallelLatex(figure);
  Drawing drawing{.figure = figure, .published = figure.variant == Variant::kPublished, .alone = figure.lines.size() == 1};
  for (const Band& band : figure.bands) drawing.band(band);
  for (const Line& line : figure.lines)
    if (line.faint) drawing.line(line);
  for (const Line& line : figure.lines)
    if (!line.faint) drawing.line(line);
  drawing.bandEntries();
  drawing.bars();
  drawing.out += spansLatex(figure);
  drawing.publishedMarks();
  drawing.references();
  return strCat("\\begin{tikzpicture}\n\\begin{axis}[", axisOptions(figure, heightMm), "]\n", drawing.out, "\\end{axis}\n\\end{tikzpicture}\n");
}

}  // namespace paceline::report

#include <charconv>
#include <cmath>

#include "app/figures/figure.h"

namespace paceline {
namespace {

std::string field(const std::string& text) {  // RFC 4180
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string number(double value) {  // the shortest text that reads back as the same number
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  char text[40];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

void row(std::string& out, const std::string& series, const std::string& x, const std::string& y) {
  out += field(series) + ',' + field(x) + ',' + field(y) + "\r\n";
}

void points(std::string& out, const std::string& series, const std::vector<double>& x, const std::vector<double>& y) {
  for (std::size_t i = 0; i < x.size() && i < y.size(); ++i) row(out, series, number(x[i]), number(y[i]));
}

void barRows(std::string& out, const Figure& figure, const BarSet& bars) {
  for (std::size_t i = 0; i < bars.values.size(); ++i) {
    const std::string text = i < bars.texts.size() ? bars.texts[i] : "";
    if (std::isnan(bars.values[i]) && text.empty()) continue;  // no bar here
    std::string category = i < figure.x.categories.size() ? figure.x.categories[i] : "";
    if (category.empty()) category = std::to_string(i);
    row(out, bars.label, category, std::isnan(bars.values[i]) ? text : number(bars.values[i]));
  }
}

}  // namespace

std::string figureToCsv(const Figure& figure) {
  std::string out = "series,x,y\r\n";
  for (const Line& line : figure.lines) {
    points(out, line.label, line.x, line.y);
    points(out, line.label + " (raw)", line.rawX, line.rawY);
  }
  for (const Band& band : figure.bands) {
    points(out, band.label + " lower", band.x, band.lower);
    points(out, band.label + " upper", band.x, band.upper);
  }
  for (const BarSet& bars : figure.bars) barRows(out, figure, bars);
  for (const Reference& reference : figure.references) row(out, reference.label, "", number(reference.value));
  return out;
}

}  // namespace paceline

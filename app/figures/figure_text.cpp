#include <charconv>
#include <cmath>

#include "app/figures/figure.h"
#include "engine/core/base/error.h"
#include "engine/core/json/json_text.h"

namespace paceline {

namespace {

Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(jsonNumber(value));
  return list;
}

Json axisJson(const Axis& axis) {
  return {{"title", axis.title},
          {"min", axis.min ? jsonNumber(*axis.min) : Json()},
          {"max", axis.max ? jsonNumber(*axis.max) : Json()},
          {"log", axis.log},
          {"categories", axis.categories}};
}

Json lineJson(const Line& line) {
  return {{"label", line.label},     {"series", line.series},       {"x", numbers(line.x)},
          {"y", numbers(line.y)},    {"raw_x", numbers(line.rawX)}, {"raw_y", numbers(line.rawY)},
          {"markers", line.markers}, {"run", line.runId},           {"faint", line.faint}};
}

Json bandJson(const Band& band) {
  return {{"label", band.label},
          {"series", band.series},
          {"x", numbers(band.x)},
          {"lower", numbers(band.lower)},
          {"upper", numbers(band.upper)}};
}

Json barsJson(const BarSet& bars) {
  return {{"label", bars.label}, {"series", bars.series}, {"values", numbers(bars.values)}, {"texts", bars.texts}};
}

template <class Item, class Convert>
Json listOf(const std::vector<Item>& items, Convert convert) {
  Json list = Json::array();
  for (const Item& item : items) list.push_back(convert(item));
  return list;
}

double number(const Json& value, const char* where) {
  const auto read = numberFromJson(value);
  if (!read) throw Error(Errc::kFormat, strCat("figure: ", where, " holds ", value.dump().substr(0, 60), ", not a number"));
  return *read;
}

std::vector<double> numbersAt(const Json& object, const char* key) {
  std::vector<double> values;
  for (const Json& value : object.at(key)) values.push_back(number(value, key));
  return values;
}

std::optional<double> maybeNumber(const Json& object, const char* key) {
  const Json& value = object.at(key);
  return value.is_null() ? std::nullopt : std::optional(number(value, key));
}

void sameLength(std::size_t a, std::size_t b, const std::string& label) {
  if (a != b) throw Error(Errc::kFormat, strCat("figure: \"", label, "\" has ", a, " x and ", b, " y"));
}

int seriesAt(const Json& object) {
  const int series = object.at("series");
  if (series < 0) throw Error(Errc::kFormat, strCat("figure: series must be >= 0, got ", series));
  return series;
}

Axis readAxis(const Json& json) {
  return {.title = json.at("title"),
          .min = maybeNumber(json, "min"),
          .max = maybeNumber(json, "max"),
          .log = json.at("log"),
          .categories = json.at("categories").get<std::vector<std::string>>()};
}

Line readLine(const Json& json) {
  Line line;
  line.label = json.at("label");
  line.series = seriesAt(json);
  line.x = numbersAt(json, "x");
  line.y = numbersAt(json, "y");
  line.rawX = numbersAt(json, "raw_x");
  line.rawY = numbersAt(json, "raw_y");
  line.markers = json.at("markers").get<std::vector<std::size_t>>();
  line.runId = json.at("run");
  line.faint = json.at("faint");
  sameLength(line.x.size(), line.y.size(), line.label);
  sameLength(line.rawX.size(), line.rawY.size(), line.label);
  for (const std::size_t marker : line.markers)
    if (marker >= line.x.size())
      throw Error(Errc::kFormat, strCat("figure: \"", line.label, "\" has a marker at point ", marker, " of ", line.x.size()));
  return line;
}

Band readBand(const Json& json) {
  Band band{.label = json.at("label"),
            .series = seriesAt(json),
            .x = numbersAt(json, "x"),
            .lower = numbersAt(json, "lower"),
            .upper = numbersAt(json, "upper")};
  sameLength(band.x.size(), band.lower.size(), band.label);
  sameLength(band.x.size(), band.upper.size(), band.label);
  return band;
}

BarSet readBars(const Json& json, std::size_t categories) {
  BarSet bars{.label = json.at("label"),
              .series = seriesAt(json),
              .values = numbersAt(json, "values"),
              .texts = json.at("texts").get<std::vector<std::string>>()};
  if (bars.values.size() != categories)
    throw Error(Errc::kFormat,
                strCat("figure: \"", bars.label, "\" has ", bars.values.size(), " bars for ", categories, " categories"));
  return bars;
}

Figure readFigure(const Json& json) {
  Figure figure;
  figure.id = json.at("id");
  figure.title = json.at("title");
  const std::string variant = json.at("variant");
  if (variant != "corrected" && variant != "published")
    throw Error(Errc::kFormat, strCat("figure: variant must be corrected or published, got \"", variant, "\""));
  figure.variant = variant == "published" ? Variant::kPublished : Variant::kCorrected;
  figure.x = readAxis(json.at("x"));
  figure.y = readAxis(json.at("y"));
  for (const Json& line : json.at("lines")) figure.lines.push_back(readLine(line));
  for (const Json& band : json.at("bands")) figure.bands.push_back(readBand(band));
  for (const Json& bars : json.at("bars")) figure.bars.push_back(readBars(bars, figure.x.categories.size()));
  figure.stacked = json.value("stacked", false);  // younger than the format
  for (const Json& reference : json.at("references"))
    figure.references.push_back({.label = reference.at("label"), .value = number(reference.at("value"), "reference")});
  figure.notes = json.at("notes").get<std::vector<std::string>>();
  return figure;
}

}  // namespace

std::string figureToJson(const Figure& figure, int indent) {
  const Json json = {{"id", figure.id},
                     {"title", figure.title},
                     {"variant", figure.variant == Variant::kPublished ? "published" : "corrected"},
                     {"x", axisJson(figure.x)},
                     {"y", axisJson(figure.y)},
                     {"lines", listOf(figure.lines, lineJson)},
                     {"bands", listOf(figure.bands, bandJson)},
                     {"bars", listOf(figure.bars, barsJson)},
                     {"stacked", figure.stacked},
                     {"references", listOf(figure.references,
                                           [](const Reference& reference) {
                                             return Json{{"label", reference.label}, {"value", jsonNumber(reference.value)}};
                                           })},
                     {"notes", figure.notes}};
  return dumped(json, indent);
}

Figure parseFigure(const std::string& text) {
  try {
    return readFigure(Json::parse(text));
  } catch (const Json::exception& error) {
    throw Error(Errc::kFormat, strCat("figure: ", error.what()));
  }
}

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

#include <array>
#include <cmath>
#include <concepts>
#include <limits>

#include "app/figures/figure_pieces.h"
#include "engine/core/base/error.h"
#include "engine/core/json/describe.h"
#include "engine/core/json/json_text.h"
#include "storage/summary/table_text.h"

namespace paceline {

constexpr std::array<const char*, 2> wordsOf(Variant) { return {"corrected", "published"}; }

void describe(auto& visit, Axis& axis) {
  visit(Field{"title"}, axis.title);
  visit(Field{"min"}, axis.min);
  visit(Field{"max"}, axis.max);
  visit(Field{"log"}, axis.log);
  visit(Field{"categories"}, axis.categories);
}

void describe(auto& visit, Line& line) {
  visit(Field{"label"}, line.label);
  visit(Field{"series"}, line.series);
  visit(Field{"x"}, line.x);
  visit(Field{"y"}, line.y);
  visit(Field{"raw_x"}, line.rawX);
  visit(Field{"raw_y"}, line.rawY);
  visit(Field{"markers"}, line.markers);
  visit(Field{"run"}, line.runId);
  visit(Field{"faint"}, line.faint);
}

void describe(auto& visit, Band& band) {
  visit(Field{"label"}, band.label);
  visit(Field{"series"}, band.series);
  visit(Field{"x"}, band.x);
  visit(Field{"lower"}, band.lower);
  visit(Field{"upper"}, band.upper);
}

void describe(auto& visit, BarSet& bars) {
  visit(Field{"label"}, bars.label);
  visit(Field{"series"}, bars.series);
  visit(Field{"values"}, bars.values);
  visit(Field{"texts"}, bars.texts);
}

void describe(auto& visit, SpanSet& spans) {
  visit(Field{"label"}, spans.label);
  visit(Field{"series"}, spans.series);
  visit(Field{"quiet"}, spans.quiet);
  visit(Field{.key = "thin", .brief = true}, spans.thin);
  visit(Field{"rows"}, spans.rows);
  visit(Field{"begin"}, spans.begin);
  visit(Field{"end"}, spans.end);
  visit(Field{"strength"}, spans.strength);
}

void describe(auto& visit, Reference& reference) {
  visit(Field{"label"}, reference.label);
  visit(Field{"value"}, reference.value);
}

void describe(auto& visit, PublishedMark& mark) {
  visit(Field{"label"}, mark.label);
  visit(Field{"series"}, mark.series);
  visit(Field{"x"}, mark.x);
  visit(Field{"y"}, mark.y);
  visit(Field{"low"}, mark.low);
  visit(Field{"high"}, mark.high);
  visit(Field{"lying"}, mark.lying);
  visit(Field{"bars"}, mark.bars);
  visit(Field{"source"}, mark.source);
}

void describe(auto& visit, Figure& figure) {
  visit(Field{"id"}, figure.id);
  visit(Field{"title"}, figure.title);
  visit(Field{"variant"}, figure.variant);
  visit(Field{"x"}, figure.x);
  visit(Field{"y"}, figure.y);
  visit(Field{"lines"}, figure.lines);
  visit(Field{"bands"}, figure.bands);
  visit(Field{"bars"}, figure.bars);
  visit(Field{.key = "spans", .brief = true}, figure.spans);
  visit(Field{"stacked"}, figure.stacked);
  visit(Field{"references"}, figure.references);
  visit(Field{.key = "published", .brief = true}, figure.published);
  visit(Field{.key = "axes", .brief = true}, figure.axes);
  visit(Field{.key = "shaded_by", .brief = true}, figure.shadedBy);
  visit(Field{"notes"}, figure.notes);
}

namespace {

// Reads what describe() lists; numbers may be non-finite, flags and what is brief absent. Whatever else is absent or of another type is an exception of Json.
struct FigureReader {
  const Json& object;

  void operator()(const Field& field, bool& value) const { value = object.value(std::string(field.key), value); }
  template <class T>
  void operator()(const Field& field, T& value) const {
    const std::string key(field.key);
    if (field.brief && !object.contains(key)) return;
    read(object.at(key), key, value);
  }
  template <class T>
  static void read(const Json& json, [[maybe_unused]] const std::string& key, T& value) {
    if constexpr (Described<T>) {
      FigureReader reader{json};
      describe(reader, value);
    } else {
      json.get_to(value);
    }
  }
  template <class T>
  static void read(const Json& json, const std::string& key, std::vector<T>& values) {
    for (const Json& item : json) read(item, key, values.emplace_back());
  }
  template <class T>
  static void read(const Json& json, const std::string& key, std::optional<T>& value) {
    if (!json.is_null()) read(json, key, value.emplace());
  }
  static void read(const Json& json, const std::string& key, double& value) {
    const auto number = numberFromJson(json);
    if (!number) throw Error(Errc::kFormat, strCat("figure: ", key, " holds ", json.dump().substr(0, 60), ", not a number"));
    value = *number;
  }
  template <std::integral T>  // all of them count something
  static void read(const Json& json, const std::string& key, T& value) {
    if (!json.is_number_integer()) throw Error(Errc::kFormat, strCat("figure: ", key, " holds ", json.dump().substr(0, 60), ", not a whole number"));
    if (!json.is_number_unsigned() && json.get<std::int64_t>() < 0) throw Error(Errc::kFormat, strCat("figure: ", key, " must be >= 0, got ", json.dump()));
    const auto number = json.get<std::uint64_t>();
    if (number > static_cast<std::uint64_t>(std::numeric_limits<T>::max()))
      throw Error(Errc::kFormat, strCat("figure: ", key, " must be at most ", std::numeric_limits<T>::max(), ", got ", number));
    value = static_cast<T>(number);
  }
  static void read(const Json& json, const std::string& key, Variant& value) {
    const std::string word = json;
    if (word != "corrected" && word != "published")
      throw Error(Errc::kFormat, strCat("figure: ", key, " must be corrected or published, got \"", word, "\""));
    value = word == "published" ? Variant::kPublished : Variant::kCorrected;
  }
};

void sameLength(std::size_t a, std::size_t b, const std::string& label) {
  if (a != b) throw Error(Errc::kFormat, strCat("figure: \"", label, "\" has ", a, " x and ", b, " y"));
}

void checkAxes(const Figure& figure) {
  if (figure.shadedBy && *figure.shadedBy >= figure.axes.size()) throw Error(Errc::kFormat, strCat("figure: shaded_by is ", *figure.shadedBy, "; there are ", figure.axes.size(), " axes"));
  if (figure.axes.empty()) return;
  for (const Line& line : figure.lines)
    if (line.y.size() != figure.axes.size()) throw Error(Errc::kFormat, strCat("figure: \"", line.label, "\" has ", line.y.size(), " values for ", figure.axes.size(), " axes"));
  for (const Line& line : figure.lines)
    for (std::size_t i = 0; i < line.y.size(); ++i) {
      const auto words = static_cast<double>(figure.axes[i].categories.size());
      if (words > 0 && std::isfinite(line.y[i]) && !(line.y[i] >= 0 && line.y[i] < words)) throw Error(Errc::kFormat, strCat("figure: \"", line.label, "\" has word ", line.y[i], " of ", words, " on axis ", i));
    }
}

void check(const Figure& figure) {
  for (const Line& line : figure.lines) {
    sameLength(line.x.size(), line.y.size(), line.label);
    sameLength(line.rawX.size(), line.rawY.size(), line.label);
    for (const std::size_t marker : line.markers)
      if (marker >= line.x.size())
        throw Error(Errc::kFormat, strCat("figure: \"", line.label, "\" has a marker at point ", marker, " of ", line.x.size()));
  }
  for (const Band& band : figure.bands) {
    sameLength(band.x.size(), band.lower.size(), band.label);
    sameLength(band.x.size(), band.upper.size(), band.label);
  }
  for (const SpanSet& set : figure.spans) {
    sameLength(set.begin.size(), set.end.size(), set.label);
    sameLength(set.begin.size(), set.rows.size(), set.label);
    sameLength(set.begin.size(), set.strength.size(), set.label);
    for (const std::size_t row : set.rows)
      if (row >= figure.y.categories.size()) throw Error(Errc::kFormat, strCat("figure: \"", set.label, "\" has a span in row ", row, " of ", figure.y.categories.size()));
  }
  checkAxes(figure);
  const std::size_t categories = figure.x.categories.size();
  for (const BarSet& bars : figure.bars)
    if (bars.values.size() != categories)
      throw Error(Errc::kFormat, strCat("figure: \"", bars.label, "\" has ", bars.values.size(), " bars for ", categories, " categories"));
}

void addPoints(summary::CsvTable& table, const std::string& series, const std::vector<double>& x, const std::vector<double>& y) {
  for (std::size_t i = 0; i < x.size() && i < y.size(); ++i) table.cell(series).cell(x[i]).cell(y[i]).endRow();
}

void addBars(summary::CsvTable& table, const Figure& figure, const BarSet& bars) {
  for (std::size_t i = 0; i < bars.values.size(); ++i) {
    const std::string text = i < bars.texts.size() ? bars.texts[i] : "";
    if (std::isnan(bars.values[i]) && text.empty()) continue;  // no bar here
    std::string category = i < figure.x.categories.size() ? figure.x.categories[i] : "";
    if (category.empty()) category = std::to_string(i);
    table.cell(bars.label).cell(category).cell(std::isnan(bars.values[i]) ? text : summary::numberText(bars.values[i])).endRow();
  }
}

// Each line's value on each axis.
void addParallel(summary::CsvTable& table, const Figure& figure, const Line& line) {
  for (std::size_t i = 0; i < line.y.size(); ++i) {
    const std::vector<std::string>& words = figure.axes[i].categories;
    if (!std::isfinite(line.y[i])) continue;  // it has no place there
    table.cell(line.label).cell(figure.axes[i].title).cell(words.empty() ? summary::numberText(line.y[i]) : words.at(static_cast<std::size_t>(line.y[i]))).endRow();
  }
}

void addPublished(summary::CsvTable& table, const Figure& figure, const PublishedMark& mark) {
  const std::size_t category = mark.x >= 0 && mark.x < 1e6 ? static_cast<std::size_t>(mark.x) : figure.x.categories.size();
  const std::string name = mark.bars.empty() || mark.label.find(mark.bars) != std::string::npos ? mark.label : strCat(mark.bars, ", ", mark.label);
  const auto row = [&](const std::string& series, double x, double y) {
    table.cell(series).cell(category < figure.x.categories.size() ? figure.x.categories[category] : summary::numberText(x)).cell(y).endRow();
  };
  row(name, mark.x, mark.y);
  if (mark.low) row(name + " lower", mark.lying ? *mark.low : mark.x, mark.lying ? mark.y : *mark.low);
  if (mark.high) row(name + " upper", mark.lying ? *mark.high : mark.x, mark.lying ? mark.y : *mark.high);
}

}  // namespace

std::string figureToJson(const Figure& figure, int indent) { return dumped(written(figure), indent); }

Figure parseFigure(const std::string& text) {
  try {
    Figure figure;
    FigureReader::read(jsonFrom(text, "figure", kMaxFigureBytes), "figure", figure);
    check(figure);
    return figure;
  } catch (const Json::exception& error) {
    throw Error(Errc::kFormat, strCat("figure: ", reasonOf(error)));
  }
}

void writeFigureJson(const Figure& figure, const PieceWriter& write) {
  constexpr std::string_view kNoLines = "\n  \"lines\": [";  // of the figure: everything inside stands deeper
  Json rest = Json::object();
  auto member = [&rest]<class Member>(const Field& field, const Member& value) {
    if (field.brief && written(value).empty()) return;  // null and [] are empty
    if constexpr (std::same_as<Member, std::vector<Line>>) rest[std::string(field.key)] = Json::array();
    else rest[std::string(field.key)] = written(value);
  };
  describe(member, const_cast<Figure&>(figure));  // a description is one for readers and writers; this one only reads
  const std::string text = dumped(rest, 2);
  const std::size_t lines = text.find(kNoLines) + kNoLines.size();
  write(std::string_view(text).substr(0, lines));
  for (const Line& line : figure.lines) {
    if (&line != figure.lines.data()) write(",");
    write(summary::deeper(dumped(written(line), 2)));
  }
  if (!figure.lines.empty()) write("\n  ");
  write(std::string_view(text).substr(lines));
}

std::string figureToCsv(const Figure& figure) {
  std::string text;
  writeFigureCsv(figure, [&text](std::string_view piece) { text += piece; });
  return text;
}

void writeFigureCsv(const Figure& figure, const PieceWriter& write) {
  summary::CsvTable table;
  table.cell("series").cell("x").cell("y").endRow();
  for (const Line& line : figure.lines) {
    if (!figure.axes.empty()) addParallel(table, figure, line);
    else addPoints(table, line.label, line.x, line.y);
    addPoints(table, line.label + " (raw)", line.rawX, line.rawY);
    write(table.take());
  }
  for (const Band& band : figure.bands) {
    addPoints(table, band.label + " lower", band.x, band.lower);
    addPoints(table, band.label + " upper", band.x, band.upper);
  }
  for (const BarSet& bars : figure.bars) addBars(table, figure, bars);
  for (const SpanSet& set : figure.spans)
    for (std::size_t i = 0; i < set.rows.size(); ++i) table.cell(strCat(figure.y.categories.at(set.rows[i]), " ", set.label)).cell(set.begin[i]).cell(set.end[i]).endRow();
  for (const PublishedMark& mark : figure.published) addPublished(table, figure, mark);
  for (const Reference& reference : figure.references) table.cell(reference.label).cell("").cell(reference.value).endRow();
  write(table.take());
}

}  // namespace paceline

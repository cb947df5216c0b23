// Parallel coordinates over a sweep: an axis for each field that varies, then one for each result; a line for each run. No published script draws it.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "app/figures/parts/groups.h"
#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
#include "engine/core/json/differences.h"
#include "engine/core/json/json_text.h"
#include "engine/core/spec/schema.h"
#include "storage/summary/table_text.h"

namespace paceline {
namespace {

constexpr double kNoPlace = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostFields = 8;
constexpr std::size_t kMostNodes = 3;  // that an axis names
constexpr double kDecades = 100;  // values that span as much are on a logarithmic axis
constexpr std::array kSilent = {"name", "notes", "tags", "paceline", "protection", "lost_desktop", "published"};  // they change no result

// A field with its value of each run; nullopt: the run's document has none.
struct Varied {
  std::string title, unit{};
  std::vector<std::optional<Json>> values{};
  std::vector<std::string> nodes{};  // whose field it is; empty: the document's
  bool algorithm = false;            // its values are ids of algorithms
  std::string axisTitle() const {
    const std::string of = nodes.empty() ? "" : strCat(" of ", nodes.size() > kMostNodes ? strCat(nodes.size(), " nodes") : listed(nodes));
    return strCat(title, of, unit.empty() ? "" : strCat(" (", unit, ")"));
  }
};

std::vector<std::string> tokensOf(const std::string& pointer) {
  std::vector<std::string> tokens;
  for (const char c : pointer)
    if (c == '/') tokens.emplace_back();
    else if (!tokens.empty()) tokens.back() += c;
  return tokens;
}

Varied fieldOf(const std::string& pointer, const Titles& titles) {
  const FieldInfo* field = fieldAt(pointer);
  return {.title = withinSentence(labelIn(titles, pointer)), .unit = field == nullptr ? "" : field->unit, .algorithm = pointer == "/algorithm/id"};
}

bool varies(const std::vector<std::optional<Json>>& values) {
  const Json* first = nullptr;
  for (const std::optional<Json>& value : values) {
    if (!value) continue;
    if (first != nullptr && *value != *first) return true;
    first = &*value;
  }
  return false;
}

Varied variedWorkers(const parts::Runs& runs) {
  Varied workers{.title = "workers"};
  for (const summary::RunSummary* run : runs) {
    const auto count = std::ranges::count_if(run->nodes, [](const summary::NodeSummary& node) { return node.role == "worker"; });
    workers.values.push_back(count > 0 ? std::optional(Json(count)) : std::nullopt);
  }
  return workers;
}

bool isPlace(const std::string& token) { return token.find_first_not_of("0123456789") == std::string::npos; }

// The node of "/nodes/2/emulate/slowdown" by the first document that has it; nullopt: the field is none of a node's.
std::optional<std::string> nodeOf(const std::vector<std::string>& tokens, const std::vector<Json>& documents) {
  if (tokens.size() < 3 || tokens.front() != "nodes" || !isPlace(tokens[1])) return std::nullopt;
  const auto index = static_cast<std::size_t>(std::stoul(tokens[1]));
  for (const Json& document : documents)
    if (document.is_object() && document.contains("nodes") && document["nodes"].is_array() && index < document["nodes"].size() && document["nodes"][index].is_object())
      return document["nodes"][index].value("id", strCat("node ", index));
  return strCat("node ", index);
}

// Whether it has an axis of its own: what lists of lists hold has none, nor what a run or a node is called.
bool isField(const std::vector<std::string>& tokens, bool ofNode, bool seeds) {
  if (tokens.empty() || std::ranges::find(kSilent, tokens.front()) != kSilent.end() || (tokens.front() == "seed" && !seeds)) return false;
  if (ofNode && (tokens.back() == "id" || tokens.back() == "role")) return false;
  return std::none_of(tokens.begin() + (ofNode ? 2 : 0), tokens.end(), isPlace);
}

// Fields of several nodes whose values are the same are one.
std::vector<Varied> variedFields(const parts::Runs& runs, bool seeds, const Titles& titles) {
  std::vector<std::string> documents;
  std::vector<Json> parsed;
  for (const summary::RunSummary* run : runs) documents.push_back(run->document), parsed.push_back(jsonOrNull(run->document));
  std::vector<Varied> fields = {variedWorkers(runs)};
  for (const Difference& difference : differences(documents)) {
    const std::vector<std::string> tokens = tokensOf(difference.pointer);
    const std::optional<std::string> node = nodeOf(tokens, parsed);
    if (!isField(tokens, node.has_value(), seeds)) continue;
    Varied field = fieldOf(difference.pointer, titles);
    for (const std::string& value : difference.values) field.values.push_back(value.empty() ? std::nullopt : std::optional(jsonOrNull(value)));
    const auto same = std::ranges::find_if(fields, [&](const Varied& other) { return node && !other.nodes.empty() && other.title == field.title && other.values == field.values; });
    if (same != fields.end()) {
      same->nodes.push_back(*node);
      continue;
    }
    if (node) field.nodes = {*node};
    fields.push_back(std::move(field));
  }
  std::erase_if(fields, [](const Varied& field) { return !varies(field.values); });
  return fields;
}

std::string wordOf(const Json& value, bool algorithm, const Titles& titles) {
  if (value.is_null()) return "none";
  if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
  if (value.is_number()) return summary::numberText(value.get<double>());
  if (!value.is_string()) return dumped(value);
  return algorithm ? displayName(value.get<std::string>()) : titleIn(titles, value.get<std::string>());
}

struct Word {
  double order;
  std::string text;
  bool operator<(const Word& other) const { return order != other.order ? order < other.order : text < other.text; }
};

// Algorithms as everywhere, numbers by size, others by name.
Word wordFor(const Json& value, bool algorithm, const Titles& titles) {
  return {.order = value.is_number() ? value.get<double>() : algorithm && value.is_string() ? seriesOf(value.get<std::string>()) : 1e300, .text = wordOf(value, algorithm, titles)};
}

// An axis of numbers, or of words.
void place(const Varied& field, const Titles& titles, Figure& figure) {
  Axis axis{.title = field.axisTitle()};
  std::set<Word> words;
  if (!std::ranges::all_of(field.values, [](const std::optional<Json>& value) { return !value || value->is_number(); }))
    for (const std::optional<Json>& value : field.values)
      if (value) words.insert(wordFor(*value, field.algorithm, titles));
  for (const Word& word : words) axis.categories.push_back(word.text);
  for (std::size_t i = 0; i < field.values.size(); ++i) {
    const std::optional<Json>& value = field.values[i];
    figure.lines[i].y.push_back(!value ? kNoPlace : words.empty() ? value->get<double>() : static_cast<double>(std::distance(words.begin(), words.find(wordFor(*value, field.algorithm, titles)))));
  }
  figure.axes.push_back(std::move(axis));
}

// From the least to the greatest value.
void range(Figure& figure, std::size_t axis) {
  Axis& spec = figure.axes[axis];
  if (!spec.categories.empty()) {
    spec.min = 0, spec.max = static_cast<double>(spec.categories.size() - 1);
    return;
  }
  for (const Line& line : figure.lines)
    if (std::isfinite(line.y[axis])) spec.min = std::min(spec.min.value_or(line.y[axis]), line.y[axis]), spec.max = std::max(spec.max.value_or(line.y[axis]), line.y[axis]);
  spec.log = spec.min && *spec.min > 0 && *spec.max >= kDecades * *spec.min;
}

struct Outcome {
  std::string title, missing;
  std::function<std::optional<double>(const summary::RunSummary&)> of;
};

std::vector<Outcome> outcomes(double target) {
  const auto positive = [](double value) { return value > 0 ? std::optional(value) : std::nullopt; };
  return {{"best accuracy", "has no evaluation", [](const summary::RunSummary& run) { return run.accuracyBest; }},
          {strCat("time to ", summary::numberText(target * 100), " % (s)"), "did not reach the target", [](const summary::RunSummary& run) { return run.timeToTargetSeconds; }},
          {"samples/s", "has no rounds", [=](const summary::RunSummary& run) { return positive(run.throughputSamplesPerSecond); }},
          {"traffic (MB/s)", "sent nothing", [=](const summary::RunSummary& run) { return positive(run.trafficBytesPerSecond / 1e6); }},
          {"computing time ratio", "did not record its workers' times", [](const summary::RunSummary& run) { return std::optional(summary::meanBusyRatio(run)); }}};
}

void addOutcomes(const parts::Runs& runs, Figure& figure) {
  for (const Outcome& outcome : outcomes(runs.front()->targetAccuracy)) {
    std::vector<double> column;
    for (const summary::RunSummary* run : runs) column.push_back(outcome.of(*run).value_or(kNoPlace));
    for (double& value : column) value = std::isfinite(value) ? value : kNoPlace;
    const auto missing = static_cast<std::size_t>(std::ranges::count_if(column, [](double value) { return std::isnan(value); }));
    if (missing == runs.size()) continue;
    if (missing > 0) figure.notes.push_back(strCat(missing, " of ", runs.size(), " runs have no place on ", outcome.title, ": each ", outcome.missing));
    for (std::size_t i = 0; i < column.size(); ++i) figure.lines[i].y.push_back(column[i]);
    if (!figure.shadedBy) figure.shadedBy = figure.axes.size();
    figure.axes.push_back({.title = outcome.title});
  }
}

// A run that is given twice is one line; equal names are told apart by their ids.
parts::Runs distinctRuns(const Summaries& all, Figure& figure) {
  parts::Runs runs;
  std::set<std::string> seen, names;
  for (const summary::RunSummary& run : all) {
    if (!seen.insert(run.id).second) continue;
    runs.push_back(&run);
    std::string label = parts::nameOf(run);
    if (!names.insert(label).second) names.insert(label = strCat(label, " (", run.id, ")"));
    figure.lines.push_back({.label = std::move(label), .series = seriesOf(run.algorithm), .runId = run.id});
  }
  return runs;
}

Figure buildParallel(const Summaries& all, const FigureOptions& options) {
  Figure figure{.id = "parallel", .title = "Parallel coordinates", .variant = options.variant};
  const parts::Runs runs = distinctRuns(all, figure);
  if (runs.empty()) return figure;
  std::vector<Varied> fields = variedFields(runs, !options.groupSeeds, options.titles);
  if (fields.size() > kMostFields) {
    const auto whole = [](const Varied& field) { return std::ranges::all_of(field.values, [](const std::optional<Json>& value) { return value.has_value(); }); };
    std::stable_partition(fields.begin(), fields.end(), whole);  // first those that all runs have
    std::vector<std::string> left;
    for (std::size_t i = kMostFields; i < fields.size(); ++i) left.push_back(fields[i].axisTitle());
    figure.notes.push_back(strCat("left out, they vary too: ", listed(left)));
    fields.erase(fields.begin() + kMostFields, fields.end());
  }
  if (fields.empty()) figure.notes.push_back(runs.size() == 1 ? "one run: no field varies" : "no field of these runs' documents varies");
  for (const Varied& field : fields) place(field, options.titles, figure);
  const std::size_t varied = figure.axes.size();
  addOutcomes(runs, figure);
  if (figure.axes.size() == varied) {  // fields alone tell nothing
    figure.lines.clear(), figure.axes.clear();
    figure.notes.push_back(strCat(kNothingToDraw, "no run has a result"));
    return figure;
  }
  for (std::size_t axis = 0; axis < figure.axes.size(); ++axis) range(figure, axis);
  std::vector<double> places(figure.axes.size());
  for (std::size_t axis = 0; axis < places.size(); ++axis) places[axis] = static_cast<double>(axis);
  for (Line& line : figure.lines) line.x = places;
  parts::noteUnpublished(figure);
  return figure;
}

}  // namespace

FigureDef parallel() {
  return {.id = "parallel", .title = "Parallel coordinates", .summary = "A line for each run over an axis for each field that varies and for each result.", .build = buildParallel};
}

}  // namespace paceline

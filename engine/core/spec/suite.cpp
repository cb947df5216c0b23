#include "engine/core/spec/suite.h"

#include <algorithm>
#include <map>

#include "engine/core/base/error.h"
#include "engine/core/json/comments.h"
#include "engine/core/json/fields.h"
#include "engine/core/json/json_text.h"
#include "engine/core/spec/run_spec_fields.h"
#include "engine/core/spec/search_reader.h"

namespace paceline {
namespace {

constexpr std::size_t kMaxPoints = 10000;
constexpr std::size_t kMaxPointBytes = 100'000'000;  // of the documents of all points together

constexpr const char* kTooLong = "; write a shorter base or fewer runs";

// How many points the axes make.
std::size_t refuseTooMany(const OrderedJson& base, const std::vector<Axis>& axes, std::vector<Finding>& findings) {
  std::size_t points = 1;
  for (const Axis& axis : axes) {
    if (axis.size() > kMaxPoints / points) return addFinding(findings, {"/vary", strCat("makes more than ", kMaxPoints, " runs")}), kMaxPoints;
    points *= std::max<std::size_t>(axis.size(), 1);
  }
  if (const std::size_t bytes = dumped(base).size(); bytes > kMaxPointBytes / points)
    addFinding(findings, {"/vary", strCat("makes ", points, " documents of about ", bytesText(static_cast<std::int64_t>(bytes)), ", more than ", bytesText(kMaxPointBytes), " together", kTooLong)});
  return points;
}

bool isCalled(const Setting& setting, const std::string& key, const OrderedJson& wanted) {
  return key.starts_with("/") ? setting.values.front().second == wanted : wanted.is_string() && wanted.get_ref<const std::string&>() == setting.label;
}

// The points that a suite leaves out.
class Skipped {
 public:
  Skipped(const OrderedJson& skip, const std::vector<std::string>& keys, const std::vector<Axis>& axes, std::vector<Finding>& findings) {
    for (std::size_t i = 0; i < skip.size(); ++i) {
      const std::string at = pointerTo("/skip", i);
      if (!skip[i].is_object() || skip[i].empty()) {
        addFinding(findings, {at, mustBe("", at, "an object such as {\"/seed\": 2}", skip[i].is_object() ? "empty" : described(skip[i]))});
        continue;
      }
      Entry entry(axes.size());
      for (const auto& [key, value] : skip[i].items()) {
        const auto axis = static_cast<std::size_t>(std::ranges::find(keys, key) - keys.begin());
        if (axis == keys.size()) {
          addFinding(findings, {pointerTo(at, key), strCat("\"", quotable(key), "\" does not vary")});
          continue;
        }
        for (std::size_t position = 0; position < axes[axis].size(); ++position)
          if (isCalled(axes[axis][position], key, value)) entry[axis].push_back(position);
        if (entry[axis].empty()) addFinding(findings, {pointerTo(at, key), strCat(described(value), " is no value of \"", quotable(key), "\" in \"vary\"")});
      }
      entries_.push_back(std::move(entry));
    }
  }

  bool has(const std::vector<std::size_t>& position) const {
    return std::ranges::any_of(entries_, [&](const Entry& entry) {
      for (std::size_t i = 0; i < entry.size(); ++i)
        if (!entry[i].empty() && std::ranges::find(entry[i], position[i]) == entry[i].end()) return false;
      return true;
    });
  }

 private:
  using Entry = std::vector<std::vector<std::size_t>>;  // of each axis the positions; none: all

  std::vector<Entry> entries_;
};

class Expansion {
 public:
  Expansion(const OrderedJson& base, ParsedSuite& suite, const Skipped& skipped) : base_(base), suite_(suite), skipped_(skipped) {}

  // One position of every axis. The axes change from slowest to fastest in the document's order, but a last /seed first, so that every seed runs
  // all methods in turn; its label stays last: "esync seed 1".
  void expand(std::vector<Axis> axes, bool seedFirst) {
    if (seedFirst) std::rotate(axes.begin(), axes.end() - 1, axes.end());
    std::vector<std::size_t> position(axes.size(), 0);
    for (;;) {
      std::vector<const Setting*> settings;
      for (std::size_t i = 0; i < axes.size(); ++i) settings.push_back(&axes[i][position[i]]);
      std::vector<std::size_t> place = position;
      if (seedFirst) std::rotate(place.begin(), place.begin() + 1, place.end());
      addPoint(settings, seedFirst, std::move(place));
      if (bytes_ > kMaxPointBytes) return addFinding(suite_.findings, {"/vary", strCat("makes documents of more than ", bytesText(kMaxPointBytes), " together", kTooLong)});
      std::size_t axis = axes.size();
      while (axis > 0 && ++position[axis - 1] == axes[axis - 1].size()) position[--axis] = 0;
      if (axis == 0) return;
    }
  }

 private:
  void addPoint(std::vector<const Setting*> settings, bool seedFirst, std::vector<std::size_t> place) {
    const bool skipped = skipped_.has(place);
    OrderedJson document = base_;
    for (const Setting* setting : settings)
      for (const auto& [pointer, value] : setting->values) set(document, pointer, value);
    if (seedFirst) std::rotate(settings.begin(), settings.begin() + 1, settings.end());
    std::string name = suite_.name;
    for (const Setting* setting : settings) name += (name.empty() ? "" : " ") + setting->label;
    if (name.empty()) name = parseRunSpec(dumped(document)).spec.name;
    if (const int again = ++used_[name]; again > 1) name += strCat(" #", again);
    if (skipped) return;  // it has its name, so that those of the others stay when it comes back
    document["name"] = name;
    suite_.points.push_back({.name = name, .text = dumped(document), .position = std::move(place)});
    bytes_ += suite_.points.back().text.size();
  }

  void set(OrderedJson& document, const std::string& pointer, const OrderedJson& value) {
    try {
      placeAt(document, pointer) = value;
    } catch (const Error& error) {
      const Finding finding{"/vary", error.what()};
      if (std::find(suite_.findings.begin(), suite_.findings.end(), finding) == suite_.findings.end()) addFinding(suite_.findings, finding);
    }
  }

  const OrderedJson& base_;
  ParsedSuite& suite_;
  const Skipped& skipped_;
  std::map<std::string, int> used_;
  std::size_t bytes_ = 0;  // of the points' documents
};

void readSuite(const OrderedJson& document, ParsedSuite& suite) {
  suite.isSuite = true;
  for (const auto& [key, value] : document.items()) {
    if (key == "$schema" && value.is_string()) continue;
    if (key != "base" && key != "vary" && key != "skip" && key != "search") addFinding(suite.findings, {pointerTo("", key), "unknown key; have base, vary, skip, search"});
    else if (key == "skip" && !value.is_array()) addFinding(suite.findings, {"/skip", mustBe("", "/skip", "a list", described(value))});
    else if (key != "skip" && !value.is_object()) addFinding(suite.findings, {pointerTo("", key), mustBe("", pointerTo("", key), "an object", described(value))});
  }
  if (!document.contains("base")) addFinding(suite.findings, {"/base", "is required"});
  const OrderedJson vary = document.value("vary", OrderedJson::object());
  if (hasErrors(suite.findings)) return;
  if (const auto name = document["base"].find("name"); name != document["base"].end() && name->is_string()) suite.name = name->get<std::string>();
  std::vector<Axis> axes;
  std::vector<std::string> keys;
  for (const auto& [key, values] : vary.items()) keys.push_back(key), axes.push_back(readAxis(key, values, suite.findings));
  if (document.contains("search")) {
    std::size_t values = document["search"].is_object() ? document["search"].value("over", OrderedJson()).size() : 0;
    for (const Axis& axis : axes) values += axis.size();
    if (values > kMaxPoints || dumped(document["base"]).size() > kMaxPointBytes / (values + 1)) addFinding(suite.findings, {"/search", strCat("has ", values, " values and ranges, too many for this base", kTooLong)});
    if (!hasErrors(suite.findings)) readSearch(document, keys, std::move(axes), suite);
    return;
  }
  const std::size_t points = refuseTooMany(document["base"], axes, suite.findings);
  const OrderedJson skip = document.value("skip", OrderedJson::array());
  if (skip.size() > points) addFinding(suite.findings, {"/skip", strCat("has ", skip.size(), " entries, more than the ", points, " runs that it could leave out")});
  if (hasErrors(suite.findings)) return;
  const Skipped skipped(skip, keys, axes, suite.findings);
  if (hasErrors(suite.findings)) return;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    suite.axes.push_back({.key = keys[i], .labels = {}});
    for (const Setting& setting : axes[i]) suite.axes.back().labels.push_back(setting.label);
  }
  Expansion(document["base"], suite, skipped).expand(std::move(axes), !vary.empty() && std::prev(vary.end()).key() == "/seed");
  if (suite.points.empty() && !hasErrors(suite.findings)) addFinding(suite.findings, {"/skip", "leaves out every run"});
  if (hasErrors(suite.findings)) suite.points.clear();
}

}  // namespace

ParsedSuite parseSuite(std::string_view text) {
  ParsedSuite suite;
  const std::optional<OrderedJson> document = parseOrderedJson(withoutComments(text), suite.findings);
  if (!document) return suite;
  if (document->is_object() && (document->contains("base") || document->contains("vary") || document->contains("search"))) readSuite(*document, suite);
  else suite.points.push_back({.name = parseRunSpec(text).spec.name, .text = std::string(text), .position = {}});
  return suite;
}

std::string withOverride(std::string_view text, std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos || !assignment.starts_with("/"))
    throw Error(Errc::kSpec, strCat("\"", quotable(assignment), "\" is no assignment like /seed=3"));
  std::vector<Finding> findings;
  std::optional<OrderedJson> document = parseOrderedJson(withoutComments(text), findings);
  if (!document) throw Error(Errc::kSpec, strCat("the document ", findings[0].pointer, findings[0].pointer.empty() ? "" : " ", findings[0].message));
  const std::string value(assignment.substr(equals + 1));
  std::vector<Finding> ignored;  // what is no JSON is meant as a text
  const std::optional<OrderedJson> parsed = parseOrderedJson(value, ignored);
  placeAt(*document, std::string(assignment.substr(0, equals))) = parsed ? *parsed : OrderedJson(value);
  return dumped(*document);
}

}  // namespace paceline

#include "engine/core/spec/search.h"

#include <algorithm>
#include <cmath>

#include "engine/core/base/error.h"
#include "engine/core/json/fields.h"
#include "engine/core/spec/search_reader.h"

namespace paceline {

struct SearchSpace::Documents {
  OrderedJson base;
  std::vector<Axis> lists;  // of each axis; of a range empty
  Axis seeds;               // none: the base's
  double target = 0;
};

namespace {

constexpr const char* kSeed = "/seed";

OrderedJson numberOf(const SearchRange& range, double value) { return range.integer ? OrderedJson(static_cast<std::int64_t>(std::llround(value))) : OrderedJson(value); }

void put(OrderedJson& document, const Setting& setting) {
  for (const auto& [pointer, value] : setting.values) placeAt(document, pointer) = value;
}

// What the members of "over" must be to each other, to "vary" and to the base.
void checkRange(const std::string& key, const SearchRange& range, const std::vector<std::string>& varied, std::vector<Finding>& findings) {
  const std::string at = pointerTo("/search/over", key);
  const auto refuse = [&](const std::string& message) { addFinding(findings, {at, message}); };
  if (std::ranges::find(varied, key) != varied.end()) return refuse(strCat(quotable(key), " varies in \"vary\" already: a value is chosen from a list or from a range"));
  if (key == kSeed) return refuse("Seeds are not searched: name them in \"vary\", and each point runs with all of them");
  if (!(range.from < range.to)) return refuse(strCat("The range must lead upwards; it leads from ", range.from, " to ", range.to, "."));
  if (range.scale == SearchScale::kLog && !(range.from > 0)) return refuse(strCat("A range with scale log must begin above 0; it begins at ", range.from, "."));
  if (range.integer && (range.from != std::floor(range.from) || range.to != std::floor(range.to) || std::max(std::abs(range.from), std::abs(range.to)) > 9e15))
    return refuse(strCat("A range of integers must lead between whole numbers below 9e15; it leads from ", range.from, " to ", range.to, "."));
}

std::optional<double> numberAt(const OrderedJson& base, const char* section, const char* key) {
  const auto members = base.find(section);
  if (members == base.end() || !members->is_object()) return std::nullopt;
  const auto value = members->find(key);
  return value != members->end() && value->is_number() ? std::optional(value->get<double>()) : std::nullopt;
}

void checkGoal(const SearchSpec& search, const OrderedJson& base, std::vector<Finding>& findings) {
  if (!search.budget.runs && !search.budget.minutes) addFinding(findings, {"/search/budget", "needs at least one of runs and minutes"});
  if (search.goal == SearchGoal::kTimeToTarget && !numberAt(base, "stop", "accuracy"))
    addFinding(findings, {"/search/goal", "The goal time_to_target needs \"stop\": {\"accuracy\": ...} in the base: that is the target."});
  if (search.goal != SearchGoal::kSamplesPerSecond && numberAt(base, "evaluate", "every_rounds") == 0)
    addFinding(findings, {"/search/goal", strCat("The goal ", wordsOf(search.goal)[static_cast<std::size_t>(search.goal)], " needs evaluations; the base's evaluate.every_rounds is 0.")});
  if (!search.halving) return;
  const bool rounds = search.halving->by == RungUnit::kRounds;
  if (rounds && search.halving->first != std::floor(search.halving->first))
    addFinding(findings, {"/search/halving/first", strCat("The first rung must be a whole number of rounds; it is ", search.halving->first, ".")});
  const auto last = numberAt(base, "stop", rounds ? "rounds" : "seconds");
  if (last && search.halving->first >= *last)
    addFinding(findings, {"/search/halving/first", strCat("No run is looked at before its end: the first rung is after ", search.halving->first, rounds ? " rounds" : " s", ", the run ends after ", *last, "."), false});
}

std::vector<SearchPoint> probesOf(const std::vector<SearchAxis>& axes) {
  const auto first = [](const SearchAxis& axis) { return axis.range ? axis.range->from : 0; };
  SearchPoint start;
  for (const SearchAxis& axis : axes) start.push_back(first(axis));
  std::vector<SearchPoint> probes = {start};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::size_t others = axes[i].range ? 1 : axes[i].labels.size() - 1;
    for (std::size_t k = 1; k <= others; ++k) {
      probes.push_back(start);
      probes.back()[i] = axes[i].range ? axes[i].range->to : static_cast<double>(k);
    }
  }
  return probes;
}

}  // namespace

void readSearch(const OrderedJson& document, const std::vector<std::string>& keys, std::vector<Axis> axes, ParsedSuite& suite) {
  if (document.contains("skip") && !document["skip"].empty())
    addFinding(suite.findings, {"/skip", "does not go with \"search\", which runs no product of lists: leave the values out of the lists"});
  const Json written = jsonOrNull(dumped(document["search"]));
  Fields fields(written, "/search", suite.findings);
  SearchSpec search;
  readObject(fields, search);
  if (hasErrors(suite.findings)) return;
  for (const auto& [key, range] : search.over) checkRange(key, range, keys, suite.findings);
  checkGoal(search, document["base"], suite.findings);
  auto documents = std::make_shared<SearchSpace::Documents>();
  documents->base = document["base"];
  documents->target = numberAt(document["base"], "stop", "accuracy").value_or(0);
  std::vector<SearchAxis> chosen;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (keys[i] == kSeed) {
      documents->seeds = std::move(axes[i]);
      continue;
    }
    chosen.push_back({.key = keys[i], .range = std::nullopt, .labels = {}});
    for (const Setting& setting : axes[i]) chosen.back().labels.push_back(setting.label);
    documents->lists.push_back(std::move(axes[i]));
  }
  for (const auto& [key, range] : search.over) chosen.push_back({.key = key, .range = range, .labels = {}}), documents->lists.emplace_back();
  if (chosen.empty()) addFinding(suite.findings, {"/search/over", "There is nothing to search: no range here, and no list in \"vary\" but seeds."});
  if (hasErrors(suite.findings)) return;
  const auto space = std::make_shared<const SearchSpace>(std::move(search), suite.name, std::move(chosen), std::move(documents));
  try {
    for (const SearchPoint& probe : probesOf(space->axes())) suite.points.push_back(space->point(probe, 0));
    suite.search = space;
  } catch (const Error& error) {  // a pointer that leads nowhere
    addFinding(suite.findings, {"/search/over", error.what()});
  }
}

SearchSpace::SearchSpace(SearchSpec spec, std::string name, std::vector<SearchAxis> axes, std::shared_ptr<const Documents> documents)
    : spec_(std::move(spec)), name_(std::move(name)), axes_(std::move(axes)), documents_(std::move(documents)) {}

std::size_t SearchSpace::seeds() const { return std::max<std::size_t>(documents_->seeds.size(), 1); }
double SearchSpace::target() const { return documents_->target; }

std::string SearchSpace::word(std::size_t axis) const {
  std::string_view key = axes_.at(axis).key;
  if (key.ends_with("/id")) key.remove_suffix(std::string_view("/id").size());
  return std::string(key.substr(key.rfind('/') + 1));
}

std::string SearchSpace::text(std::size_t axis, double at) const {
  const SearchAxis& along = axes_.at(axis);
  if (along.range) return dumped(plainNumber(at));
  const std::string& label = along.labels.at(static_cast<std::size_t>(at));
  const std::string before = word(axis) + " ";  // "batch_size 32"
  return label.starts_with(before) ? label.substr(before.size()) : label;
}

std::string SearchSpace::text(const SearchPoint& at) const {
  std::string all;
  for (std::size_t axis = 0; axis < at.size(); ++axis) all += strCat(all.empty() ? "" : ", ", word(axis), " ", text(axis, at[axis]));
  return all;
}

SuitePoint SearchSpace::point(const SearchPoint& at, std::size_t seed) const {
  OrderedJson document = documents_->base;
  std::string name = name_;
  const auto add = [&name](const std::string& label) { name += (name.empty() ? "" : " ") + label; };
  SuitePoint made;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    const SearchAxis& axis = axes_[i];
    if (axis.range) {
      const OrderedJson value = numberOf(*axis.range, at.at(i));
      placeAt(document, axis.key) = value;
      add(valueLabel(axis.key, value, 0));
    } else {
      const Setting& setting = documents_->lists[i].at(static_cast<std::size_t>(at.at(i)));
      put(document, setting);
      add(setting.label);
    }
  }
  if (!documents_->seeds.empty()) put(document, documents_->seeds.at(seed)), add(documents_->seeds.at(seed).label);
  document["name"] = name;
  made.name = std::move(name);
  made.text = dumped(document);
  return made;
}

}  // namespace paceline

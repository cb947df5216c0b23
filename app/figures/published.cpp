#include "app/figures/published.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/figures/parts/published_marks.h"
#include "engine/core/base/error.h"
#include "engine/core/json/fields.h"
#include "engine/core/spec/run_spec_fields.h"
#include "storage/summary/table_text.h"

namespace paceline {
namespace {

std::optional<double> known(double value) { return std::isfinite(value) ? std::optional(value) : std::nullopt; }
std::optional<double> aboveZero(double value) { return value > 0 ? known(value) : std::nullopt; }

std::optional<double> timeTo(const summary::RunSummary& run, double target) {
  if (run.targetAccuracy == target) return run.timeToTargetSeconds;
  const auto reached = std::ranges::find_if(run.improvements, [target](const auto& improvement) { return improvement.first >= target; });
  return reached == run.improvements.end() ? std::nullopt : std::optional(reached->second);
}

std::optional<double> computingRatio(const summary::RunSummary& run, const PublishedValue& value, bool script) {
  std::vector<double> ratios;
  for (const summary::NodeSummary& node : run.nodes)
    if (summary::trains(node) && (value.node.empty() || value.node == node.id)) ratios.push_back(script ? node.publishedComputingRatio : node.busyRatio);
  return known(summary::statistic(ratios).mean);
}

std::int64_t workersIn(const Json& document) {
  if (!document.contains("nodes") || !document["nodes"].is_array()) return 0;
  return std::ranges::count_if(document["nodes"], [](const Json& node) { return node.is_object() && node.value("role", Json("worker")) == "worker"; });
}

bool holds(const PublishedValue& value, const summary::RunSummary& run, const Json& document) {
  if (!value.algorithm.empty() && value.algorithm != run.algorithm) return false;
  if (value.workers && *value.workers != workersIn(document)) return false;
  return std::ranges::all_of(value.where.values(), [&document](const auto& wanted) {
    try {
      const Json::json_pointer at(wanted.first);
      return document.contains(at) && document.at(at) == written(wanted.second);
    } catch (const Json::exception&) {  // no pointer that this document can have
      return false;
    }
  });
}

// Of the groups whose algorithm has 1: the one of the same conditions, or the only one.
const parts::RunGroup* baseOf(const parts::RunGroup& group, const std::vector<parts::RunGroup>& groups, const std::string& over) {
  const parts::RunGroup* only = nullptr;
  int count = 0;
  for (const parts::RunGroup& each : groups) {
    if (each.first().algorithm != over) continue;
    if (each.differs == group.differs) return &each;
    only = &each, ++count;
  }
  return count == 1 ? only : nullptr;
}

std::vector<double> numbersOf(const parts::RunGroup& group, const PublishedValue& value) {
  std::vector<double> numbers;
  for (const summary::RunSummary* run : group.members)
    if (const auto number = oursOf(*run, value)) numbers.push_back(*number);
  return numbers;
}

std::string quantityOf(const PublishedValue& value) {
  const std::string target = strCat(summary::numberText(value.target * 100), " %"), script = value.formula == "script" ? " by the script" : "";
  switch (value.measure) {
    case PublishedMeasure::kAccuracyLast: return "Last accuracy";
    case PublishedMeasure::kAccuracyBest: return "Best accuracy";
    case PublishedMeasure::kLossLast: return "Last loss";
    case PublishedMeasure::kTimeToTarget: return strCat("Time to ", target, " (s)");
    case PublishedMeasure::kThroughput: return "Samples/s" + script;
    case PublishedMeasure::kTraffic: return strCat("Traffic (MB/s)", script);
    case PublishedMeasure::kComputingRatio: return strCat("Computing time ratio", value.node.empty() ? "" : " of ", value.node, script);
    case PublishedMeasure::kSpeedupTime: return strCat("Speed-up over ", displayName(value.over), " to ", target);
    case PublishedMeasure::kSpeedupThroughput: return strCat("Speed-up over ", displayName(value.over), " by samples/s");
  }
  return "";
}

std::string digits(double value) {
  char text[40];
  std::snprintf(text, sizeof text, std::abs(value) >= 1000 ? "%.0f" : "%.4g", value);
  return text;
}

std::string publishedText(const PublishedValue& value) {
  if (value.band.absolute) return strCat(digits(value.value), " ± ", digits(*value.band.absolute));
  return value.band.relative ? strCat(digits(value.value), " ± ", digits(*value.band.relative * 100), " %") : digits(value.value);
}

std::string missingText(const PublishedRow& row, const parts::RunGroup* base, bool baseMissed) {
  if (isSpeedup(row.value.measure) && base == nullptr) return strCat("no run of ", displayName(row.value.over), " to compare with");
  if (baseMissed) return strCat("not reached by ", displayName(row.value.over));
  return hasTarget(row.value.measure) ? "not reached" : "—";
}

// "no: 12 % below"
void judge(PublishedRow& row) {
  const std::optional<PublishedRange> range = rangeOf(row.value);
  const bool whole = row.ours && row.runs == row.of;
  const double off = row.ours && row.value.value != 0 ? (*row.ours - row.value.value) / std::abs(row.value.value) * 100 : 0;
  row.inside = !row.value.differs.empty() ? Inside::kOtherSetting : !whole ? Inside::kNoValue : !range ? Inside::kNoBand : *row.ours >= range->low && *row.ours <= range->high ? Inside::kYes : Inside::kNo;
  switch (row.inside) {
    case Inside::kYes: row.insideText = "yes"; break;
    case Inside::kNo: row.insideText = row.value.value == 0 ? "no" : strCat("no: ", parts::barText(std::abs(off)), off < 0 ? " % below" : " % above"); break;
    case Inside::kNoBand: row.insideText = "no band"; break;
    case Inside::kNoValue: row.insideText = "—"; break;
    case Inside::kOtherSetting: row.insideText = "another setting"; break;
  }
}

PublishedRow rowOf(const parts::RunGroup& group, const std::vector<parts::RunGroup>& groups, const PublishedValue& value) {
  PublishedRow row{.configuration = group.fullLabel, .quantity = quantityOf(value), .value = value, .of = static_cast<int>(group.members.size())};
  for (const summary::RunSummary* run : group.members) row.ids.push_back(run->id);
  std::vector<double> numbers = numbersOf(group, value);
  const parts::RunGroup* base = isSpeedup(value.measure) ? baseOf(group, groups, value.over) : nullptr;
  bool baseMissed = false;
  if (isSpeedup(value.measure)) {
    const std::vector<double> bases = base == nullptr ? std::vector<double>() : numbersOf(*base, value);
    const bool whole = base != nullptr && bases.size() == base->members.size();
    const double one = summary::statistic(bases).mean;
    baseMissed = hasTarget(value.measure) && !whole;
    if (!whole) numbers.clear();
    for (double& number : numbers) number = value.measure == PublishedMeasure::kSpeedupTime ? one / number : number / one;
  }
  row.runs = static_cast<int>(numbers.size());
  const summary::Statistic found = summary::statistic(numbers);
  if (!numbers.empty()) row.ours = found.mean, row.deviation = found.deviation;
  row.publishedText = publishedText(value);
  row.oursText = !row.ours ? missingText(row, base, baseMissed) : row.runs > 1 ? strCat(digits(*row.ours), " ± ", parts::deviationText(found)) : digits(*row.ours);
  if (row.ours && row.runs < row.of) row.oursText += strCat(" (", row.runs, " of ", row.of, ")");
  if (row.ours && value.value != 0) row.ratioText = parts::barText(*row.ours / value.value);
  judge(row);
  return row;
}

}  // namespace

std::vector<PublishedValue> publishedOf(const summary::RunSummary& run) {
  if (run.document.find("\"published\"") == std::string::npos) return {};
  const Json document = jsonOrNull(run.document);
  if (!document.is_object() || !document.contains("published")) return {};
  Published published;
  std::vector<Finding> findings;
  Fields fields(document["published"], "", findings);
  readObject(fields, published, UnknownKeys::kPassedOver);
  const std::vector<PublishedValue> all = valuesOf(published);
  std::vector<PublishedValue> values;
  for (std::size_t i = 0; i < all.size(); ++i) {  // of a newer Paceline's document those count that are understood whole
    const std::string at = strCat("/values/", i);
    if (std::ranges::none_of(findings, [&at](const Finding& finding) { return isAtOrBelow(finding.pointer, at); })) values.push_back(all[i]);
  }
  std::erase_if(values, [&](const PublishedValue& value) { return !holds(value, run, document); });
  return values;
}

std::optional<double> oursOf(const summary::RunSummary& run, const PublishedValue& value) {
  const bool script = value.formula == "script";
  switch (value.measure) {
    case PublishedMeasure::kAccuracyLast: return run.accuracyLast ? known(*run.accuracyLast) : std::nullopt;
    case PublishedMeasure::kAccuracyBest: return run.accuracyBest ? known(*run.accuracyBest) : std::nullopt;
    case PublishedMeasure::kLossLast: return run.lossLast ? known(*run.lossLast) : std::nullopt;
    case PublishedMeasure::kTimeToTarget:
    case PublishedMeasure::kSpeedupTime: return timeTo(run, value.target);
    case PublishedMeasure::kThroughput:
    case PublishedMeasure::kSpeedupThroughput: return aboveZero(script ? run.publishedThroughput : run.throughputSamplesPerSecond);
    case PublishedMeasure::kTraffic: return aboveZero(script ? run.publishedTrafficMbPerSecond : run.trafficBytesPerSecond / 1e6);
    case PublishedMeasure::kComputingRatio: return computingRatio(run, value, script);
  }
  return std::nullopt;
}

std::vector<PublishedRow> publishedRows(const Summaries& runs, const Titles& titles) {
  FigureOptions options;
  options.titles = titles;
  const std::vector<parts::RunGroup> groups = parts::groupRuns(parts::pointersTo(runs), options);
  std::vector<PublishedRow> rows;
  for (const parts::RunGroup& group : groups)
    for (const PublishedValue& value : parts::publishedOf(group)) rows.push_back(rowOf(group, groups, value));
  return rows;
}

std::string sourceText(const PublishedValue& value) { return value.differs.empty() ? value.source : strCat(value.source, "; there ", value.differs); }

std::vector<std::string> cellsOf(const PublishedRow& row) {
  return {row.configuration, row.quantity, row.publishedText, row.oursText, row.ratioText.empty() ? "—" : row.ratioText, row.insideText, sourceText(row.value)};
}

PublishedTable numbered(const std::vector<PublishedRow>& rows) {
  PublishedTable table;
  std::vector<std::string> sources;
  for (const PublishedRow& row : rows) {
    std::vector<std::string>& cells = table.rows.emplace_back(cellsOf(row));
    const auto place = std::ranges::find(sources, cells.back()) - sources.begin();
    if (place == std::ssize(sources)) sources.push_back(cells.back()), table.sources.push_back(strCat("[", place + 1, "] ", cells.back()));
    cells.back() = strCat("[", place + 1, "]");
  }
  return table;
}

std::string publishedToJson(const std::vector<PublishedRow>& rows) {
  const auto number = [](const std::optional<double>& value) { return value && std::isfinite(*value) ? Json(*value) : Json(nullptr); };
  Json list = Json::array();
  for (const PublishedRow& row : rows) {
    const auto range = rangeOf(row.value);
    list.push_back({{"configuration", row.configuration}, {"runs", row.ids}, {"measure", written(row.value.measure)}, {"quantity", row.quantity}, {"formula", row.value.formula}, {"value", row.value.value},
                    {"low", number(range ? std::optional(range->low) : std::nullopt)}, {"high", number(range ? std::optional(range->high) : std::nullopt)}, {"ours", number(row.ours)},
                    {"ours_std", row.ours ? Json(row.deviation) : Json(nullptr)}, {"ours_runs", row.runs}, {"ratio", number(row.ours && row.value.value != 0 ? std::optional(*row.ours / row.value.value) : std::nullopt)},
                    {"inside", row.inside == Inside::kYes ? Json(true) : row.inside == Inside::kNo ? Json(false) : Json(nullptr)}, {"verdict", row.insideText}, {"source", row.value.source}, {"differs", row.value.differs}});
  }
  return dumped(list, 2);
}

}  // namespace paceline

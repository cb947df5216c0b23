// What evaluations decide: when a run ends, and on which samples.
#include <cmath>
#include <utility>

#include "engine/core/spec/catalog.h"

namespace paceline {

std::int64_t heldOutOf(const RunSpec& spec, std::int64_t samples) { return std::llround(spec.evaluate.validation * static_cast<double>(samples)); }

std::int64_t trainedCountOf(const RunSpec& spec, const DatasetEntry& entry) {
  const std::int64_t count = trainCountOf(entry, spec.dataset.params);
  return count - heldOutOf(spec, count);
}

void checkDeciding(const RunSpec& spec, const Catalog& catalog, std::vector<Finding>& findings) {
  const StopRules& stop = spec.stop;
  const bool endsAnyway = stop.rounds || stop.seconds || stop.samples, evaluates = spec.learn && spec.evaluate.everyRounds > 0;
  for (const auto& [asked, pointer] : {std::pair(stop.accuracy.has_value(), "/stop/accuracy"), std::pair(stop.patience.has_value(), "/stop/patience")}) {
    if (!asked || evaluates) continue;
    if (!spec.learn) addFinding(findings, {pointer, "Without learning there is no accuracy to stop at."});
    else if (endsAnyway) addFinding(findings, {pointer, "needs evaluations, but evaluate.every_rounds is 0", false});
    else addFinding(findings, {pointer, "needs evaluations, but evaluate.every_rounds is 0: the run would never end"});
  }
  if (spec.evaluate.validation <= 0) return;
  constexpr const char* kAt = "/evaluate/validation";
  if (!evaluates) addFinding(findings, {kAt, "holds samples out for evaluations, and there are none", false});
  const DatasetEntry* dataset = findEntry(catalog.datasets, spec.dataset.id);
  const std::int64_t count = dataset == nullptr ? 0 : trainCountOf(*dataset, spec.dataset.params);
  if (count > 0 && heldOutOf(spec, count) == 0) addFinding(findings, {kAt, strCat(spec.evaluate.validation, " of the ", count, " training samples of data set \"", dataset->id, "\" is less than one of them")});
}

}  // namespace paceline

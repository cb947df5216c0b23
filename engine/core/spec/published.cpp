#include "engine/core/spec/published.h"

#include <cmath>

#include "engine/core/base/error.h"
#include "engine/core/json/fields.h"
#include "engine/core/spec/catalog.h"
#include "engine/core/spec/run_spec_fields.h"
#include "engine/core/spec/schema.h"

namespace paceline {
namespace {

bool isFraction(PublishedMeasure measure) { return measure == PublishedMeasure::kAccuracyLast || measure == PublishedMeasure::kAccuracyBest || measure == PublishedMeasure::kComputingRatio; }
bool isOfScripts(PublishedMeasure measure) { return measure == PublishedMeasure::kThroughput || measure == PublishedMeasure::kTraffic || measure == PublishedMeasure::kComputingRatio; }

// "/batch_size" of "/batch_size/x".
std::string firstOf(const std::string& pointer) { return pointer.substr(0, pointer.find('/', 1)); }

}  // namespace

std::vector<PublishedValue> valuesOf(const Published& published) {
  std::vector<PublishedValue> values = published.values;
  for (PublishedValue& value : values) {
    if (value.source.empty()) value.source = published.source;
    if (value.differs.empty()) value.differs = published.differs;
  }
  return values;
}

std::optional<PublishedRange> rangeOf(const PublishedValue& value) {
  const std::optional<double> half = value.band.absolute ? value.band.absolute : value.band.relative ? std::optional(*value.band.relative * std::abs(value.value)) : std::nullopt;
  return half ? std::optional(PublishedRange{.low = value.value - *half, .high = value.value + *half}) : std::nullopt;
}

void crossCheck(Fields& at, const PublishedBand& band) {
  if (band.absolute && band.relative) at.refuse("relative", strCat("A band is absolute or relative, not both; absolute is ", *band.absolute, ", relative is ", *band.relative, "."));
}

void crossCheck(Fields& at, const PublishedValue& value) {
  if (!at.isObject()) return;
  const std::string measure = wordsOf(value.measure)[static_cast<std::size_t>(value.measure)];
  if (const Json* given = at.find("value"); isFraction(value.measure) && given != nullptr && given->is_number() && !(value.value >= 0 && value.value <= 1))
    at.refuse("value", mustBe("Published value", at.pointer("value"), strCat("a fraction, 0 to 1, where \"measure\" is ", measure), described(*given)));
  if (isSpeedup(value.measure) && value.over.empty()) at.refuse("over", strCat("is required where \"measure\" is ", measure, ": the algorithm that has 1"));
  if (!isSpeedup(value.measure) && !value.over.empty()) at.refuse("over", strCat("Over is of speed-ups; \"measure\" is ", measure, "."));
  if (value.measure != PublishedMeasure::kComputingRatio && !value.node.empty()) at.refuse("node", strCat("Node is of computing_ratio; \"measure\" is ", measure, "."));
  if (value.formula != kPublishedFormulas[0] && !isOfScripts(value.measure)) at.refuse("formula", strCat("The scripts have no formula of their own for ", measure, "; leave \"formula\" out."));
  for (const auto& [pointer, wanted] : value.where.values())
    if (!pointer.starts_with('/') || fieldAt(firstOf(pointer)) == nullptr)
      addFinding(at.findings(), {pointerTo(at.pointer("where"), pointer), strCat("\"", quotable(pointer), "\" leads to no member of a document; write a pointer like /batch_size")});
}

void crossCheck(Fields& at, const Published& published) {
  for (std::size_t i = 0; i < published.values.size(); ++i)
    if (published.source.empty() && published.values[i].source.empty())
      return addFinding(at.findings(), {at.pointer("source"), strCat("is required: the paper, and its table or figure, of value ", i + 1)});
}

void checkPublished(const RunSpec& spec, const Catalog& catalog, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < spec.published.values.size(); ++i) {
    const PublishedValue& value = spec.published.values[i];
    const auto check = [&](const char* key, const std::string& id) {
      if (!id.empty() && findEntry(catalog.algorithms, id) == nullptr) addFinding(findings, {strCat("/published/values/", i, "/", key), unknownId("algorithm", quotable(id), catalog.algorithms)});
    };
    check("algorithm", value.algorithm), check("over", value.over);
    if (const int node = spec.nodeIndex(value.node); !value.node.empty() && (node < 0 || nodeOf(spec, node).role != Role::kWorker))
      addFinding(findings, {strCat("/published/values/", i, "/node"), strCat("worker \"", quotable(value.node), "\" is not in this run"), false});
  }
}

}  // namespace paceline

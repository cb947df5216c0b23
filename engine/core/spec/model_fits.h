// What a document asks of its model: an accuracy to stop at, and number formats that its workers' devices have.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/core/json/fields.h"
#include "engine/core/spec/catalog.h"

namespace paceline {

// A fraction of the test set, above 0; of a model or data of somebody's own (a metric, R^2) any number.
inline void checkScore(const RunSpec& spec, const Catalog& catalog, std::vector<Finding>& findings) {
  constexpr const char* kAt = "/stop/accuracy";
  const double accuracy = spec.stop.accuracy.value_or(1);
  const auto isOwn = [](const CatalogEntry* entry) { return entry == nullptr || std::ranges::any_of(entry->params, &ParamSpec::file); };
  if ((accuracy > 0 && accuracy <= 1) || isOwn(findEntry(catalog.models, spec.model.id)) || isOwn(findEntry(catalog.datasets, spec.dataset.id))) return;
  addFinding(findings, {kAt, mustBe("Accuracy to stop at", kAt, accuracy > 0 ? "at most 1" : "above 0", strCat(accuracy)), true});
}

// Computing in fp16 is for GPUs (nn/precision.h).
inline void checkPrecision(const RunSpec& spec, std::vector<Finding>& findings) {
  const auto* precision = valueOf<std::string>(spec.model.params, "precision");
  if (precision == nullptr || *precision != "fp16" || !spec.learn) return;
  for (const NodeSpec& node : spec.nodes)
    if (node.role == Role::kWorker && node.device == "cpu")
      return addFinding(findings, {"/model/params/precision", strCat("fp16 needs a GPU, and worker \"", node.id, "\" computes on cpu; bf16 works there."), true});
}

}  // namespace paceline

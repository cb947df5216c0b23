// Small steps from a spec's choices to their definitions. Pure functions; throw Error{kSpec}.
#pragma once

#include <string>
#include <vector>

#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
#include "engine/core/spec/params.h"

namespace paceline {

// Defaults written out; the first thing that is off is thrown with its place: `/model/params/init: ...`.
inline Params completed(const std::vector<ParamSpec>& specs, const Params& given, const std::string& pointer) {
  std::vector<Finding> findings;
  Params params = completeParams(specs, given, pointer, findings);
  for (const Finding& finding : findings)
    if (finding.error) throw Error(Errc::kSpec, strCat(finding.pointer, ": ", finding.message));
  return params;
}

template <class Def>
std::string unknownId(const char* kind, const std::string& id, const std::vector<Def>& defs) {
  std::vector<std::string> have;
  for (const Def& def : defs) have.push_back(def.id);
  return strCat(kind, " \"", id, "\" is not known; have ", listed(have));
}

}  // namespace paceline

// A suite: {"base": RunSpec, "vary": {"/algorithm/id": [...], "/seed": [...]}, "skip": [{"/seed": 2}]}: the product of the lists, less what is skipped.
// "$schema" is allowed and means nothing. With "search" (search.h) points are chosen instead of taken all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/spec/run_spec.h"
#include "engine/core/spec/search.h"

namespace paceline {

struct SuitePoint {
  std::string name;  // base name plus the varied values: "demo esync seed 1"
  std::string text;  // the document of this point
  std::vector<std::size_t> position;  // on each axis of the suite
};

struct SuiteAxis {  // a member of "vary"
  std::string key;
  std::vector<std::string> labels;  // of its values
};

struct ParsedSuite {
  bool isSuite = false;             // false: the document is a single run; points then holds just it
  std::string name;                 // of a suite: its base's; "": it has none
  std::vector<SuitePoint> points;   // interleaved: the last "vary" key changes slowest when it is /seed, else document order
  std::vector<SuiteAxis> axes;      // in the document's order; what is in their product and no point is skipped
  std::shared_ptr<const SearchSpace> search;  // null: the points are run. Else they are samples of what may be chosen: one for each value of the lists and each end of a range
  std::vector<Finding> findings;
};

// Accepts a single RunSpec too. A vary entry is a list of values, or of objects {"name": label, "set": {pointer: value, ...}}
// under a key that does not start with "/" (several pointers that change together, as "algorithm": esync with its own rates).
// An entry of "skip" names values by key (those of settings by their label) and leaves out all points that have them all.
ParsedSuite parseSuite(std::string_view text);

// `--set /pointer=value`: value is JSON, or a plain string where it is not. Throws Error{kSpec}.
std::string withOverride(std::string_view text, std::string_view assignment);

}  // namespace paceline

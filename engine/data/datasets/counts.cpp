#include "engine/data/datasets/counts.h"

#include "engine/core/base/error.h"

namespace paceline::datasets {

ParamSpec anyCountParam() { return booleanParam("any_count", false, "Take files with another number of images than the published ones have: a subset made on purpose."); }

void requireCounts(const DatasetDef& def, const std::string& source, const Dataset& data, const Params& params) {
  if (params.boolean("any_count")) return;
  const auto require = [&](const char* split, std::size_t found, std::int64_t published) {
    if (static_cast<std::int64_t>(found) != published)
      throw Error(Errc::kData, strCat("dataset \"", def.id, "\": ", source, " has ", found, " images to ", split, ", the published set has ", published,
                                      "; get it again, or set /dataset/params/any_count to true for a subset"));
  };
  require("train", data.train.count(), def.trainCount);
  require("test", data.test.count(), def.testCount);
}

}  // namespace paceline::datasets

#include "engine/runtime/schedule.h"

#include <cmath>

#include "engine/core/error.h"

namespace paceline {

const std::vector<CatalogEntry>& schedules() {
  static const std::vector<CatalogEntry> all = {
      {.id = "constant", .title = "Constant", .summary = "The rates stay as they are.", .reference = "", .params = {}},
      {.id = "step",
       .title = "Step",
       .summary = "The rates are multiplied by a factor every so many rounds.",
       .reference = "",
       .params = {integerParam("every_rounds", 100, 1, 1e15, "Rounds between two changes."),
                  realParam("factor", 0.1, 0, 1, "What the rates are multiplied by.")}},
  };
  return all;
}

double scheduleFactor(const Choice& schedule, std::int64_t round) {
  if (schedule.id == "constant") return 1;
  if (schedule.id != "step")
    throw Error(Errc::kSpec, strCat("learning_rate_schedule \"", schedule.id, "\" is not known; have constant, step"));
  return std::pow(schedule.params.real("factor"), static_cast<double>((round - 1) / schedule.params.integer("every_rounds")));
}

}  // namespace paceline

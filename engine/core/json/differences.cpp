#include "engine/core/json/differences.h"

#include <algorithm>
#include <set>

#include "engine/core/json/json_text.h"

namespace paceline {

std::vector<Difference> differences(const std::vector<std::string>& documents) {
  std::vector<Json> flat;
  std::set<std::string> pointers;
  for (const std::string& document : documents) {
    const Json json = jsonOrNull(document);
    flat.push_back(json.is_structured() ? json.flatten() : Json::object());
    for (const auto& [pointer, value] : flat.back().items()) pointers.insert(pointer);
  }
  std::vector<Difference> found;
  for (const std::string& pointer : pointers) {
    Difference difference{.pointer = pointer, .values = {}};
    for (const Json& each : flat) difference.values.push_back(each.contains(pointer) ? each.at(pointer).dump() : "");
    if (!std::ranges::all_of(difference.values, [&](const std::string& value) { return value == difference.values.front(); })) found.push_back(std::move(difference));
  }
  return found;
}

}  // namespace paceline

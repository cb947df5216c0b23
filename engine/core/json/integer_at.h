// Whole numbers of JSON that other programs wrote. nlohmann takes any number for one, also a fraction and one for which there is no room.
#pragma once

#include <cstdint>

#include <nlohmann/json.hpp>

#include "engine/core/base/error.h"

namespace paceline {

// Throws nlohmann's exceptions, as Json::at() and Json::get() do.
inline std::int64_t integerAt(const nlohmann::json& json, const char* key) {
  const nlohmann::json& value = json.at(key);
  if (!value.is_number_integer()) throw nlohmann::json::type_error::create(302, strCat(key, " must be an integer, but is ", value.type_name()), &value);
  return value.get<std::int64_t>();
}

}  // namespace paceline

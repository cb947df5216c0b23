// JSON text from strangers: parsed with a depth limit, repeated keys refused, mistakes told with line and column. Never throws.
// For readers of our own documents.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
#include "engine/core/json/finding.h"

namespace paceline {

// Numbers that survive JSON: non-finite ones as the strings "NaN", "Infinity", "-Infinity".
using Json = nlohmann::json;

inline Json jsonNumber(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

inline std::optional<double> numberFromJson(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (value == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (value == "Infinity") return std::numeric_limits<double>::infinity();
  if (value == "-Infinity") return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

using OrderedJson = nlohmann::ordered_json;

constexpr std::size_t kMaxJsonDepth = 64;

// nullopt: one finding says why.
std::optional<Json> parseJson(std::string_view text, std::vector<Finding>& findings);
std::optional<OrderedJson> parseOrderedJson(std::string_view text, std::vector<Finding>& findings);  // keeps the order of keys

// A value for a message: `"text"`, `12`, `an array`.
template <class J>
std::string described(const J& value) {
  if (value.is_string()) return strCat("\"", quotable(value.template get_ref<const std::string&>()), "\"");
  if (value.is_array()) return "an array";
  if (value.is_object()) return "an object";
  return value.dump();
}

// One line of JSON or, with an indent, many; text that is no UTF-8 is mended, never thrown at.
template <class J>
std::string dumped(const J& value, int indent = -1) { return value.dump(indent, ' ', false, J::error_handler_t::replace); }

}  // namespace paceline

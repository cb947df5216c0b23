// The one reader of JSON text, whoever wrote it: files, lines of other programs, requests, columns of a store. Bounded in bytes and depth while it
// reads, so that no deep value ever exists (copying and writing one recurse); repeated keys are refused, mistakes told with line and column. Work
// and memory are linear in the text. Nobody else calls nlohmann's parsers (tests/layers). Any thread.
#pragma once

#include <cmath>
#include <cstdio>
#include <exception>
#include <functional>
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

// 64.0 as 64: whole numbers look alike however they were written.
inline Json plainNumber(double value) {
  return std::floor(value) == value && std::abs(value) < 9e15 ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

using OrderedJson = nlohmann::ordered_json;

constexpr std::size_t kMaxJsonDepth = 64;
constexpr std::size_t kMaxJsonBytes = kMaxTextBytes;  // of a text that comes with no bound of its own

// nullopt: one finding says why. Never throws for bad text.
std::optional<Json> parseJson(std::string_view text, std::vector<Finding>& findings, std::size_t maxBytes = kMaxJsonBytes);
std::optional<OrderedJson> parseOrderedJson(std::string_view text, std::vector<Finding>& findings, std::size_t maxBytes = kMaxJsonBytes);  // keeps the order of keys

// Of a source that has a name for messages: throws Error{kFormat} "figure.json: is not JSON: line 3, column 7: ',' or '}' is expected, not a number".
Json jsonFrom(std::string_view text, std::string_view source, std::size_t maxBytes = kMaxJsonBytes);
OrderedJson orderedJsonFrom(std::string_view text, std::string_view source, std::size_t maxBytes = kMaxJsonBytes);

// Who takes a file apart that is larger than memory: a document, or a list of documents, that has long lists itself.
struct JsonParts {
  // Of the elements (objects) of a list in `document`, which has what came before in the file; true: taken, and not kept in the list.
  std::function<bool(const OrderedJson& document, const std::string& list, OrderedJson&& element)> element;
  std::function<void(const OrderedJson& document)> document;  // at the end of each; those that are no objects come last
};
// false: one finding says why. What is kept at a time is bounded by maxBytes, and so is each text. Throws Error{kFile} "<path>: cannot be read: ...", and what the parts' takers throw.
bool readJsonParts(const std::string& path, const JsonParts& parts, std::vector<Finding>& findings, std::size_t maxBytes = kMaxJsonBytes);

// null for what is no JSON: for readers that pass over such a text, or refuse it in words of their own.
Json jsonOrNull(std::string_view text);

// What an exception says; one of nlohmann's, about a value that is not as it was asked for, without its tag: "type must be string, but is number".
inline std::string reasonOf(const std::exception& error) {
  const std::string_view what = error.what();
  return std::string(what.substr(what.starts_with("[json.exception.") ? what.find("] ") + 2 : 0));
}

// A value for a message: `"text"`, `12`, `an array`.
template <class J>
std::string described(const J& value) {
  if (value.is_string()) return strCat("\"", quotable(value.template get_ref<const std::string&>()), "\"");
  if (value.is_array()) return "an array";
  if (value.is_object()) return "an object";
  return value.is_number_float() ? plainNumber(value.template get<double>()).dump() : value.dump();
}

// One line of JSON or, with an indent, many; text that is no UTF-8 is mended, never thrown at.
template <class J>
std::string dumped(const J& value, int indent = -1) { return value.dump(indent, ' ', false, J::error_handler_t::replace); }

}  // namespace paceline

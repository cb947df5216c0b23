#include "engine/core/json/fields.h"

#include <algorithm>
#include <cmath>

#include "engine/core/base/error.h"

namespace paceline {
namespace {

const Json kEmptyArray = Json::array();

// Whole numbers may be written as 64.0.
std::optional<std::int64_t> wholeNumber(const Json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return std::nullopt;
    return static_cast<std::int64_t>(number);
  }
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (!value.is_number_float()) return std::nullopt;
  const double number = value.get<double>();
  if (std::floor(number) != number || std::abs(number) > 9e15) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

std::nullopt_t refused(const std::string& wanted, const Json& value, const std::string& pointer, std::vector<Finding>& findings) {
  findings.push_back({pointer, strCat("must be ", wanted, ", got ", described(value))});
  return std::nullopt;
}

}  // namespace

Fields::Fields(const Json& value, std::string pointer, std::vector<Finding>& findings)
    : pointer_(std::move(pointer)), findings_(&findings) {
  if (value.is_object()) object_ = &value;
  else findings.push_back({pointer_, strCat("must be an object, got ", described(value))});
}

const Json* Fields::find(std::string_view name) {
  if (std::find(known_.begin(), known_.end(), name) == known_.end()) known_.emplace_back(name);
  if (object_ == nullptr) return nullptr;
  const auto found = object_->find(std::string(name));
  return found == object_->end() ? nullptr : &*found;
}

const Json* Fields::require(std::string_view name) {
  const Json* value = find(name);
  if (value == nullptr && object_ != nullptr) refuse(name, "is required");
  return value;
}

Fields Fields::object(std::string_view name) {
  const Json* value = find(name);
  return value == nullptr ? Fields(pointer(name), *findings_) : Fields(*value, pointer(name), *findings_);
}

Fields Fields::requiredObject(std::string_view name) {
  require(name);
  return object(name);
}

const Json& Fields::array(std::string_view name) {
  const Json* value = find(name);
  if (value == nullptr) return kEmptyArray;
  if (value->is_array()) return *value;
  refuse(name, strCat("must be an array, got ", described(*value)));
  return kEmptyArray;
}

std::vector<std::string> Fields::texts(std::string_view name) {
  std::vector<std::string> items;
  const Json& values = array(name);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (auto text = fields::toText(values[i], pointerTo(pointer(name), i), *findings_)) items.push_back(std::move(*text));
  return items;
}

void Fields::refuseUnknown() {
  if (object_ == nullptr) return;
  for (const auto& [key, value] : object_->items()) {
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    refuse(key, strCat("unknown key; have ", listed(known_)));
  }
}

void Fields::refuse(std::string_view name, std::string message) { findings_->push_back({pointer(name), std::move(message)}); }

namespace fields {

std::optional<bool> toBool(const Json& value, const std::string& pointer, std::vector<Finding>& findings) {
  if (value.is_boolean()) return value.get<bool>();
  return refused("true or false", value, pointer, findings);
}

std::optional<std::string> toText(const Json& value, const std::string& pointer, std::vector<Finding>& findings) {
  if (value.is_string()) return value.get<std::string>();
  return refused("a text", value, pointer, findings);
}

std::optional<double> toReal(const Json& value, const Bounds& bounds, const std::string& pointer, std::vector<Finding>& findings) {
  if (!value.is_number()) return refused("a number", value, pointer, findings);
  const double number = value.get<double>();
  if (!std::isfinite(number)) return refused("a finite number", value, pointer, findings);
  if (bounds.aboveMin ? !(number > bounds.min) : !(number >= bounds.min))
    return refused(strCat(bounds.aboveMin ? "> " : ">= ", bounds.min), value, pointer, findings);
  if (bounds.belowMax ? !(number < bounds.max) : !(number <= bounds.max))
    return refused(strCat(bounds.belowMax ? "< " : "<= ", bounds.max), value, pointer, findings);
  return number;
}

std::optional<std::int64_t> toInteger(const Json& value, std::int64_t min, std::int64_t max, const std::string& pointer,
                                      std::vector<Finding>& findings) {
  const std::optional<std::int64_t> number = wholeNumber(value);
  const bool tooLarge = number ? *number > max : value.is_number() && value > max;
  if (tooLarge) return refused(strCat("<= ", max), value, pointer, findings);
  if (!number) return refused("a whole number", value, pointer, findings);
  if (*number < min) return refused(strCat(">= ", min), value, pointer, findings);
  return number;
}

std::optional<std::uint64_t> toUnsigned(const Json& value, const std::string& pointer, std::vector<Finding>& findings) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  const auto number = toInteger(value, 0, std::numeric_limits<std::int64_t>::max(), pointer, findings);
  return number ? std::optional(static_cast<std::uint64_t>(*number)) : std::nullopt;
}

}  // namespace fields

std::string alternatives(std::span<const char* const> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) text += strCat(i == 0 ? "" : i + 1 == words.size() ? " or " : ", ", words[i]);
  return text;
}

bool ValueReader::refuse(const std::string& at, std::string message) {
  findings_.push_back({at, std::move(message)});
  return false;
}

bool ValueReader::readText(const Json& json, const std::string& at, std::string& into) {
  std::size_t index = 0;
  if (!field_.choices.empty()) return readWord(json, at, field_.choices, index) && (into = field_.choices[index], true);
  auto text = fields::toText(json, at, findings_);
  if (text) into = std::move(*text);
  return text.has_value();
}

bool ValueReader::readWord(const Json& json, const std::string& at, std::span<const char* const> words, std::size_t& index) {
  const auto text = fields::toText(json, at, findings_);
  if (!text) return false;
  const auto found = std::find(words.begin(), words.end(), *text);
  if (found == words.end()) return refuse(at, strCat("must be ", alternatives(words), ", got \"", quotable(*text), "\""));
  index = static_cast<std::size_t>(found - words.begin());
  return true;
}

void MemberReader::readVersion(std::string_view key, int number) {
  const Json* version = fields_.find(key);
  if (!fields_.isObject()) return;
  if (version == nullptr) return fields_.refuse(key, strCat("is required and must be ", number));
  if (version->is_number() && *version == number) return;
  const bool newer = version->is_number() && *version > number;
  fields_.refuse(key, strCat("must be ", number, ", the version of the document's form, got ", described(*version), newer ? "; a newer Paceline wrote it" : ""));
}

}  // namespace paceline

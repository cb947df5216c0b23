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

constexpr std::size_t kMostDigits = 9;  // of an item's place

bool isPlace(std::string_view word) { return !word.empty() && word.size() <= kMostDigits && word.find_first_not_of("0123456789") == std::string_view::npos; }

std::string unescaped(std::string_view key) {  // as JSON pointers write it: ~1 is /, ~0 is ~
  std::string plain;
  for (std::size_t i = 0; i < key.size(); ++i) {
    const bool code = key[i] == '~' && i + 1 < key.size();
    plain += code ? (key[++i] == '1' ? '/' : '~') : key[i];
  }
  return plain;
}

// "Batch size", "\"lease_s\"", "Item 2 of tags", "The document"
std::string nameOf(std::string_view label, std::string_view pointer) {
  if (pointer.empty()) return "The document";
  const std::size_t slash = pointer.rfind('/');
  const std::string_view last = pointer.substr(slash + 1);
  if (!isPlace(last)) return label.empty() ? strCat("\"", quotable(unescaped(last)), "\"") : std::string(label);
  std::string list = nameOf(label, pointer.substr(0, slash));
  if (list[0] >= 'A' && list[0] <= 'Z') list[0] = static_cast<char>(list[0] - 'A' + 'a');
  return strCat("Item ", std::stoul(std::string(last)) + 1, " of ", list);
}

struct Place {
  const std::string& pointer;
  std::vector<Finding>& findings;
  std::string_view label;

  std::nullopt_t refuse(const std::string& wanted, const Json& value) const {
    addFinding(findings, {pointer, mustBe(label, pointer, wanted, described(value))});
    return std::nullopt;
  }
};

std::string numberText(double value) { return plainNumber(value).dump(); }

}  // namespace

std::string mustBe(std::string_view label, std::string_view pointer, std::string_view wanted, std::string_view found) {
  return strCat(nameOf(label, pointer), " must be ", wanted, "; it is ", found, ".");
}

Fields::Fields(const Json& value, std::string pointer, std::vector<Finding>& findings)
    : pointer_(std::move(pointer)), findings_(&findings) {
  if (value.is_object()) object_ = &value;
  else addFinding(findings, {pointer_, mustBe("", pointer_, "an object", described(value))});
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
  refuse(name, mustBe("", pointer(name), "an array", described(*value)));
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

void Fields::refuse(std::string_view name, std::string message) { addFinding(*findings_, {pointer(name), std::move(message)}); }

namespace fields {

std::optional<bool> toBool(const Json& value, const std::string& pointer, std::vector<Finding>& findings, std::string_view label) {
  if (value.is_boolean()) return value.get<bool>();
  return Place{pointer, findings, label}.refuse("true or false", value);
}

std::optional<std::string> toText(const Json& value, const std::string& pointer, std::vector<Finding>& findings, std::string_view label) {
  if (value.is_string()) return value.get<std::string>();
  return Place{pointer, findings, label}.refuse("a text", value);
}

std::optional<double> toReal(const Json& value, const Bounds& bounds, const std::string& pointer, std::vector<Finding>& findings, std::string_view label) {
  const Place place{pointer, findings, label};
  if (!value.is_number()) return place.refuse("a number", value);
  const double number = value.get<double>();
  if (!std::isfinite(number)) return place.refuse("a finite number", value);
  if (bounds.aboveMin ? !(number > bounds.min) : !(number >= bounds.min))
    return place.refuse((bounds.aboveMin ? "above " : "at least ") + numberText(bounds.min), value);
  if (bounds.belowMax ? !(number < bounds.max) : !(number <= bounds.max))
    return place.refuse((bounds.belowMax ? "below " : "at most ") + numberText(bounds.max), value);
  return number;
}

std::optional<std::int64_t> toInteger(const Json& value, std::int64_t min, std::int64_t max, const std::string& pointer, std::vector<Finding>& findings,
                                      std::string_view label) {
  const Place place{pointer, findings, label};
  const std::optional<std::int64_t> number = wholeNumber(value);
  const bool tooLarge = number ? *number > max : value.is_number() && value > max;
  if (tooLarge) return place.refuse(strCat("at most ", max), value);
  if (!number) return place.refuse("a whole number", value);
  if (*number < min) return place.refuse(strCat("at least ", min), value);
  return number;
}

std::optional<std::uint64_t> toUnsigned(const Json& value, const std::string& pointer, std::vector<Finding>& findings, std::string_view label) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  const auto number = toInteger(value, 0, std::numeric_limits<std::int64_t>::max(), pointer, findings, label);
  return number ? std::optional(static_cast<std::uint64_t>(*number)) : std::nullopt;
}

}  // namespace fields

std::string alternatives(std::span<const char* const> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) text += strCat(i == 0 ? "" : i + 1 == words.size() ? " or " : ", ", words[i]);
  return text;
}

bool ValueReader::refuse(const std::string& at, std::string message) {
  addFinding(findings_, {at, std::move(message)});
  return false;
}

bool ValueReader::readText(const Json& json, const std::string& at, std::string& into) {
  std::size_t index = 0;
  if (!field_.choices.empty()) return readWord(json, at, field_.choices, index) && (into = field_.choices[index], true);
  auto text = fields::toText(json, at, findings_, field_.label);
  if (text) into = std::move(*text);
  return text.has_value();
}

bool ValueReader::readWord(const Json& json, const std::string& at, std::span<const char* const> words, std::size_t& index) {
  const auto text = fields::toText(json, at, findings_, field_.label);
  if (!text) return false;
  const auto found = std::find(words.begin(), words.end(), *text);
  if (found == words.end()) return refuse(at, mustBe(field_.label, at, alternatives(words), described(json)));
  index = static_cast<std::size_t>(found - words.begin());
  return true;
}

void MemberReader::readVersion(std::string_view key, int number) {
  const Json* version = fields_.find(key);
  if (!fields_.isObject()) return;
  if (version == nullptr) return fields_.refuse(key, strCat("is required and must be ", number));
  if (version->is_number() && *version == number) return;
  const bool newer = version->is_number() && *version > number;
  fields_.refuse(key, strCat(mustBe("", fields_.pointer(key), strCat(number, ", the version of the document's form"), described(*version)), newer ? " A newer Paceline wrote it." : ""));
}

}  // namespace paceline

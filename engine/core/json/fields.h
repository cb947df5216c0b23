// Reads the members of one JSON object; what is missing, unknown, of the wrong type or out of bounds becomes a finding with its
// pointer and the default stays. Never throws for bad input. For readers of our own documents. One thread, lives as long as the document.
//   Fields fields(json, "/nodes/0", findings);
//   node.threads = fields.optional<int>("threads", 1, atLeast(1));
//   fields.refuseUnknown();
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/json/describe.h"
#include "engine/core/json/finding.h"
#include "engine/core/json/json_text.h"

namespace paceline {

// The sentence about a value that is not what it must be, the same in terminal and window: `Momentum must be at most 1; it is 85.`
// label "": the key in quotes. Items of lists are counted from 1: `Item 2 of tags must be a text; it is 7.`
std::string mustBe(std::string_view label, std::string_view pointer, std::string_view wanted, std::string_view found);

namespace fields {  // nullopt: a finding was added
std::optional<bool> toBool(const Json& value, const std::string& pointer, std::vector<Finding>& findings, std::string_view label = {});
std::optional<std::string> toText(const Json& value, const std::string& pointer, std::vector<Finding>& findings, std::string_view label = {});
std::optional<double> toReal(const Json& value, const Bounds& bounds, const std::string& pointer, std::vector<Finding>& findings, std::string_view label = {});
std::optional<std::int64_t> toInteger(const Json& value, std::int64_t min, std::int64_t max, const std::string& pointer, std::vector<Finding>& findings,
                                      std::string_view label = {});
std::optional<std::uint64_t> toUnsigned(const Json& value, const std::string& pointer, std::vector<Finding>& findings, std::string_view label = {});

template <class T>
std::optional<T> to(const Json& value, const Bounds& bounds, const std::string& pointer, std::vector<Finding>& findings, std::string_view label = {}) {
  if constexpr (std::same_as<T, bool>) {
    return toBool(value, pointer, findings, label);
  } else if constexpr (std::same_as<T, std::string>) {
    return toText(value, pointer, findings, label);
  } else if constexpr (std::same_as<T, double>) {
    return toReal(value, bounds, pointer, findings, label);
  } else if constexpr (std::same_as<T, std::uint64_t>) {
    return toUnsigned(value, pointer, findings, label);
  } else {
    static_assert(std::signed_integral<T>);
    const bool bounded = bounds.min > -1e15;  // integer bounds are small whole numbers
    const std::int64_t min = bounded ? static_cast<std::int64_t>(bounds.min) : std::numeric_limits<T>::min();
    const std::int64_t max = bounds.max < 1e15 ? static_cast<std::int64_t>(bounds.max) : std::numeric_limits<T>::max();
    const auto number = toInteger(value, min, max, pointer, findings, label);
    return number ? std::optional<T>(static_cast<T>(*number)) : std::nullopt;
  }
}
}  // namespace fields

class Fields {
 public:
  // A value that is no object is one finding; nothing more is said about its members then.
  Fields(const Json& value, std::string pointer, std::vector<Finding>& findings);

  template <class T>
  T required(std::string_view name, const Bounds& bounds = {}) {
    const Json* value = require(name);
    return value == nullptr ? T{} : read<T>(name, *value, bounds).value_or(T{});
  }
  template <class T>
  T optional(std::string_view name, T fallback, const Bounds& bounds = {}) {
    const Json* value = find(name);
    return value == nullptr ? fallback : read<T>(name, *value, bounds).value_or(fallback);
  }
  Fields object(std::string_view name);          // absent: as {}
  Fields requiredObject(std::string_view name);  // absent: a finding
  const Json& array(std::string_view name);      // absent or no array: []
  const Json* find(std::string_view name);       // nullptr: absent
  const Json* require(std::string_view name);    // nullptr: absent, with a finding
  std::vector<std::string> texts(std::string_view name);

  void refuseUnknown();  // call when all has been asked for
  void refuse(std::string_view name, std::string message);
  std::string pointer(std::string_view name) const { return pointerTo(pointer_, name); }
  std::vector<Finding>& findings() { return *findings_; }
  bool isObject() const { return object_ != nullptr; }

 private:
  Fields(std::string pointer, std::vector<Finding>& findings) : pointer_(std::move(pointer)), findings_(&findings) {}

  template <class T>
  std::optional<T> read(std::string_view name, const Json& value, const Bounds& bounds) {
    return fields::to<T>(value, bounds, pointer(name), *findings_);
  }

  const Json* object_ = nullptr;  // nullptr: silent, everything is absent
  std::string pointer_;
  std::vector<Finding>* findings_;
  std::vector<std::string> known_;
};

// Reads described structs from JSON: what is absent keeps its default; unknown keys, wrong types, values out of bounds become findings with
// their pointers and the default stays. Never throws.
//   readObject(fields, spec);  // fields: the object; refuses unknown keys, then asks crossCheck(fields, spec) where the struct has one
// Types with a form of their own have `bool readJson(const Json&, const std::string& pointer, std::vector<Finding>&, T&)` beside them; false: a
// list leaves the value out.
enum class UnknownKeys { kRefused, kPassedOver };

template <class T>
void readObject(Fields& fields, T& into, UnknownKeys unknown = UnknownKeys::kRefused);

// "a, b or c"
std::string alternatives(std::span<const char* const> words);

class ValueReader {
 public:
  ValueReader(const Field& field, std::vector<Finding>& findings, UnknownKeys unknown) : field_(field), findings_(findings), unknown_(unknown) {}

  template <class T>
  bool read(const Json& json, const std::string& at, T& into) {
    if constexpr (Described<T>) {
      Fields fields(json, at, findings_);
      readObject(fields, into, unknown_);
      return true;
    } else if constexpr (requires { readJson(json, at, findings_, into); }) {
      return readJson(json, at, findings_, into);
    } else if constexpr (Worded<T>) {
      std::size_t index = 0;
      const auto words = wordsOf(into);
      if (!readWord(json, at, words, index)) return false;
      into = static_cast<T>(index);
      return true;
    } else if constexpr (std::same_as<T, std::string>) {
      return readText(json, at, into);
    } else {
      const std::optional<T> number = fields::to<T>(json, field_.bounds, at, findings_, field_.label);
      if (number) into = *number;
      return number.has_value();
    }
  }
  template <class T>
  bool read(const Json& json, const std::string& at, std::optional<T>& into) {
    if (json.is_null()) return into.reset(), true;
    T value{};
    return read(json, at, value) && (into = std::move(value), true);
  }
  template <class T>
  bool read(const Json& json, const std::string& at, std::vector<T>& into) {
    if (!json.is_array()) return refuse(at, mustBe(field_.label, at, "an array", described(json)));
    if (std::is_arithmetic_v<T> || std::same_as<T, std::string>)
      if (json.empty() && field_.bounds.min >= 1) return refuse(at, "must not be empty");
    into.clear();
    for (std::size_t i = 0; i < json.size(); ++i)
      if (T item{}; read(json[i], pointerTo(at, i), item)) into.push_back(std::move(item));
    return true;
  }
  template <class T>
  bool read(const Json& json, const std::string& at, std::map<std::string, T>& into) {
    if (!json.is_object()) return refuse(at, mustBe(field_.label, at, "an object", described(json)));
    into.clear();
    for (const auto& [key, value] : json.items())
      if (T item{}; read(value, pointerTo(at, key), item)) into.emplace(key, std::move(item));
    return true;
  }

 private:
  bool readText(const Json& json, const std::string& at, std::string& into);
  bool readWord(const Json& json, const std::string& at, std::span<const char* const> words, std::size_t& index);
  bool refuse(const std::string& at, std::string message);

  const Field& field_;
  std::vector<Finding>& findings_;
  UnknownKeys unknown_;
};

class MemberReader {
 public:
  MemberReader(Fields& fields, UnknownKeys unknown) : fields_(fields), unknown_(unknown) {}

  template <class T>
  void operator()(const Field& field, T& value) {
    if constexpr (Described<T>) {
      Fields inner = field.required ? fields_.requiredObject(field.key) : fields_.object(field.key);
      readObject(inner, value, unknown_);
    } else if (const Json* json = field.required ? fields_.require(field.key) : fields_.find(field.key)) {
      ValueReader(field, fields_.findings(), unknown_).read(*json, fields_.pointer(field.key), value);
    }
  }
  template <int kNumber>
  void operator()(const Field& field, FormVersion<kNumber>&) { readVersion(field.key, kNumber); }

 private:
  void readVersion(std::string_view key, int number);

  Fields& fields_;
  UnknownKeys unknown_;
};

template <class T>
void readObject(Fields& fields, T& into, UnknownKeys unknown) {
  MemberReader members(fields, unknown);
  describe(members, into);
  if (unknown == UnknownKeys::kRefused) fields.refuseUnknown();
  if constexpr (requires { crossCheck(fields, into); }) crossCheck(fields, into);
}

// A described struct of JSON that another program of ours wrote, perhaps of another version: what it does not know it passes over. Throws Error{kFormat}
// with the first finding, behind `source` where there is one.
template <class T>
T readFrom(const Json& json, std::string_view source = {}) {
  T value;
  std::vector<Finding> findings;
  Fields fields(json, "", findings);
  readObject(fields, value, UnknownKeys::kPassedOver);
  for (const Finding& finding : findings) throw Error(Errc::kFormat, strCat(source, source.empty() ? "" : ": ", finding.pointer, finding.pointer.empty() ? "" : ": ", finding.message));
  return value;
}

}  // namespace paceline

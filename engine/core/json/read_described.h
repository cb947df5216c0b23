// Reads described structs from JSON: what is absent keeps its default; unknown keys, wrong types, values out of bounds become findings with
// their pointers and the default stays. Never throws. For readers of our own documents.
//   readObject(fields, spec);  // fields: the object; refuses unknown keys, then asks crossCheck(fields, spec) where the struct has one
// Types with a form of their own have `bool readJson(const Json&, const std::string& pointer, std::vector<Finding>&, T&)` beside them; false: a
// list leaves the value out.
#pragma once

#include <map>

#include "engine/core/json/fields.h"

namespace paceline {

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
      const std::optional<T> number = fields::to<T>(json, field_.bounds, at, findings_);
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
    if (!json.is_array()) return refuse(at, strCat("must be an array, got ", described(json)));
    if (std::is_arithmetic_v<T> || std::same_as<T, std::string>)
      if (json.empty() && field_.bounds.min >= 1) return refuse(at, "must not be empty");
    into.clear();
    for (std::size_t i = 0; i < json.size(); ++i)
      if (T item{}; read(json[i], pointerTo(at, i), item)) into.push_back(std::move(item));
    return true;
  }
  template <class T>
  bool read(const Json& json, const std::string& at, std::map<std::string, T>& into) {
    if (!json.is_object()) return refuse(at, strCat("must be an object, got ", described(json)));
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
  void operator()(const Field& field, FormVersion<kNumber>&) {
    readVersion(field.key, kNumber);
  }

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

}  // namespace paceline

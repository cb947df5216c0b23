// The JSON Schema (draft-07) of described structs, as reading takes them. Types with a form of their own have `Json schemaOf(const T&)` beside them.
// For writers of our own schemas.
#pragma once

#include <limits>

#include "engine/core/json/write_described.h"

namespace paceline {

template <class T>
Json schemaOfValue(const Field& field, const T& fallback);

void addBounds(Json& schema, const Bounds& bounds);
Json textSchema(std::span<const char* const> choices);
// "Rounds between two evaluations; 0: never"
std::string helpText(const Field& field, const char* zero);
template <class T>
std::string helpText(const Field& field, const T&) {
  return helpText(field, std::is_arithmetic_v<T> ? "0" : "empty");
}

struct MemberSchema {
  template <class T>
  void operator()(const Field& field, const T& fallback) {
    Json schema = schemaOfValue(field, fallback);
    if (!field.help.empty()) schema["description"] = helpText(field, fallback);
    properties[std::string(field.key)] = std::move(schema);
    if (field.required) required.push_back(std::string(field.key));
  }

  Json properties = Json::object();
  Json required = Json::array();
};

template <class T>
struct OneSchema {
  static Json of(const Field& field, const T& fallback) {
    if constexpr (Described<T>) {
      MemberSchema members;
      describe(members, const_cast<T&>(fallback));
      Json schema = {{"type", "object"}, {"properties", std::move(members.properties)}, {"additionalProperties", false}};
      if (!members.required.empty()) schema["required"] = std::move(members.required);
      return schema;
    } else if constexpr (requires { schemaOf(fallback); }) {
      return schemaOf(fallback);
    } else if constexpr (Worded<T>) {
      const auto words = wordsOf(fallback);
      return withDefault(textSchema(words), field, fallback);
    } else if constexpr (std::is_same_v<T, std::string>) {
      return withDefault(textSchema(field.choices), field, fallback);
    } else if constexpr (std::is_same_v<T, bool>) {
      return withDefault({{"type", "boolean"}}, field, fallback);
    } else {
      Bounds bounds = field.bounds;
      if constexpr (std::is_integral_v<T>) {
        if (bounds.min < -1e18) bounds.min = static_cast<double>(std::numeric_limits<T>::min());
        if (sizeof(T) <= sizeof(int) && bounds.max > 1e18) bounds.max = static_cast<double>(std::numeric_limits<T>::max());
      }
      Json schema = {{"type", std::is_integral_v<T> ? "integer" : "number"}};
      addBounds(schema, bounds);
      return withDefault(std::move(schema), field, fallback);
    }
  }
  static Json withDefault(Json schema, const Field& field, const T& fallback) {
    if (!field.required) schema["default"] = written(fallback);
    return schema;
  }
};
template <int kNumber>
struct OneSchema<FormVersion<kNumber>> {
  static Json of(const Field&, const FormVersion<kNumber>&) { return {{"const", kNumber}}; }
};
template <class T>
struct OneSchema<std::optional<T>> {
  static Json of(const Field& field, const std::optional<T>&) {
    Json schema = schemaOfValue(field, T{});
    schema["type"] = Json::array({schema["type"], "null"});
    schema["default"] = nullptr;
    return schema;
  }
};
template <class T>
struct OneSchema<std::vector<T>> {
  static Json of(const Field& field, const std::vector<T>&) {
    Field item = field;
    item.required = true;  // an item has no default
    Json schema = {{"type", "array"}, {"items", schemaOfValue(item, T{})}};
    if (field.bounds.min >= 1 && std::is_same_v<T, std::string>) schema["minItems"] = 1;
    return schema;
  }
};

template <class T>
Json schemaOfValue(const Field& field, const T& fallback) {
  return OneSchema<T>::of(field, fallback);
}

}  // namespace paceline

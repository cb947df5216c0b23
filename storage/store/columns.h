// Columns of a described type, and its values to and from them. Private to storage and its tests.
#pragma once

#include <string>
#include <vector>

#include "engine/core/json/describe.h"
#include "storage/store/run_state.h"
#include "storage/store/sqlite.h"

namespace paceline::store {

struct Column {
  std::string name;
  const char* type;      // as in CREATE TABLE
  bool notNull = true;
  bool operator==(const Column& other) const { return name == other.name && std::string_view(type) == other.type && notNull == other.notNull; }
};

template <class Value>
constexpr const char* columnType() {
  if (std::same_as<Value, double> || std::same_as<Value, std::optional<double>>) return "REAL";
  return std::integral<Value> ? "INTEGER" : "TEXT";  // texts; a state by its name, a list as a JSON array
}

template <class T>
std::vector<Column> columnsOf() {
  std::vector<Column> found;
  const T fresh{};
  describe([&]<class Value>(const Field& field, const Value&) {
    found.push_back({std::string(field.key), columnType<Value>(), !std::same_as<Value, std::optional<double>>});
  }, fresh);
  return found;
}

std::string namesOf(const std::vector<Column>& columns, const char* before = "");  // "a, b, c"
std::string placesFor(std::size_t values);  // "?, ?, ?"

template <class T>
void bindColumns(Statement& statement, const T& value) {
  describe([&](const Field&, const auto& member) { statement.bindNext(member); }, value);
}

template <class T>
void readColumns(Statement& statement, T& value) {
  describe([&](const Field&, auto& member) { statement.read(member); }, value);
}

}  // namespace paceline::store

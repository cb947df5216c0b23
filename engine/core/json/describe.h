// One description a struct. `describe(visit, value)`, found beside the struct by its type, calls visit(Field{...}, value.member) once for every
// member, in the order in which it is written. Everything that knows the struct's fields is a visitor over that: JSON both ways, findings with
// pointers, the canonical hash, SQL columns and bindings, CSV headers, the JSON Schema, the form's labels and help. Header-only, any thread.
#pragma once

#include <limits>
#include <string_view>

namespace paceline {

struct Bounds {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool aboveMin = false;  // min itself is not allowed
  bool belowMax = false;
};
inline constexpr Bounds atLeast(double min) { return {.min = min}; }
inline constexpr Bounds above(double min) { return {.min = min, .aboveMin = true}; }

// What is said once about a member. The default is the value that a fresh T{} has.
struct Field {
  std::string_view key;     // as in JSON, SQL and CSV: lower_snake_case with the unit's suffix; never changes once released
  std::string_view help{};  // one sentence
  std::string_view unit{};  // "s", "bytes", "Mbit/s", "" ...
  Bounds bounds{};          // numbers only
  std::string_view zero{};  // what 0, "" or an absent value means, where that is not obvious
};

}  // namespace paceline

// One description a struct. `describe(visit, value)`, found beside the struct by its type, calls visit(Field{...}, value.member) once for every
// member, in the order in which it is written. Everything that knows the struct's fields is a visitor over that: JSON both ways, findings with
// pointers, the canonical hash, SQL columns and bindings, CSV headers, the JSON Schema, the form's labels and help. Header-only, any thread.
#pragma once

#include <concepts>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

namespace paceline {

struct Bounds {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool aboveMin = false;  // min itself is not allowed
  bool belowMax = false;
};
inline constexpr Bounds atLeast(double min) { return {.min = min}; }
inline constexpr Bounds above(double min) { return {.min = min, .aboveMin = true}; }

// Whether a member belongs to the canonical form of a document, which is hashed. kUnlessDefault: members that are younger than the first form,
// so that hashes of older documents stay.
enum class InHash { kAlways, kUnlessDefault, kNever };

// What is said once about a member. The default is the value that a fresh T{} has.
struct Field {
  std::string_view key;     // as in JSON, SQL and CSV: lower_snake_case with the unit's suffix; never changes once released
  std::string_view help{};  // one sentence
  std::string_view unit{};  // "s", "bytes", "Mbit/s", "" ...
  Bounds bounds{};          // of numbers; of lists: min 1 means that the innermost one must not be empty
  std::string_view zero{};  // what 0, "" or an absent value means, where that is not obvious
  std::span<const char* const> choices{};  // texts only: what may stand there
  bool required = false;                   // a finding where it is absent
  bool brief = false;                      // JSON leaves it out at its default
  InHash hash = InHash::kAlways;
  int since = 0;  // records: the migration that brought it; lines, bundles and stores from before have the default. 0: always there
};

// The number of a document's form, in the place of a member: JSON must have exactly this one.
template <int kNumber>
struct FormVersion {};

// Members of the struct that JSON keeps in an object of their own: visit(Field{.key = "checkpoint"}, section) with
// Section section{[&](auto& inner) { inner(Field{...}, spec.checkpointEveryRounds); }};
template <class Members>
struct Section {
  Members members;
};
template <class Visit, class Members>
void describe(Visit& visit, Section<Members>& section) {
  section.members(visit);
}

struct NoVisit {
  template <class T>
  void operator()(const Field&, T&) const {}
};
template <class T>
concept Described = requires(NoVisit& visit, T& value) { describe(visit, value); };

// A described enum has its words in the order of its values: `constexpr std::array<const char*, 3> wordsOf(Role)` beside it.
template <class T>
concept Worded = requires(T value) { wordsOf(value).size(); };

// One description serves readers and writers: template <class Visit, Of<Node> T> void describe(Visit&& visit, T& node).
template <class T, class Struct>
concept Of = std::same_as<std::remove_const_t<T>, Struct>;

}  // namespace paceline

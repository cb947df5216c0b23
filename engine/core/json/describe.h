// One description a struct. `describe(visit, value)`, found beside the struct by its type, calls visit(Field{...}, value.member) once for every
// member, in the order in which it is written. Everything that knows the struct's fields is a visitor over that: JSON both ways, findings with
// pointers, the canonical hash, SQL columns and bindings, CSV headers, the JSON Schema, the form's labels and help. Header-only, any thread.
#pragma once

#include <concepts>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "engine/core/json/json_text.h"

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
  std::string_view label{};  // what forms and messages call it: "Batch size"; "": messages quote the key
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
template <class Members>
Section(Members) -> Section<Members>;  // clang 14 deduces no aggregates
template <class Visit, class Members>
void describe(Visit& visit, Section<Members>& section) { section.members(visit); }

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

// Writes described structs as JSON: every member, in the order of its keys; those that are `brief` only where they differ from their default.
// Types with a form of their own have `Json toJson(const T&)` beside them.
// kCanonical: what is hashed (Field::hash says which members).
enum class JsonForm { kDocument, kCanonical };

template <class T>
Json written(const T& value, JsonForm form = JsonForm::kDocument);

// Writes members; collects the keys that go where they are at their default.
class MemberWriter {
 public:
  explicit MemberWriter(JsonForm form) : form_(form) {}

  template <class T>
  void operator()(const Field& field, const T& value) {
    if (form_ == JsonForm::kCanonical && field.hash == InHash::kNever) return;
    const std::string key(field.key);
    json[key] = written(value, form_);
    if (field.brief || (form_ == JsonForm::kCanonical && field.hash == InHash::kUnlessDefault)) unlessDefault.push_back(key);
  }

  Json json = Json::object();
  std::vector<std::string> unlessDefault;

 private:
  JsonForm form_;
};

template <class T>
struct OneForm {  // how a value of this type is written
  static Json write(const T& value, JsonForm form) {
    if constexpr (Described<T>) {
      MemberWriter members(form);
      describe(members, const_cast<T&>(value));  // a description is one for readers and writers; this one only reads
      if constexpr (std::is_default_constructible_v<T>) {
        if (!members.unlessDefault.empty()) {
          T fresh{};
          MemberWriter defaults(form);
          describe(defaults, fresh);
          for (const std::string& key : members.unlessDefault)
            if (members.json[key] == defaults.json[key]) members.json.erase(key);
        }
      }
      return std::move(members.json);
    } else if constexpr (requires { toJson(value); }) {
      return toJson(value);
    } else if constexpr (std::is_floating_point_v<T>) {
      return jsonNumber(value);
    } else if constexpr (Worded<T>) {
      return wordsOf(value)[static_cast<std::size_t>(value)];
    } else {
      return value;
    }
  }
};
template <int kNumber>
struct OneForm<FormVersion<kNumber>> {
  static Json write(const FormVersion<kNumber>&, JsonForm) { return kNumber; }
};
template <class T>
struct OneForm<std::optional<T>> {
  static Json write(const std::optional<T>& value, JsonForm form) { return value ? written(*value, form) : Json(nullptr); }
};
template <class T>
struct OneForm<std::vector<T>> {
  static Json write(const std::vector<T>& values, JsonForm form) {
    Json list = Json::array();
    for (const T& value : values) list.push_back(written(value, form));
    return list;
  }
};

template <class... T>
struct OneForm<std::variant<T...>> {
  static Json write(const std::variant<T...>& value, JsonForm form) {
    return std::visit([form](const auto& held) { return written(held, form); }, value);
  }
};

template <class T>
Json written(const T& value, JsonForm form) { return OneForm<T>::write(value, form); }

}  // namespace paceline

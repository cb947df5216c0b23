// Writes described structs as JSON: every member, in the order of its keys; those that are `brief` only where they differ from their default.
// Types with a form of their own have `Json toJson(const T&)` beside them. For writers of our own documents.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/json/describe.h"
#include "engine/core/json/json_text.h"

namespace paceline {

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
Json written(const T& value, JsonForm form) {
  return OneForm<T>::write(value, form);
}

}  // namespace paceline

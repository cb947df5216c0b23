#include "engine/core/spec/field_info.h"

#include <cmath>

#include "engine/core/base/error.h"
#include "engine/core/json/schema_described.h"
#include "engine/core/spec/run_spec_fields.h"
#include "engine/core/spec/run_spec_json.h"

namespace paceline {
namespace {

std::string boundsText(const Bounds& bounds) {
  const bool low = std::isfinite(bounds.min), high = std::isfinite(bounds.max);
  if (low && high) return strCat(bounds.aboveMin ? "above " : "", bounds.min, bounds.belowMax ? " to below " : " to ", bounds.max);
  if (low) return strCat(bounds.aboveMin ? "above " : "at least ", bounds.min);
  return high ? strCat(bounds.belowMax ? "below " : "at most ", bounds.max) : "";
}

class Lister {
 public:
  Lister(std::vector<FieldInfo>& all, std::string place) : all_(all), place_(std::move(place)) {}

  template <class T>
  void operator()(const Field& field, T& value) {
    const std::string pointer = pointerTo(place_, std::string(field.key));
    FieldInfo info{.pointer = pointer, .help = helpText(field, value), .unit = std::string(field.unit), .limits = ""};
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
      const std::string bounds = boundsText(field.bounds);
      info.limits = strCat(bounds, bounds.empty() ? "" : ", ", "default ", value);
    } else if constexpr (std::is_same_v<T, std::optional<double>> || std::is_same_v<T, std::optional<std::int64_t>>) {
      info.limits = boundsText(field.bounds);
    }
    all_.push_back(std::move(info));
    if constexpr (Described<T>) {
      Lister members(all_, pointer);
      describe(members, value);
    } else if constexpr (std::is_same_v<T, std::vector<NodeSpec>>) {
      NodeSpec node;
      Lister members(all_, pointer + "/0");
      describe(members, node);
    }
  }

 private:
  std::vector<FieldInfo>& all_;
  std::string place_;
};

std::string sentence(std::string text) {
  if (text.empty()) return text;
  if (text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text + ".";
}

}  // namespace

const std::vector<FieldInfo>& runSpecFields() {
  static const std::vector<FieldInfo> fields = [] {
    std::vector<FieldInfo> made;
    RunSpec fresh;
    Lister members(made, "");
    describe(members, fresh);
    return made;
  }();
  return fields;
}

const FieldInfo* fieldAt(std::string_view pointer) {
  std::string general;
  for (const char c : pointer)
    if (c < '0' || c > '9') general += c;
    else if (general.ends_with('/')) general += '0';
  for (const FieldInfo& field : runSpecFields())
    if (field.pointer == general) return &field;
  return nullptr;
}

std::string fieldHelp(std::string_view pointer) {
  const FieldInfo* field = fieldAt(pointer);
  if (field == nullptr) return "";
  return field->limits.empty() ? field->help : strCat(sentence(field->help), " ", sentence(field->limits));
}

}  // namespace paceline

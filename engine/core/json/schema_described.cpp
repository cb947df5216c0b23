#include "engine/core/json/schema_described.h"

#include <cmath>

namespace paceline {
namespace {

Json numberOf(double bound) { return std::floor(bound) == bound && std::abs(bound) < 9e15 ? Json(static_cast<std::int64_t>(bound)) : Json(bound); }

}  // namespace

void addBounds(Json& schema, const Bounds& bounds) {
  if (std::isfinite(bounds.min)) schema[bounds.aboveMin ? "exclusiveMinimum" : "minimum"] = numberOf(bounds.min);
  if (std::isfinite(bounds.max)) schema[bounds.belowMax ? "exclusiveMaximum" : "maximum"] = numberOf(bounds.max);
}

Json textSchema(std::span<const char* const> choices) {
  Json schema = {{"type", "string"}};
  for (const char* choice : choices) schema["enum"].push_back(choice);
  return schema;
}

std::string helpText(const Field& field, const char* zero) {
  std::string text(field.help);
  if (!field.zero.empty()) text.append(text.empty() ? "" : "; ").append(zero).append(": ").append(field.zero);
  return text;
}

}  // namespace paceline

#include "engine/core/spec/params.h"

#include <algorithm>
#include <cmath>

#include "engine/core/base/error.h"
#include "engine/core/base/text.h"

namespace paceline {
namespace {

template <class T>
const T& typed(const std::map<std::string, ParamValue>& values, std::string_view name) {
  const auto found = values.find(std::string(name));
  PACELINE_CHECK(found != values.end(), strCat("parameter \"", name, "\" was not completed"));
  const T* value = std::get_if<T>(&found->second);
  PACELINE_CHECK(value != nullptr, strCat("parameter \"", name, "\" has another type"));
  return *value;
}

struct Shown {  // a value for a message
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(const std::string& value) const { return strCat("\"", quotable(value), "\""); }
  template <class T>
  std::string operator()(const T& value) const {
    return strCat(value);
  }
};

bool inBounds(const ParamSpec& spec, const ParamValue& value, const std::string& pointer, std::vector<Finding>& findings) {
  double number = 0;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) number = static_cast<double>(*integer);
  else if (const double* real = std::get_if<double>(&value)) number = *real;
  else return true;
  if (spec.min && !(number >= *spec.min)) {
    findings.push_back({pointer, strCat("must be >= ", *spec.min, ", got ", number)});
    return false;
  }
  if (spec.max && !(number <= *spec.max)) {
    findings.push_back({pointer, strCat("must be <= ", *spec.max, ", got ", number)});
    return false;
  }
  return true;
}

}  // namespace

std::optional<ParamValue> converted(const ParamSpec& spec, const ParamValue& given, const std::string& pointer, std::vector<Finding>& findings) {
  auto refuse = [&](const char* wanted) {
    findings.push_back({pointer, strCat("must be ", wanted, ", got ", std::visit(Shown{}, given))});
    return std::optional<ParamValue>();
  };
  switch (spec.type) {
    case ParamType::kBoolean:
      return std::holds_alternative<bool>(given) ? std::optional(given) : refuse("true or false");
    case ParamType::kInteger:
      if (std::holds_alternative<std::int64_t>(given)) return given;
      if (const double* real = std::get_if<double>(&given); real != nullptr && std::floor(*real) == *real && std::abs(*real) < 9e15)
        return ParamValue(static_cast<std::int64_t>(*real));
      return refuse("a whole number");
    case ParamType::kReal:
      if (const auto* integer = std::get_if<std::int64_t>(&given)) return ParamValue(static_cast<double>(*integer));
      return std::holds_alternative<double>(given) ? std::optional(given) : refuse("a number");
    case ParamType::kText:
      return std::holds_alternative<std::string>(given) ? std::optional(given) : refuse("a text");
    case ParamType::kChoice: {
      const std::string* text = std::get_if<std::string>(&given);
      if (text == nullptr) return refuse("a text");
      for (const std::string& choice : spec.choices)
        if (choice == *text) return given;
      findings.push_back({pointer, strCat("\"", quotable(*text), "\" is not known; have ", listed(spec.choices))});
      return std::nullopt;
    }
  }
  return std::nullopt;
}

bool ParamCase::holds(const Params& params) const {
  const std::string* value = valueOf<std::string>(params, param);
  return value != nullptr && std::find(values.begin(), values.end(), *value) != values.end();
}

double Params::real(std::string_view name) const {
  const auto found = values_.find(std::string(name));
  PACELINE_CHECK(found != values_.end(), strCat("parameter \"", name, "\" was not completed"));
  if (const auto* integer = std::get_if<std::int64_t>(&found->second)) return static_cast<double>(*integer);
  return typed<double>(values_, name);
}
std::int64_t Params::integer(std::string_view name) const { return typed<std::int64_t>(values_, name); }
bool Params::boolean(std::string_view name) const { return typed<bool>(values_, name); }
const std::string& Params::text(std::string_view name) const { return typed<std::string>(values_, name); }

Params completeParams(const std::vector<ParamSpec>& specs, const Params& given, const std::string& pointer, std::vector<Finding>& findings) {
  Params complete;
  std::vector<std::string> names;
  for (const ParamSpec& spec : specs) {
    names.push_back(spec.name);
    complete.set(spec.name, spec.fallback);
    const auto found = given.values().find(spec.name);
    if (found == given.values().end()) continue;
    const std::string at = pointerTo(pointer, spec.name);
    const auto value = converted(spec, found->second, at, findings);
    if (value && inBounds(spec, *value, at, findings)) complete.set(spec.name, *value);
  }
  for (const auto& [name, value] : given.values())
    if (!complete.has(name))
      findings.push_back({pointerTo(pointer, name),
                          names.empty() ? "unknown parameter; it takes none" : strCat("unknown parameter; have ", listed(names))});
  return complete;
}

ParamSpec realParam(std::string name, double fallback, std::optional<double> min, std::optional<double> max, std::string help, std::string unit) {
  return {std::move(name), ParamType::kReal, fallback, min, max, {}, std::move(help), std::move(unit)};
}
ParamSpec integerParam(std::string name, std::int64_t fallback, std::optional<double> min, std::optional<double> max, std::string help) {
  return {std::move(name), ParamType::kInteger, fallback, min, max, {}, std::move(help), ""};
}
ParamSpec booleanParam(std::string name, bool fallback, std::string help) {
  return {std::move(name), ParamType::kBoolean, fallback, {}, {}, {}, std::move(help), ""};
}
ParamSpec choiceParam(std::string name, std::string fallback, std::vector<std::string> choices, std::string help) {
  return {std::move(name), ParamType::kChoice, std::move(fallback), {}, {}, std::move(choices), std::move(help), ""};
}
ParamSpec textParam(std::string name, std::string fallback, std::string help) {
  return {std::move(name), ParamType::kText, std::move(fallback), {}, {}, {}, std::move(help), ""};
}

ParamSpec limited(ParamSpec param, Limit atMost) {
  param.atMost = atMost;
  return param;
}

}  // namespace paceline

#include "engine/core/spec/params.h"

#include <algorithm>
#include <limits>

#include "engine/core/json/fields.h"
#include "engine/core/json/describe.h"

namespace paceline {
namespace {

template <class T>
const T& typed(const Params& params, std::string_view name) {
  PACELINE_CHECK(params.has(name), strCat("parameter \"", name, "\" was not completed"));
  const T* value = valueOf<T>(params, name);
  PACELINE_CHECK(value != nullptr, strCat("parameter \"", name, "\" has another type"));
  return *value;
}

}  // namespace

std::string labelOf(const ParamSpec& param) {
  std::string words = param.label.empty() ? param.name : param.label;
  std::replace(words.begin(), words.end(), '_', ' ');
  if (!words.empty() && words[0] >= 'a' && words[0] <= 'z') words[0] = static_cast<char>(words[0] - 'a' + 'A');
  return words;
}

std::string labelOf(const ParamSpec& param, const std::string& choice) {
  const auto at = static_cast<std::size_t>(std::find(param.choices.begin(), param.choices.end(), choice) - param.choices.begin());
  std::string words = at < param.choiceLabels.size() ? param.choiceLabels[at] : choice;
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

const std::string& partOf(const ParamSpec& param) { return param.part.empty() ? param.name : param.part; }

std::optional<ParamValue> converted(const ParamSpec& spec, const ParamValue& given, const std::string& pointer, std::vector<Finding>& findings) {
  using Whole = std::numeric_limits<std::int64_t>;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double* real = std::get_if<double>(&given);
  const Json json = real != nullptr ? plainNumber(*real) : written(given);
  const std::string label = labelOf(spec);
  switch (spec.type) {
    case ParamType::kBoolean: return fields::toBool(json, pointer, findings, label);
    case ParamType::kInteger:
      return fields::toInteger(json, spec.min ? static_cast<std::int64_t>(*spec.min) : Whole::min(),
                               spec.max ? static_cast<std::int64_t>(*spec.max) : Whole::max(), pointer, findings, label);
    case ParamType::kReal: return fields::toReal(json, {.min = spec.min.value_or(-kInfinity), .max = spec.max.value_or(kInfinity)}, pointer, findings, label);
    case ParamType::kText: return fields::toText(json, pointer, findings, label);
    case ParamType::kChoice: break;
  }
  const std::optional<std::string> choice = fields::toText(json, pointer, findings, label);
  if (!choice || std::find(spec.choices.begin(), spec.choices.end(), *choice) != spec.choices.end()) return choice;
  addFinding(findings, {pointer, strCat("\"", quotable(*choice), "\" is not known; have ", listed(spec.choices))});
  return std::nullopt;
}

bool ParamCase::holds(const Params& params) const {
  const std::string* value = valueOf<std::string>(params, param);
  return value != nullptr && std::find(values.begin(), values.end(), *value) != values.end();
}

double Params::real(std::string_view name) const {
  if (const auto* integer = valueOf<std::int64_t>(*this, name)) return static_cast<double>(*integer);
  return typed<double>(*this, name);
}
std::int64_t Params::integer(std::string_view name) const { return typed<std::int64_t>(*this, name); }
bool Params::boolean(std::string_view name) const { return typed<bool>(*this, name); }
const std::string& Params::text(std::string_view name) const { return typed<std::string>(*this, name); }

Params completeParams(const std::vector<ParamSpec>& specs, const Params& given, const std::string& pointer, std::vector<Finding>& findings) {
  Params complete;
  std::vector<std::string> names;
  for (const ParamSpec& spec : specs) {
    names.push_back(spec.name);
    complete.set(spec.name, spec.fallback);
    const auto found = given.values().find(spec.name);
    if (found == given.values().end()) continue;
    if (const auto value = converted(spec, found->second, pointerTo(pointer, spec.name), findings)) complete.set(spec.name, *value);
  }
  for (const auto& [name, value] : given.values())
    if (!complete.has(name))
      addFinding(findings, {pointerTo(pointer, name),
                          names.empty() ? "unknown parameter; it takes none" : strCat("unknown parameter; have ", listed(names))});
  return complete;
}

void dropYounger(const std::vector<ParamSpec>& specs, Params& params) {
  for (const ParamSpec& spec : specs)
    if (const auto found = params.values().find(spec.name); spec.younger && found != params.values().end() && found->second == spec.fallback) params.drop(spec.name);
}

Params sharedParams(const std::vector<ParamSpec>& specs, const std::vector<ParamSpec>& from, const Params& given) {
  Params shared;
  for (const ParamSpec& spec : specs) {
    const auto same = std::ranges::find(from, partOf(spec), partOf);
    const auto found = given.values().find(same == from.end() ? spec.name : same->name);
    std::vector<Finding> findings;
    if (found == given.values().end()) continue;
    if (const auto value = converted(spec, found->second, "", findings)) shared.set(spec.name, *value);
  }
  return shared;
}

Params completed(const std::vector<ParamSpec>& specs, const Params& given, const std::string& pointer) {
  std::vector<Finding> findings;
  Params params = completeParams(specs, given, pointer, findings);
  for (const Finding& finding : findings)
    if (finding.error) throw Error(Errc::kSpec, strCat(finding.pointer, ": ", finding.message));
  return params;
}

namespace {

ParamSpec declared(ParamName name, ParamType type, ParamValue fallback, std::string help) {
  ParamSpec param;
  param.name = std::move(name.name), param.label = std::move(name.label), param.part = std::move(name.part);
  param.type = type, param.fallback = std::move(fallback), param.help = std::move(help);
  return param;
}

ParamSpec bounded(ParamSpec param, std::optional<double> min, std::optional<double> max) {
  param.min = min, param.max = max;
  return param;
}

}  // namespace

ParamSpec realParam(ParamName name, double fallback, std::optional<double> min, std::optional<double> max, std::string help, std::string unit) {
  ParamSpec param = bounded(declared(std::move(name), ParamType::kReal, fallback, std::move(help)), min, max);
  param.unit = std::move(unit);
  return param;
}
ParamSpec integerParam(ParamName name, std::int64_t fallback, std::optional<double> min, std::optional<double> max, std::string help) {
  return bounded(declared(std::move(name), ParamType::kInteger, fallback, std::move(help)), min, max);
}
ParamSpec booleanParam(ParamName name, bool fallback, std::string help) { return declared(std::move(name), ParamType::kBoolean, fallback, std::move(help)); }
ParamSpec choiceParam(ParamName name, std::string fallback, std::vector<std::string> choices, std::string help) {
  ParamSpec param = declared(std::move(name), ParamType::kChoice, std::move(fallback), std::move(help));
  param.choices = std::move(choices);
  return param;
}
ParamSpec textParam(ParamName name, std::string fallback, std::string help) { return declared(std::move(name), ParamType::kText, std::move(fallback), std::move(help)); }

ParamSpec fileParam(ParamName name, std::string help) {
  ParamSpec param = textParam(std::move(name), "", std::move(help));
  param.file = true;
  return param;
}
ParamSpec codeFileParam(ParamName name, std::string help) {
  ParamSpec param = fileParam(std::move(name), std::move(help));
  param.code = true;
  return param;
}

ParamSpec worded(ParamSpec param, std::vector<std::string> choiceLabels) {
  PACELINE_CHECK(choiceLabels.size() == param.choices.size(), "a label for each choice");
  param.choiceLabels = std::move(choiceLabels);
  return param;
}

ParamSpec limited(ParamSpec param, Limit atMost) {
  param.atMost = atMost;
  return param;
}

ParamSpec younger(ParamSpec param) {
  param.younger = true;
  return advanced(std::move(param));
}

ParamSpec advanced(ParamSpec param) {
  param.advanced = true;
  return param;
}

}  // namespace paceline

#include "engine/core/control.h"

#include "engine/core/error.h"
#include "engine/core/fields.h"
#include "engine/core/run_spec_json.h"

namespace paceline {
namespace {

Json toJson(const Prepare& prepare) {
  return {{"kind", "prepare"}, {"run", prepare.run}, {"node", prepare.node}, {"bind", prepare.bind}, {"spec", toJson(prepare.spec)}};
}
Json toJson(const Start& start) { return {{"kind", "start"}, {"endpoints", start.endpoints}}; }
Json toJson(const Stop&) { return {{"kind", "stop"}}; }

Control readPrepare(Fields& fields) {
  Prepare prepare;
  prepare.run = fields.required<std::string>("run");
  prepare.bind = fields.required<std::string>("bind");
  if (const Json* json = fields.find("spec")) {
    ParsedSpec parsed = readRunSpec(*json);
    for (Finding& finding : parsed.findings) fields.findings().push_back({"/spec" + finding.pointer, std::move(finding.message), finding.error});
    prepare.spec = std::move(parsed.spec);
  } else {
    fields.refuse("spec", "is required");
  }
  prepare.node = fields.required<int>("node", {.min = 0, .max = static_cast<double>(prepare.spec.nodes.size()) - 1});
  return prepare;
}

Control readControl(Fields& fields) {
  const auto kind = fields.required<std::string>("kind");
  if (kind == "prepare") return readPrepare(fields);
  if (kind == "start") {
    if (fields.find("endpoints") == nullptr) fields.refuse("endpoints", "is required");
    return Start{.endpoints = fields.texts("endpoints")};
  }
  if (kind != "stop") fields.refuse("kind", strCat("\"", quotable(kind), "\" is not known; have prepare, start, stop"));
  return Stop{};
}

}  // namespace

std::string toLine(const Control& control) {
  return std::visit([](const auto& order) { return dumped(toJson(order)); }, control);
}

Control parseControl(std::string_view line) {
  Control control = Stop{};
  std::vector<Finding> findings;
  if (const std::optional<Json> json = parseJson(line, findings)) {
    Fields fields(*json, "", findings);
    control = readControl(fields);
  }
  for (const Finding& finding : findings)
    if (finding.error)
      throw Error(Errc::kFormat, strCat("control line \"", quotable(line, 80), "\": ", finding.pointer, finding.pointer.empty() ? "" : " ",
                                        finding.message));
  return control;
}

}  // namespace paceline

#include "engine/core/record/control.h"

#include "engine/core/base/error.h"
#include "engine/core/json/fields.h"
#include "engine/core/spec/run_spec_fields.h"

namespace paceline {
namespace {

Json toJson(const DataKeys& keys) { return {{"mode", keys.mode}, {"secret", keys.secret}, {"publics", keys.publics}}; }

Json toJson(const Prepare& prepare) {
  return {{"kind", "prepare"},         {"run", prepare.run},          {"node", prepare.node},
          {"bind", prepare.bind},      {"keys", toJson(prepare.keys)}, {"spec", toJson(prepare.spec)},
          {"checkpoints", prepare.checkpoints}, {"resume", prepare.resume}};
}
Json toJson(const Start& start) { return {{"kind", "start"}, {"endpoints", start.endpoints}}; }
Json toJson(const Stop&) { return {{"kind", "stop"}}; }

// What is wrong is said without the keys themselves.
DataKeys readKeys(Fields fields, std::size_t nodes) {
  constexpr std::size_t kKeyLength = 40;
  DataKeys keys;
  keys.mode = fields.optional<std::string>("mode", keys.mode);
  keys.secret = fields.optional<std::string>("secret", "");
  keys.publics = fields.texts("publics");
  if (keys.mode == "plain") return keys;
  if (keys.mode != "curve" && keys.mode != "aes_gcm")
    fields.refuse("mode", strCat("must be plain, curve or aes_gcm, got \"", quotable(keys.mode), "\""));
  if (keys.secret.size() != kKeyLength) fields.refuse("secret", strCat("must have ", kKeyLength, " characters, has ", keys.secret.size()));
  if (keys.publics.size() != nodes) fields.refuse("publics", strCat("must have one key per node, has ", keys.publics.size(), " for ", nodes));
  for (const std::string& key : keys.publics)
    if (key.size() != kKeyLength) fields.refuse("publics", strCat("every key must have ", kKeyLength, " characters, one has ", key.size()));
  return keys;
}

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
  prepare.checkpoints = fields.optional<std::string>("checkpoints", "");
  prepare.resume = fields.optional<std::string>("resume", "");
  prepare.keys = readKeys(fields.object("keys"), prepare.spec.nodes.size());
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
      throw Error(Errc::kFormat, strCat("control line \"", quotable(line, 40), "\": ", finding.pointer, finding.pointer.empty() ? "" : " ",
                                        finding.message));
  return control;
}

}  // namespace paceline

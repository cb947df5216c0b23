#include "engine/core/record/control.h"

#include "engine/core/base/error.h"
#include "engine/core/json/fields.h"
#include "engine/core/json/describe.h"
#include "engine/core/spec/run_spec_fields.h"

namespace paceline {
void describe(auto& visit, DataKeys& keys) {
  static constexpr const char* kModes[] = {"plain", "curve", "aes_gcm"};
  visit(Field{.key = "mode", .choices = kModes}, keys.mode);
  visit(Field{.key = "secret"}, keys.secret);
  visit(Field{.key = "publics"}, keys.publics);
}

void describe(auto& visit, Prepare& prepare) {  // but the document, which refuses unknown keys
  visit(Field{.key = "run", .required = true}, prepare.run);
  visit(Field{.key = "bind", .required = true}, prepare.bind);
  visit(Field{.key = "checkpoints"}, prepare.checkpoints);
  visit(Field{.key = "weights"}, prepare.weights);
  visit(Field{.key = "resume"}, prepare.resume);
  visit(Field{.key = "servers_return"}, prepare.serversReturn);
  visit(Field{.key = "keys"}, prepare.keys);
  visit(Field{.key = "node", .bounds = atLeast(0), .required = true}, prepare.node);
}

void describe(auto& visit, Start& start) { visit(Field{.key = "endpoints", .required = true}, start.endpoints); }
void describe(auto&, Stop&) {}

// What is wrong is said without the keys themselves.
void crossCheck(Fields& at, const DataKeys& keys) {
  constexpr std::size_t kKeyLength = 40;
  if (keys.mode == "plain") return;
  if (keys.secret.size() != kKeyLength) at.refuse("secret", strCat("must have ", kKeyLength, " characters, has ", keys.secret.size()));
  for (const std::string& key : keys.publics)
    if (key.size() != kKeyLength) at.refuse("publics", strCat("every key must have ", kKeyLength, " characters, one has ", key.size()));
}

void crossCheck(Fields& at, const Prepare& prepare) {
  const std::size_t keys = prepare.keys.publics.size(), nodes = prepare.spec.nodes.size();
  if (prepare.keys.mode != "plain" && keys != nodes)
    addFinding(at.findings(), {"/keys/publics", strCat("must have one key per node, has ", keys, " for ", nodes)});
  if (prepare.node >= static_cast<int>(nodes)) at.refuse("node", mustBe("", at.pointer("node"), strCat("at most ", static_cast<int>(nodes) - 1), strCat(prepare.node)));
}

namespace {

constexpr const char* kKinds[] = {"prepare", "start", "stop"};  // by the index of Control

Control readControl(Fields& fields) {
  const auto kind = fields.required<std::string>("kind");
  if (kind == "start") {
    Start start;
    readObject(fields, start, UnknownKeys::kPassedOver);
    return start;
  }
  if (kind != "prepare") {
    if (kind != "stop") fields.refuse("kind", strCat("\"", quotable(kind), "\" is not known; have prepare, start, stop"));
    return Stop{};
  }
  Prepare prepare;
  if (const Json* document = fields.require("spec")) {
    ParsedSpec parsed = readRunSpec(*document);
    for (Finding& finding : parsed.findings) addFinding(fields.findings(), {"/spec" + finding.pointer, std::move(finding.message), finding.error});
    prepare.spec = std::move(parsed.spec);
  }
  readObject(fields, prepare, UnknownKeys::kPassedOver);
  return prepare;
}

}  // namespace

std::string toLine(const Control& control) {
  Json json = std::visit([](const auto& order) { return written(order); }, control);
  json["kind"] = kKinds[control.index()];
  if (const auto* prepare = std::get_if<Prepare>(&control)) json["spec"] = toJson(prepare->spec);
  return dumped(json);
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
      throw Error(Errc::kFormat, strCat("control line \"", quotable(line, 40), "\": ", finding.pointer, finding.pointer.empty() ? "" : ": ",
                                        finding.message));
  return control;
}

}  // namespace paceline

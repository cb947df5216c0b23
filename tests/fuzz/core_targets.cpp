#include "engine/core/record/control.h"
#include "engine/core/record/event.h"
#include "engine/core/record/manifest.h"
#include "engine/core/record/state_table.h"
#include "engine/core/spec/catalog.h"
#include "engine/core/spec/run_spec.h"
#include "engine/core/spec/suite.h"
#include "tests/fuzz/targets.h"

namespace paceline::fuzz {
namespace {

void document(Input input) {
  const ParsedSpec parsed = parseRunSpec(textOf(input));
  if (!parsed.findings.empty()) return;
  const std::string text = toJsonText(parsed.spec);
  const ParsedSpec again = parseRunSpec(text);
  PACELINE_CHECK(again.findings.empty() && toJsonText(again.spec) == text, "a document that is written reads back as itself");
  configHash(parsed.spec);
}

void suite(Input input) { parseSuite(textOf(input)); }

void event(Input input) {
  const std::string line = toLine(parseEvent(textOf(input)));
  PACELINE_CHECK(toLine(parseEvent(line)) == line, "an event that is written reads back as itself");
}

void control(Input input) {
  const std::string line = toLine(parseControl(textOf(input)));
  PACELINE_CHECK(toLine(parseControl(line)) == line, "an order that is written reads back as itself");
}

void manifest(Input input) {
  const Manifest read = parseManifest(textOf(input));
  PACELINE_CHECK(parseManifest(toJsonText(read)).files == read.files, "a manifest that is written reads back as itself");
}

constexpr Target kCoreTargets[] = {{"document", document}, {"suite", suite}, {"event", event}, {"control", control}, {"manifest", manifest}};

}  // namespace

std::span<const Target> coreTargets() { return kCoreTargets; }

}  // namespace paceline::fuzz

#include "app/cli/document/experiment_file.h"

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "app/cli/console.h"
#include "app/cluster/worker/worker_answer.h"
#include "engine/core/json/comments.h"
#include "engine/core/json/json_text.h"

namespace paceline::cli {
namespace {

bool isForSuite(const std::string& assignment) { return assignment.starts_with("/base") || assignment.starts_with("/vary") || assignment.starts_with("/skip") || assignment.starts_with("/search"); }

void addOnce(std::vector<Finding>& all, const Finding& finding) {
  if (std::ranges::find(all, finding) == all.end()) addFinding(all, finding);
}

// Structure first; what the names mean is only asked where the structure holds, so that one mistake is told once.
ExperimentPoint readPoint(const SuitePoint& point, const Catalog& catalog, const std::string& folder, std::vector<Finding>& findings) {
  ParsedSpec parsed = parseRunSpec(point.text);
  for (const Finding& finding : parsed.findings) addOnce(findings, finding);
  const bool hopeless = std::ranges::any_of(parsed.findings, [](const Finding& finding) {
    return finding.error && (finding.pointer.empty() || finding.pointer == "/nodes" || finding.pointer == "/paceline");
  });
  if (hopeless) return {.name = point.name, .spec = std::move(parsed.spec)};
  ParsedSpec checked = worker::checkedSpec(parsed.spec, catalog, folder);
  for (const Finding& finding : checked.findings) {
    const bool told = std::ranges::any_of(parsed.findings, [&](const Finding& earlier) {
      return earlier.error && (isAtOrBelow(finding.pointer, earlier.pointer) || isAtOrBelow(earlier.pointer, finding.pointer));
    });
    if (!told) addOnce(findings, finding);
  }
  return {.name = point.name, .spec = std::move(checked.spec)};
}

}  // namespace

Experiment readExperiment(const ExperimentRequest& request, const Catalog& catalog) {
  Experiment experiment{.path = request.path == "-" ? "standard input" : request.path, .isSuite = false, .suite = {}, .search = {}, .points = {}, .findings = {}};
  std::string text = request.text.empty() ? readTextFile(request.path) : request.text;
  ParsedSuite suite = parseSuite(text);
  if (!hasErrors(suite.findings)) {
    std::string name = request.name;
    std::ranges::replace_if(name, [](unsigned char c) { return c < 0x20; }, ' ');
    if (!name.empty()) text = withOverride(text, strCat(suite.isSuite ? "/base/name=" : "/name=", dumped(Json(name))));
    for (const std::string& assignment : request.assignments)
      if (!suite.isSuite || isForSuite(assignment)) text = withOverride(text, assignment);
      else if (suite.search) text = withOverride(text, "/base" + assignment);  // its points are not there yet
    suite = parseSuite(text);
  }
  experiment.isSuite = suite.isSuite;
  if (suite.isSuite) experiment.suite = suite.name.empty() ? experiment.path : suite.name;
  experiment.findings = suite.findings;
  if (suite.search) experiment.search = text;
  const std::string folder = request.text.empty() ? std::filesystem::path(request.path).parent_path().string() : "";
  for (SuitePoint& point : suite.points) {
    for (const std::string& assignment : request.assignments)
      if (suite.isSuite && !suite.search && !isForSuite(assignment)) point.text = withOverride(point.text, assignment);
    experiment.points.push_back(readPoint(point, catalog, folder, experiment.findings));
  }
  return experiment;
}

std::string findingLine(const std::string& path, const Finding& finding) {
  return strCat(path, ": ", finding.pointer, finding.pointer.empty() ? "" : ": ", finding.error ? "" : "warning: ", finding.message);
}

void sayCommentsLost(const std::string& path, const std::string& text) {
  if (withoutComments(text) != text) std::cerr << path << ": its comments are not in what is written\n";
}

void refuseErrors(const Experiment& experiment) {
  const auto errors = std::ranges::count_if(experiment.findings, &Finding::error);
  if (errors == 0) return;
  const auto first = std::ranges::find_if(experiment.findings, &Finding::error);
  const std::string more = errors == 1 ? "" : strCat(" (and ", errors - 1, " more: paceline validate ", experiment.path, ")");
  throw Error(Errc::kSpec, findingLine(experiment.path, *first) + more);
}

}  // namespace paceline::cli

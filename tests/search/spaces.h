// Spaces and trials for the tests of searches.
#pragma once

#include "app/search/plan.h"
#include "engine/core/base/rng.h"
#include "engine/core/spec/suite.h"

namespace paceline::tests {

inline std::shared_ptr<const SearchSpace> spaceOf(const std::string& search, const std::string& vary = "{}", const std::string& stop = R"({"rounds": 100})") {
  const ParsedSuite suite = parseSuite(R"({"base": {"paceline": 1, "algorithm": {"id": "ssgd"}, "model": {"id": "logistic"}, "dataset": {"id": "synthetic"},
    "nodes": [{"id": "s0", "role": "server"}, {"id": "w0"}], "stop": )" + stop + R"(}, "vary": )" + vary + R"(, "search": )" + search + "}");
  if (!suite.search) throw std::runtime_error(suite.findings.empty() ? "no search" : suite.findings[0].pointer + ": " + suite.findings[0].message);
  return suite.search;
}

inline search::Measure accuracy(double value) { return {.accuracyLast = value, .accuracyBest = value}; }
inline search::Trial done(SearchPoint at, double value) {
  return {.at = std::move(at), .why = "", .state = search::TrialState::kDone, .runs = {{.run = "r", .seconds = 1, .ended = true, .rungs = {}, .end = accuracy(value)}}};
}

}  // namespace paceline::tests

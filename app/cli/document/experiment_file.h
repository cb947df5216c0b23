// A spec or suite from a file, overridden, expanded and checked against what this computer can do. Main thread.
#pragma once

#include <string>
#include <vector>

#include "engine/core/spec/catalog.h"
#include "engine/core/spec/suite.h"

namespace paceline::cli {

struct ExperimentRequest {
  std::string path;
  std::vector<std::string> assignments;  // --set /pointer=value: for every point, of a search for its base; /base/..., /vary/..., /search/... for the suite's document
  std::string text;  // format override; empty: detect from content
  std::string name;  // --name: of the run, or instead of the suite's base name
};

struct ExperimentPoint {
  std::string name;
  RunSpec spec;  // completed; to be run only when no finding is an error
};

struct Experiment {
  std::string path;
  bool isSuite = false;
  std::string suite;  // its name: the base's, else the path; "": a run
  std::string search;  // of a suite that is searched: its document; "": it is not. The points are then samples of what may be chosen
  std::vector<ExperimentPoint> points;
  std::vector<Finding> findings;  // of all points, each once
};

// Throws Error{kFile} when the file cannot be read, Error{kSpec} for an assignment that has no place.
Experiment readExperiment(const ExperimentRequest& request, const Catalog& catalog);

// "SPEC.json: /nodes/2/emulate/slowdown: must be >= 1, got 0.2"
std::string findingLine(const std::string& path, const Finding& finding);

// For a document that is written anew from its members: a line on stderr where the text of `path` has comments, which are then lost.
void sayCommentsLost(const std::string& path, const std::string& text);

// Throws Error{kSpec} with the first error and how many more there are.
void refuseErrors(const Experiment& experiment);

}  // namespace paceline::cli

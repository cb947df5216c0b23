// What a search tried, in words: terminal and window show the same. Any thread with a reader of its own.
#pragma once

#include "app/search/plan.h"
#include "storage/store/store.h"

namespace paceline::recorder {

struct TriedPoint {
  std::vector<std::string> values;  // of each axis: "0.0316", "ssgd"
  std::string result;               // "81.2 %"; of one that was given up: at the rung where it was; "": nothing is known yet
  std::string state;                // "done", "given up"
  std::string why, note;            // it was tried; it was given up or failed. Sentences
  std::vector<std::string> runs;    // ids
  bool operator==(const TriedPoint&) const = default;
};

struct SearchStory {
  std::string suite, name, goal;    // goal: "time to 80 %"
  std::vector<std::string> axes;    // "learning_rate"
  std::vector<std::string> keys;    // of each axis: "/optimizer/learning_rate", or what the suite calls its list
  std::vector<std::string> nodes;   // of each axis: whose field it is; "": the document's
  std::vector<TriedPoint> points;   // in the order in which they were chosen
  std::optional<std::size_t> best;
  std::string sentence;             // what came out, or how far it is and why the next point is tried
  bool ended = false, held = false;
  bool operator==(const SearchStory&) const = default;
};

// nullopt: the suite is not searched, or not in the store.
std::optional<SearchStory> storyOf(const store::StoreReader& store, const store::SuiteRow& suite);
std::string storyDocument(const SearchStory& story);  // JSON

std::string planText(const SearchSpace& space);  // "20 runs for last accuracy, bayesian, the best 1/2 go on after 40, 80, ... rounds"

}  // namespace paceline::recorder

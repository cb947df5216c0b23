// A suite that is searched: {"base": RunSpec, "vary": {lists}, "search": {"over": {"/batch_size": {"from": 16, "to": 256, "scale": "log", "integer": true}}, ...}}.
// Not the product of its lists is run: for each point one value of every list and of every range is chosen, by what earlier points gave. Values only.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/json/describe.h"

namespace paceline {

enum class SearchScale { kLinear, kLog };
constexpr std::array<const char*, 2> wordsOf(SearchScale) { return {"linear", "log"}; }
enum class SearchMethod { kRandom, kBayesian };
constexpr std::array<const char*, 2> wordsOf(SearchMethod) { return {"random", "bayesian"}; }
enum class SearchGoal { kTimeToTarget, kAccuracyLast, kAccuracyBest, kSamplesPerSecond };
constexpr std::array<const char*, 4> wordsOf(SearchGoal) { return {"time_to_target", "accuracy_last", "accuracy_best", "samples_per_s"}; }
enum class RungUnit { kRounds, kSeconds };
constexpr std::array<const char*, 2> wordsOf(RungUnit) { return {"rounds", "seconds"}; }

struct SearchRange {
  double from = 0, to = 0;
  SearchScale scale = SearchScale::kLinear;
  bool integer = false;
  bool operator==(const SearchRange&) const = default;
};

struct SearchBudget {
  std::optional<std::int64_t> runs;
  std::optional<double> minutes;  // of all its runs, added up
  bool operator==(const SearchBudget&) const = default;
};

// A run is looked at after `first`, `first` * eta, `first` * eta^2 ... rounds or seconds, and goes on where it is among the best 1 / eta there.
struct SearchHalving {
  RungUnit by = RungUnit::kRounds;
  double first = 0;
  int eta = 2;
  bool operator==(const SearchHalving&) const = default;
};

struct SearchSpec {
  std::map<std::string, SearchRange> over;  // by pointer
  SearchMethod method = SearchMethod::kBayesian;
  SearchGoal goal = SearchGoal::kAccuracyLast;
  std::uint64_t seed = 1;
  SearchBudget budget;
  std::optional<SearchHalving> halving;
  int atOnce = 1;
  bool operator==(const SearchSpec&) const = default;
};

inline constexpr std::int64_t kMostSearchRuns = 10000;
inline constexpr int kMostAtOnce = 64;

void describe(auto& visit, SearchRange& range) {
  visit(Field{.key = "from", .help = "The smallest value", .required = true}, range.from);
  visit(Field{.key = "to", .help = "The largest value", .required = true}, range.to);
  visit(Field{.key = "scale", .help = "log: equal ratios count alike"}, range.scale);
  visit(Field{.key = "integer", .help = "Whole numbers only"}, range.integer);
}
void describe(auto& visit, SearchBudget& budget) {
  visit(Field{.key = "runs", .help = "At most so many", .bounds = {.min = 1, .max = static_cast<double>(kMostSearchRuns)}, .zero = "no limit"}, budget.runs);
  visit(Field{.key = "minutes", .help = "All runs together take at most so long", .unit = "min", .bounds = {.min = 0, .max = 1e6, .aboveMin = true}, .zero = "no limit"}, budget.minutes);
}
void describe(auto& visit, SearchHalving& halving) {
  visit(Field{.key = "by", .help = "What is counted"}, halving.by);
  visit(Field{.key = "first", .help = "A run is looked at after so many, and after eta, eta^2 ... times as many", .bounds = {.min = 0, .max = 1e9, .aboveMin = true}, .required = true}, halving.first);
  visit(Field{.key = "eta", .help = "It goes on where it is among the best 1 / eta of the runs that came so far", .bounds = {.min = 2, .max = 100}}, halving.eta);
}
void describe(auto& visit, SearchSpec& search) {
  visit(Field{.key = "over", .help = "Ranges by JSON pointer; the lists of \"vary\" are searched with them, but /seed: each point runs with all its seeds"}, search.over);
  visit(Field{.key = "method", .help = "How a point is chosen; bayesian: by tree-structured Parzen estimators of the best points and of the others"}, search.method);
  visit(Field{.key = "goal", .help = "What is best: the shortest time to the document's stop.accuracy, the highest accuracy or throughput"}, search.goal);
  visit(Field{.key = "seed", .help = "Of its random choices"}, search.seed);
  visit(Field{.key = "budget", .help = "The search ends with it; one limit at least", .required = true}, search.budget);
  visit(Field{.key = "halving", .help = "Stops runs that fall behind", .zero = "every run goes to its end"}, search.halving);
  visit(Field{.key = "at_once", .help = "So many points are under way together", .bounds = {.min = 1, .max = kMostAtOnce}}, search.atOnce);
}

using SearchPoint = std::vector<double>;  // on every axis: the value of a range, the position in a list

struct SearchAxis {
  std::string key;
  std::optional<SearchRange> range;  // nullopt: a list
  std::vector<std::string> labels{};  // of a list
};

struct SuitePoint;

// What a search chooses among. Read by parseSuite(); any thread.
class SearchSpace {
 public:
  struct Documents;  // how a point becomes a document
  SearchSpace(SearchSpec spec, std::string name, std::vector<SearchAxis> axes, std::shared_ptr<const Documents> documents);

  const SearchSpec& spec() const { return spec_; }
  const std::string& name() const { return name_; }  // of the suite
  const std::vector<SearchAxis>& axes() const { return axes_; }
  std::size_t seeds() const;      // runs of a point
  double target() const;          // the base's stop.accuracy; 0: it has none
  SuitePoint point(const SearchPoint& at, std::size_t seed) const;       // one of its runs
  std::string word(std::size_t axis) const;                              // "learning_rate"; of "/algorithm/id" "algorithm"
  std::string text(std::size_t axis, double at) const;                   // "0.0316", "ssgd"
  std::string text(const SearchPoint& at) const;                         // "algorithm ssgd, learning_rate 0.0316"

 private:
  SearchSpec spec_;
  std::string name_;
  std::vector<SearchAxis> axes_;
  std::shared_ptr<const Documents> documents_;
};

}  // namespace paceline

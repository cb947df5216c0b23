#include "app/cluster/recorder/search_story.h"

#include <algorithm>

#include "engine/core/spec/suite.h"
#include "engine/core/spec/varied_values.h"

namespace paceline::recorder {
namespace {

using search::Trial;
using search::TrialState;

std::string goalText(const SearchSpace& space) {
  switch (space.spec().goal) {
    case SearchGoal::kTimeToTarget: return strCat("time to ", boundText(roundedTo(100 * space.target(), 3)), " %");
    case SearchGoal::kAccuracyLast: return "last accuracy";
    case SearchGoal::kAccuracyBest: return "best accuracy";
    case SearchGoal::kSamplesPerSecond: return "samples/s";
  }
  return "";
}

// At its end, else at the last rung that it came to.
std::string resultOf(const SearchSpace& space, const Trial& trial) {
  if (const std::vector<search::Measure> ends = search::endsOf(trial); !ends.empty()) return search::scoreText(space, ends);
  std::size_t rungs = 0;
  for (const search::TrialRun& run : trial.runs) rungs = std::max(rungs, run.rungs.size());
  return rungs == 0 ? "" : search::scoreText(space, search::atRung(trial, rungs - 1));
}

std::string budgetText(const SearchBudget& budget) {
  std::string text = budget.runs ? strCat(*budget.runs, *budget.runs == 1 ? " run" : " runs") : "";
  if (budget.minutes) text += strCat(text.empty() ? "" : " or ", boundText(*budget.minutes), " min");
  return text;
}

// The id of the node that "/nodes/2/emulate/slowdown" is of; "": of none.
std::string nodeAt(const std::string& document, const std::string& key) {
  if (!key.starts_with("/nodes/")) return "";
  try {
    return jsonOrNull(document).at(Json::json_pointer("/base" + key.substr(0, key.find('/', std::string("/nodes/").size())) + "/id")).get<std::string>();
  } catch (const Json::exception&) {
    return "";
  }
}

}  // namespace

std::string planText(const SearchSpace& space) {
  const SearchSpec& spec = space.spec();
  std::string text = strCat(budgetText(spec.budget), " for ", goalText(space), ", ", wordsOf(spec.method)[static_cast<std::size_t>(spec.method)]);
  if (space.seeds() > 1) text += strCat(", ", space.seeds(), " seeds a point");
  if (spec.halving)
    text += strCat(", the best 1/", spec.halving->eta, " go on after ", boundText(search::rungAt(*spec.halving, 0)), ", ", boundText(search::rungAt(*spec.halving, 1)), ", ... ", wordsOf(spec.halving->by)[static_cast<std::size_t>(spec.halving->by)]);
  return text;
}

std::optional<SearchStory> storyOf(const store::StoreReader& store, const store::SuiteRow& suite) {
  const auto row = suite.searched ? store.search(suite.id) : std::nullopt;
  if (!row) return std::nullopt;
  SearchStory story{.suite = suite.id, .name = suite.name, .goal = {}, .axes = {}, .keys = {}, .nodes = {}, .points = {}, .best = {}, .sentence = row->result, .ended = row->ended, .held = row->held};
  const auto space = parseSuite(row->document).search;
  if (!space) return story;
  story.goal = goalText(*space);
  for (std::size_t axis = 0; axis < space->axes().size(); ++axis) story.axes.push_back(space->word(axis)), story.keys.push_back(space->axes()[axis].key), story.nodes.push_back(nodeAt(row->document, story.keys.back()));
  std::vector<Trial> trials;
  for (const std::string& text : row->trials) trials.push_back(readFrom<Trial>(jsonOrNull(text)));
  for (const Trial& trial : trials) {
    TriedPoint point{.values = {}, .result = resultOf(*space, trial), .state = wordsOf(trial.state)[static_cast<std::size_t>(trial.state)], .why = trial.why, .note = trial.note, .runs = {}};
    for (std::size_t axis = 0; axis < trial.at.size(); ++axis) point.values.push_back(space->text(axis, trial.at[axis]));
    for (const search::TrialRun& run : trial.runs) point.runs.push_back(run.run);
    story.points.push_back(std::move(point));
  }
  story.best = search::bestOf(*space, trials);
  if (!row->ended) {
    story.sentence = story.held ? "Held: no further run begins until it is let go. " : "";
    story.sentence += trials.empty() ? strCat("It will try ", planText(*space), ".") : strCat("Point ", trials.size(), " (", space->text(trials.back().at), "): ", trials.back().why);
  }
  return story;
}

std::string storyDocument(const SearchStory& story) {
  Json points = Json::array();
  for (const TriedPoint& point : story.points) {
    Json values = Json::object();
    for (std::size_t axis = 0; axis < point.values.size(); ++axis) values[std::ranges::count(story.axes, story.axes[axis]) == 1 ? story.axes[axis] : story.keys[axis]] = point.values[axis];
    points.push_back({{"values", values}, {"result", point.result}, {"state", point.state}, {"why", point.why}, {"note", point.note}, {"runs", point.runs}});
  }
  const Json best = story.best ? Json(*story.best) : Json();
  return dumped(Json{{"search", {{"suite", story.suite}, {"name", story.name}, {"goal", story.goal}, {"points", points}, {"best", best}, {"ended", story.ended}, {"held", story.held}, {"sentence", story.sentence}}}}, 2) + "\n";
}

}  // namespace paceline::recorder

#include "app/search/plan.h"

#include <algorithm>
#include <cmath>

#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
#include "engine/core/spec/varied_values.h"

namespace paceline::search {
namespace {

constexpr std::size_t kMostFailures = 5;  // from the first point on; then something is wrong with all of them
constexpr std::size_t kMostRefused = 20;  // one after the other, without a run
constexpr double kMinute = 60;

bool isRefused(const Trial& trial) { return trial.state == TrialState::kFailed && trial.runs.empty(); }  // its document cannot be run

std::int64_t runsOf(const std::vector<Trial>& trials) {
  std::int64_t runs = 0;
  for (const Trial& trial : trials) runs += std::ssize(trial.runs);
  return runs;
}

// Runs that have begun, and those that the open trials still need.
std::int64_t runsPlanned(const SearchSpace& space, const std::vector<Trial>& trials) {
  std::int64_t runs = runsOf(trials);
  for (const Trial& trial : trials)
    if (trial.state == TrialState::kGoing) runs += static_cast<std::int64_t>(space.seeds()) - std::ssize(trial.runs);
  return runs;
}

std::string counted(std::int64_t count, const std::string& word) { return strCat(count, " ", word, count == 1 ? "" : "s"); }
std::string minutesText(double minutes) { return boundText(roundedTo(minutes, 3)) + " min"; }

std::string rungText(const SearchHalving& halving, std::size_t rung) {
  const double at = rungAt(halving, rung);
  return strCat("after ", boundText(at), halving.by == RungUnit::kRounds ? (at == 1 ? " round" : " rounds") : " s");
}

// Why no further point begins; "": one may.
std::string endingOf(const SearchSpace& space, const std::vector<Trial>& trials, double minutes) {
  const SearchBudget& budget = space.spec().budget;
  if (budget.minutes && minutes >= *budget.minutes) return strCat("The budget of ", minutesText(*budget.minutes), " is used up.");
  if (budget.runs && runsPlanned(space, trials) + static_cast<std::int64_t>(space.seeds()) > *budget.runs)
    return trials.empty() ? strCat("The budget of ", counted(*budget.runs, "run"), " is less than the ", space.seeds(), " runs of one point.") : strCat("The budget of ", counted(*budget.runs, "run"), " is used up.");
  if (trials.size() >= kMostRefused && std::all_of(trials.end() - static_cast<std::ptrdiff_t>(kMostRefused), trials.end(), isRefused))
    return strCat("The last ", kMostRefused, " points cannot be run: ", trials.back().note);
  const auto failed = [](const Trial& trial) { return trial.state == TrialState::kFailed; };
  if (trials.size() >= kMostFailures && std::ranges::all_of(trials, failed)) return strCat("The first ", trials.size(), " points failed, the last one: ", trials.back().note);
  return "";
}

struct Ranked {
  std::size_t trial = 0;
  int level = -1;  // that it came to; -1: failed
  Score score;
};

// The deepest level that enough trials came to, so that they can be compared there (as Falkner, Klein, Hutter 2018 choose it); levels: the rungs, and behind them the end.
std::size_t comparedAt(const std::vector<std::vector<Ranked>>& byLevel, std::size_t enough) {
  std::size_t first = byLevel.size();
  for (std::size_t level = byLevel.size(); level-- > 0;) {
    if (byLevel[level].size() >= enough) return level;
    if (!byLevel[level].empty()) first = level;
  }
  return first;
}

}  // namespace

History historyOf(const SearchSpace& space, const std::vector<Trial>& trials, std::size_t beginning) {
  const SearchGoal goal = space.spec().goal;
  const auto lag = static_cast<std::size_t>(space.spec().atOnce);
  const std::size_t seen = beginning >= lag ? std::min(trials.size(), beginning - lag + 1) : 0;
  std::size_t rungs = 0;
  for (const Trial& trial : trials)
    for (const TrialRun& run : trial.runs) rungs = std::max(rungs, run.rungs.size());
  History history;
  std::vector<std::vector<Ranked>> byLevel(rungs + 1);
  std::vector<Ranked> deepest;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (i >= seen || trials[i].state == TrialState::kDropped || isOpen(trials[i])) {
      history.others.push_back(trials[i].at);
      continue;
    }
    Ranked own;
    own.trial = i;
    const auto add = [&](std::size_t level, const std::vector<Measure>& measures) {
      if (measures.empty() || trials[i].state == TrialState::kFailed) return;
      own.level = static_cast<int>(level), own.score = scoreOf(goal, measures);
      byLevel[level].push_back(own);
    };
    for (std::size_t rung = 0; rung < rungs; ++rung) add(rung, atRung(trials[i], rung));
    if (trials[i].state == TrialState::kDone) add(rungs, endsOf(trials[i]));
    deepest.push_back(own);
  }
  const std::size_t level = comparedAt(byLevel, static_cast<std::size_t>(firstPoints(space)));
  std::vector<Ranked> order = level < byLevel.size() ? byLevel[level] : std::vector<Ranked>();
  const auto better = [](const Ranked& a, const Ranked& b) { return a.level != b.level ? a.level > b.level : a.score > b.score; };
  std::ranges::stable_sort(order, better);
  std::erase_if(deepest, [&](const Ranked& own) { return std::ranges::find(order, own.trial, &Ranked::trial) != order.end(); });
  std::ranges::stable_sort(deepest, better);
  order.insert(order.end(), deepest.begin(), deepest.end());
  for (const Ranked& own : order) history.ranked.push_back(trials[own.trial].at);
  if (level < rungs && space.spec().halving) history.compared = rungText(*space.spec().halving, level);
  return history;
}

Step nextStep(const SearchSpace& space, const std::vector<Trial>& trials, double minutes) {
  const std::optional<double> most = space.spec().budget.minutes;
  const bool late = most && minutes >= *most;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (trials[i].state != TrialState::kGoing) continue;
    if (late) return {.kind = Step::Kind::kCut, .trial = i, .sentence = strCat("the search's budget of ", minutesText(*most), " was used up")};
    if (trials[i].runs.empty() || trials[i].runs.back().ended) return {.kind = Step::Kind::kSeed, .trial = i};
  }
  const auto open = static_cast<std::size_t>(std::ranges::count_if(trials, isOpen));
  std::string ending = endingOf(space, trials, minutes);
  const auto lag = static_cast<std::size_t>(space.spec().atOnce);
  const bool mayBegin = trials.size() < lag || std::none_of(trials.begin(), trials.end() - static_cast<std::ptrdiff_t>(lag - 1), isOpen);
  if (ending.empty() && open < lag && mayBegin) {
    if (auto point = propose(space, historyOf(space, trials, trials.size()), trials.size())) return {.kind = Step::Kind::kPoint, .point = std::move(*point)};
    ending = "Every point was tried.";
  }
  if (open > 0) return {};
  return {.kind = Step::Kind::kEnd, .sentence = resultText(space, trials, ending)};
}

double rungAt(const SearchHalving& halving, std::size_t rung) { return halving.first * std::pow(halving.eta, static_cast<double>(rung)); }

std::string judged(const SearchSpace& space, const std::vector<Trial>& trials, std::size_t trial, std::size_t rung) {
  const SearchSpec& search = space.spec();
  if (!search.halving) return "";
  const std::vector<Measure> own = atRung(trials[trial], rung);
  const Score score = scoreOf(search.goal, own);
  const auto lag = static_cast<std::size_t>(search.atOnce);
  std::vector<std::pair<Score, std::size_t>> others;
  for (std::size_t i = 0; i + lag <= trial; ++i)
    if (const std::vector<Measure> there = atRung(trials[i], rung); !there.empty() && trials[i].state != TrialState::kFailed) others.emplace_back(scoreOf(search.goal, there), i);
  const std::size_t all = others.size() + 1, best = all / static_cast<std::size_t>(search.halving->eta);
  if (best == 0) return "";
  std::ranges::stable_sort(others, [](const auto& a, const auto& b) { return a.first > b.first; });
  if (!(others[best - 1].first > score)) return "";
  const std::string part = search.halving->eta == 2 ? "half" : search.halving->eta == 3 ? "third" : strCat("1/", search.halving->eta);
  return strCat("below the best ", part, " ", rungText(*search.halving, rung), " (", scoreText(space, own), "; ",
                scoreText(space, atRung(trials[others[best - 1].second], rung)), " was needed)");
}

void takeEnd(const SearchSpace& space, Trial& trial, const std::string& run, RunEnd end, const std::optional<Measure>& measure, const std::string& text, double seconds) {
  const auto own = std::ranges::find(trial.runs, run, &TrialRun::run);
  if (own == trial.runs.end()) return;
  own->ended = true, own->seconds = seconds;
  if (end == RunEnd::kFinished) own->end = measure;
  const bool whole = trial.runs.size() == space.seeds() && endsOf(trial).size() == trial.runs.size();
  if (trial.state == TrialState::kGivenUp && whole) trial.state = TrialState::kGoing, trial.note.clear();  // it was faster than the stop
  if (trial.state != TrialState::kGoing) return;
  if (end == RunEnd::kFailed) trial.state = TrialState::kFailed, trial.note = text;
  else if (end == RunEnd::kStopped) trial.state = TrialState::kDropped, trial.note = text;
  else if (trial.runs.size() == space.seeds()) trial.state = TrialState::kDone;
}

std::optional<std::size_t> bestOf(const SearchSpace& space, const std::vector<Trial>& trials) {
  std::optional<std::size_t> best;
  Score most;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (trials[i].state != TrialState::kDone) continue;
    const Score score = scoreOf(space.spec().goal, endsOf(trials[i]));
    if (!best || score > most) best = i, most = score;
  }
  return best;
}

std::string resultText(const SearchSpace& space, const std::vector<Trial>& trials, const std::string& ending) {
  const auto count = [&](TrialState state) { return std::ranges::count(trials, state, &Trial::state); };
  double seconds = 0;
  for (const Trial& trial : trials)
    for (const TrialRun& run : trial.runs) seconds += run.seconds;
  const auto best = bestOf(space, trials);
  std::string text;
  if (!best) text = trials.empty() ? "Nothing was tried." : strCat("None of ", counted(std::ssize(trials), "point"), " came to its end.");
  else text = strCat("The best of ", counted(std::ssize(trials), "point"), " is ", space.text(trials[*best].at), ": ", scoreText(space, endsOf(trials[*best])), ".");
  std::string parts;
  const auto add = [&parts](std::int64_t many, const char* what) {
    if (many > 0) parts += strCat(parts.empty() ? "" : ", ", many, " ", what);
  };
  add(count(TrialState::kGivenUp), "stopped early"), add(count(TrialState::kFailed), "failed"), add(count(TrialState::kDropped), "stopped by a person");
  text += strCat(" ", counted(runsOf(trials), "run"), " took ", seconds < kMinute ? boundText(roundedTo(seconds, 3)) + " s" : minutesText(seconds / kMinute), parts.empty() ? "" : strCat("; ", parts), ".");
  return ending.empty() ? text : text + " " + ending;
}

}  // namespace paceline::search

#include "app/cluster/recorder/searches.h"

#include <algorithm>

#include "app/cluster/worker/worker_answer.h"
#include "engine/core/base/clock.h"
#include "engine/core/spec/suite.h"

namespace paceline::recorder {
namespace {

using search::Step;
using search::Trial;
using search::TrialState;

constexpr double kMinute = 60;

search::RunEnd endOf(store::RunState state) {
  if (state == store::RunState::kFinished) return search::RunEnd::kFinished;
  return state == store::RunState::kStopped ? search::RunEnd::kStopped : search::RunEnd::kFailed;
}

std::shared_ptr<const SearchSpace> spaceOf(const std::string& document) {
  ParsedSuite suite = parseSuite(document);
  for (const Finding& finding : suite.findings)
    if (finding.error) throw Error(Errc::kSpec, strCat(finding.pointer, ": ", finding.message));
  if (!suite.search) throw Error(Errc::kSpec, "the document searches nothing");
  return suite.search;
}

// The point's document with every default written out; throws Error{kSpec} with the first mistake.
std::string completed(const SuitePoint& point) {
  ParsedSpec parsed = parseRunSpec(point.text);
  const auto refuse = [](const std::vector<Finding>& findings) {
    for (const Finding& finding : findings)
      if (finding.error) throw Error(Errc::kSpec, strCat(finding.pointer, ": ", finding.message));
  };
  refuse(parsed.findings);
  parsed = worker::checkedSpec(parsed.spec, worker::describeLocal());
  refuse(parsed.findings);
  return toJsonText(parsed.spec);
}

}  // namespace

void Searches::recover(const std::function<bool(const std::string& run)>& waits) {
  for (store::SearchRow& row : means_.store.searches()) {
    if (row.ended) continue;
    try {
      Search search{.row = row, .space = spaceOf(row.document), .name = {}};
      for (const std::string& trial : row.trials) search.trials.push_back(readFrom<Trial>(jsonOrNull(trial)));
      searches_.push_back(std::move(search));
    } catch (const Error& error) {  // of a program that knows more, or damaged
      row.ended = true, row.result = strCat("It cannot go on: ", error.what());
      means_.records.write("", [row](store::StoreWriter& store) { store.updateSearch(row); });
    }
  }
  const std::vector<store::SuiteRow> suites = means_.store.suites();
  for (Search& search : searches_) {
    if (search.row.boot != means_.boot) search.row.held = true;
    if (!search.row.held) search.row.boot = means_.boot;
    const auto suite = std::ranges::find(suites, search.row.suite, &store::SuiteRow::id);
    search.name = suite == suites.end() ? search.space->name() : suite->name;
    keep(search);
    for (std::size_t trial = 0; trial < search.trials.size(); ++trial)
      for (const search::TrialRun& run : std::vector(search.trials[trial].runs)) {
        if (run.ended || waits(run.run)) continue;
        const auto row = means_.store.find(run.run);
        const bool known = row && row->id == run.run;
        run::RunOutcome outcome{.run = run.run, .name = known ? row->name : "", .state = known ? row->state : store::RunState::kStopped, .error = known ? row->error : "", .reason = known ? row->reason : "asked"};
        takeEnd({&search, trial}, outcome, known ? measureOf(means_.store, *row, search.space->spec()) : search::Measure{});
      }
  }
}

void Searches::begin(const std::string& suite, const Submission& submission, const Context& context) {
  if (means_.store.search(suite)) return;
  const store::SearchRow row{.suite = suite, .document = submission.search, .kind = kindName(submission.kind), .context = dumped(written(context)), .now = submission.now, .boot = means_.boot};
  Search search{.row = row, .space = spaceOf(submission.search), .name = submission.suite};
  means_.records.withWriter([&](store::StoreWriter& store) { store.createSearch({.id = suite, .name = submission.suite, .createdUtc = unixNow()}, row); });
  searches_.push_back(std::move(search));
  advance();
}

void Searches::advance() {
  for (Search& search : searches_) {
    for (const Trial& trial : search.trials)
      for (const search::TrialRun& run : trial.runs)
        if (trial.state == TrialState::kGivenUp && !run.ended) means_.stop(run.run);
    try {
      while (step(search)) {}
    } catch (const Error& error) {  // the store takes nothing now: the same is chosen again
      if (std::exchange(search.trouble, error.what()) != error.what()) means_.changed(search.row.suite);
    }
  }
  std::erase_if(searches_, [](const Search& search) { return search.row.ended; });
}

bool Searches::step(Search& search) {
  const Step next = search::nextStep(*search.space, search.trials, minutesOf(search));
  switch (next.kind) {
    case Step::Kind::kWait: return false;
    case Step::Kind::kCut: return giveUp(search, next.trial, next.sentence), true;
    case Step::Kind::kEnd:
      search.row.ended = true, search.row.result = next.sentence;
      keep(search);
      return false;
    case Step::Kind::kPoint:
      if (search.row.held) return false;
      addRun(search, search.trials.size(), Trial{.at = next.point.at, .why = next.point.why});
      return true;
    case Step::Kind::kSeed:
      if (search.row.held) return false;
      addRun(search, next.trial, std::nullopt);
      return true;
  }
  return false;
}

// Trial, cell and entry of the queue at once, so that no run is ever begun twice.
void Searches::addRun(Search& search, std::size_t number, std::optional<Trial> fresh) {
  Trial trial = fresh ? *fresh : search.trials[number];
  const std::size_t seed = trial.runs.size(), seeds = search.space->seeds();
  const SuitePoint point = search.space->point(trial.at, seed);
  store::QueueRow row{.kind = search.row.kind, .run = store::newRunId(), .name = point.name, .suite = search.name, .now = search.row.now, .boot = means_.boot, .context = search.row.context, .submittedUtc = unixNow()};
  try {
    row.specText = completed(point);
  } catch (const Error& error) {  // what only this choice of values breaks
    trial.state = TrialState::kFailed, trial.note = error.what();
  }
  const bool runs = trial.state == TrialState::kGoing;
  if (runs) trial.runs.push_back({.run = row.run});
  const store::SuiteCell cell{.place = static_cast<std::int64_t>(number * seeds + seed), .name = point.name, .kind = row.kind, .runs = {row.run}};
  means_.records.withWriter([&](store::StoreWriter& store) {
    store.together([&] {
      store.putTrial(search.row.suite, static_cast<std::int64_t>(number), dumped(written(trial)));
      if (!runs) return;
      store.addCell(search.row.suite, cell, row.specText);
      row.position = means_.position();
      row.entry = store.enqueue(row);
    });
  });
  search.trouble.clear();
  if (fresh) search.trials.push_back(std::move(trial));
  else search.trials[number] = std::move(trial);
  if (runs) means_.queued(std::move(row));
  means_.changed(search.row.suite);
}

void Searches::keep(const Search& search, std::size_t trial) {
  means_.records.write("", [suite = search.row.suite, trial, text = dumped(written(search.trials[trial]))](store::StoreWriter& store) { store.putTrial(suite, static_cast<std::int64_t>(trial), text); });
  means_.changed(search.row.suite);
}

void Searches::keep(const Search& search) {
  means_.records.write("", [row = search.row](store::StoreWriter& store) { store.updateSearch(row); });
  means_.changed(search.row.suite);
}

void Searches::giveUp(Search& search, std::size_t trial, const std::string& why) {
  search.trials[trial].state = TrialState::kGivenUp, search.trials[trial].note = why;
  keep(search, trial);
  for (const search::TrialRun& run : std::vector(search.trials[trial].runs))
    if (!run.ended) means_.stop(run.run);
}

bool Searches::waits() const {
  return std::ranges::any_of(searches_, [](const Search& search) { return !search.row.held; });
}

std::vector<std::string> Searches::runsOf(const std::string& suite) const {
  std::vector<std::string> runs;
  for (const Search& search : searches_)
    for (const Trial& trial : search.trials)
      for (const search::TrialRun& run : trial.runs)
        if (search.row.suite == suite && !run.ended) runs.push_back(run.run);
  return runs;
}

Searches::Search& Searches::going(const std::string& suite) {
  const auto found = std::ranges::find(searches_, suite, [](const Search& search) { return search.row.suite; });
  if (found == searches_.end()) throw Error(Errc::kStore, strCat("suite ", suite, " has no search that goes on"));
  return *found;
}

void Searches::setHeld(const std::string& suite, bool held) {
  Search& search = going(suite);
  search.row.held = held, search.row.boot = means_.boot;
  keep(search);
  advance();
}

void Searches::holdAll(bool held) {
  for (Search& search : searches_)
    if (search.row.held != held) search.row.held = held, search.row.boot = means_.boot, keep(search);
  advance();
}

void Searches::end(const std::string& suite) {
  Search& search = going(suite);
  for (const std::string& run : runsOf(suite)) means_.stop(run);
  for (std::size_t i = 0; i < search.trials.size(); ++i) {
    Trial& trial = search.trials[i];
    if (!search::isOpen(trial)) continue;
    for (search::TrialRun& run : trial.runs)
      if (const auto began = began_.find(run.run); !run.ended) run.ended = true, run.seconds = began == began_.end() ? 0 : steadySeconds() - began->second;
    if (trial.state == TrialState::kGoing) trial.state = TrialState::kDropped, trial.note = "the search was ended";
    keep(search, i);
  }
  search.row.ended = true, search.row.held = false, search.row.result = search::resultText(*search.space, search.trials, "Ended on request.");
  keep(search);
  std::erase_if(searches_, [](const Search& each) { return each.row.ended; });
}

Searches::Place Searches::placeOf(const std::string& run) {
  for (Search& search : searches_)
    for (std::size_t trial = 0; trial < search.trials.size(); ++trial)
      if (std::ranges::find(search.trials[trial].runs, run, &search::TrialRun::run) != search.trials[trial].runs.end()) return {&search, trial};
  return {};
}

std::shared_ptr<SearchWatch> Searches::watch(const store::QueueRow& row, OnRung rung) {
  const Place place = placeOf(row.run);
  if (place.search == nullptr) return {};
  const auto before = means_.store.find(row.run);
  const double already = before && before->id == row.run && before->startedUtc > 0 ? std::max(0.0, unixNow() - before->startedUtc) : 0;
  began_[row.run] = steadySeconds() - already;
  const std::string& text = row.specText.empty() && before ? before->specText : row.specText;
  return std::make_shared<SearchWatch>(parseRunSpec(text).spec, place.search->space->spec(), std::move(rung));
}

double Searches::minutesOf(const Search& search) const {
  double seconds = 0;
  for (const Trial& trial : search.trials)
    for (const search::TrialRun& run : trial.runs) {
      const auto began = began_.find(run.run);
      seconds += run.ended || began == began_.end() ? run.seconds : steadySeconds() - began->second;
    }
  return seconds / kMinute;
}

void Searches::came(const std::string& run, std::size_t rung, const search::Measure& measure) {
  const Place place = placeOf(run);
  if (place.search == nullptr) return;
  Trial& trial = place.search->trials[place.trial];
  search::TrialRun& own = *std::ranges::find(trial.runs, run, &search::TrialRun::run);
  if (rung != own.rungs.size()) return;  // it is read again
  own.rungs.push_back(measure);
  const std::string why = trial.state == TrialState::kGoing ? search::judged(*place.search->space, place.search->trials, place.trial, rung) : "";
  if (why.empty()) keep(*place.search, place.trial);
  else giveUp(*place.search, place.trial, why);
}

void Searches::ended(run::RunOutcome& outcome, const search::Measure& measure) {
  if (const Place place = placeOf(outcome.run); place.search != nullptr) takeEnd(place, outcome, measure);
  began_.erase(outcome.run);
}

void Searches::takeEnd(Place place, run::RunOutcome& outcome, const search::Measure& measure) {
  Trial& trial = place.search->trials[place.trial];
  const auto began = began_.find(outcome.run);
  double seconds = began == began_.end() ? 0 : steadySeconds() - began->second;
  if (const auto row = means_.store.find(outcome.run); began == began_.end() && row && row->startedUtc > 0) seconds = std::max(0.0, row->endedUtc - row->startedUtc);
  const std::string said = outcome.error.empty() ? store::reasonText(outcome.reason) : outcome.error;
  search::takeEnd(*place.search->space, trial, outcome.run, endOf(outcome.state), measure, said, seconds);
  if (trial.state == TrialState::kGivenUp && outcome.state == store::RunState::kStopped) {
    outcome.error = trial.note, outcome.reason = kGivenUpReason;
    if (const auto row = means_.store.find(outcome.run); row && row->id == outcome.run) means_.records.setState(outcome.run, outcome.state, outcome.error, outcome.reason);
  }
  keep(*place.search, place.trial);
}

}  // namespace paceline::recorder

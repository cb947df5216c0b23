#include "app/cluster/recorder/entry_work.h"

#include <algorithm>

#include "engine/core/base/clock.h"
#include "engine/core/json/json_text.h"

namespace paceline::recorder {
namespace {

constexpr std::size_t kRecent = 32;  // rounds that tell the present rate
constexpr double kLeastKnown = 0.02;  // of the run, before anything is said about its end

constexpr double kTellEverySeconds = 0.25;

run::RunOutcome workOn(const store::QueueRow& entry, run::RunMeans& means, const EntryChange& change, const std::stop_token& stop, SearchWatch* watch) {
  const bool simulated = entry.kind == kindName(EntryKind::kSimulation);
  const store::StoreReader store(means.records.path());
  const auto row = store.find(entry.run);
  const bool known = row && row->id == entry.run;
  const RunSpec spec = parseRunSpec(entry.specText.empty() && known ? row->specText : entry.specText).spec;
  ProgressFold fold(spec, simulated);
  const auto observe = [&](const std::string& node, const Event& event) {
    fold.take(node, event);
    if (watch != nullptr) watch->take(node, event);
  };
  if (known && !simulated) replay(store, entry.run, observe);
  const auto tell = [&] { change([progress = fold.progress()](Entry& shown) { shown.progress = progress; }); };
  means.callbacks.onState = [&](const std::string&, store::RunState state, const std::string& text) {
    change([state, text, progress = fold.progress()](Entry& shown) { shown.state = state, shown.text = text, shown.progress = progress; });
  };
  means.callbacks.onProgress = [&](const std::string& host, const std::string& text) {
    change([text = host + ": " + text](Entry& shown) { shown.text = text; });
  };
  means.callbacks.onEvent = [&, told = 0.0](const StampedEvent& event) mutable {
    observe(event.node, event.event);
    if (steadySeconds() - told < kTellEverySeconds) return;
    told = steadySeconds();
    tell();
  };
  const auto run = [&] {
    if (simulated) return run::simulateRun(means, spec, stop);
    run::RunSession session(means);
    if (known) return session.attach(entry.run, stop);
    if (entry.kind != kindName(EntryKind::kResume)) return session.run(spec, stop);
    const auto ended = store.find(entry.resumedFrom);
    if (!ended) throw Error(Errc::kStore, "run " + entry.resumedFrom + " is not in the store any more");
    return session.resume(*ended, spec, stop);
  };
  const run::RunOutcome outcome = run();
  tell();
  return outcome;
}

}  // namespace

std::vector<Turn> turns(const std::vector<Waiter>& queue, int cores) {
  constexpr int kLeastAtOnce = 2;  // a short one does not wait for a long one
  std::map<std::string, std::string> taken;  // host -> who has it, or waits for it before others
  const int simulations = static_cast<int>(std::ranges::count_if(queue, [](const Waiter& waiter) { return waiter.simulation && !waiter.held; }));
  const int atOnce = std::max(cores, kLeastAtOnce), threads = std::max(1, cores / std::max(1, simulations));
  int simulating = 0;
  for (const Waiter& waiter : queue) {
    if (!waiter.begun) continue;
    if (waiter.simulation) ++simulating;
    for (const std::string& host : waiter.hosts) taken[host] = waiter.label;
  }
  std::vector<Turn> turns;
  for (const Waiter& waiter : queue) {
    if (waiter.begun) continue;
    if (waiter.held) {
      turns.push_back({waiter.id, strCat(waiter.restarted ? "held since this computer was started again" : "held", "; paceline queue go lets it run")});
      continue;
    }
    if (waiter.simulation) {
      turns.push_back({waiter.id, simulating++ < atOnce ? "" : "waits for other simulations", threads});
      continue;
    }
    const auto busy = std::ranges::find_if(waiter.hosts, [&](const std::string& host) { return !waiter.now && taken.contains(host); });
    turns.push_back({waiter.id, busy == waiter.hosts.end() ? "" : strCat("waits for ", taken.at(*busy), " on ", *busy)});
    for (const std::string& host : waiter.hosts) taken.try_emplace(host, waiter.label);
  }
  return turns;
}

ProgressFold::ProgressFold(const RunSpec& spec, bool simulated, double (*clock)()) : own_(spec), simulated_(simulated), clock_(clock == nullptr ? steadySeconds : clock) {
  if (spec.stop.rounds) rounds_ = Rule{.limit = static_cast<double>(*spec.stop.rounds)};
  if (spec.stop.seconds) seconds_ = Rule{.limit = *spec.stop.seconds};
  if (spec.stop.samples) samples_ = Rule{.limit = static_cast<double>(*spec.stop.samples)};
  began_ = clock_();
}

void ProgressFold::take(const std::string& node, const Event& event) {
  if (const auto* round = std::get_if<RoundRecord>(&event)) {
    takeRound(node, *round);
  } else if (const auto* notice = std::get_if<NoticeRecord>(&event)) {
    takeNotice(node, *notice);
  } else if (const auto* evaluation = std::get_if<EvaluationRecord>(&event)) {
    if (own_.takes(node, *evaluation)) progress_.accuracy = evaluation->accuracy;
  }
}

void ProgressFold::takeRound(const std::string& node, const RoundRecord& round) {
  const double time = simulated_ ? clock_() - began_ : round.t;
  trained_ += round.samples;
  advance(samples_, time, static_cast<double>(trained_));
  if (own_.isCoordinator(node)) {
    progress_.round = std::max(progress_.round, round.round);
    progress_.seconds = std::max(progress_.seconds, round.t);
    advance(rounds_, time, static_cast<double>(progress_.round));
    advance(seconds_, time, progress_.seconds);
  }
  estimate();
}

void ProgressFold::takeNotice(const std::string& node, const NoticeRecord& notice) {
  if (notice.reason == kNotFinite && progress_.diverged.empty()) progress_.diverged = strCat(node, ": ", notice.text);
  const bool heard = notice.kind == "exit" || (notice.kind == "note" && notice.reason == "heard");
  if (notice.kind == "note" && notice.reason == "silent") silent_.insert(node);
  else if (!heard || silent_.erase(node) == 0) return;
  estimate();
}

void ProgressFold::advance(std::optional<Rule>& rule, double time, double done) {
  if (!rule || !(rule->limit > 0)) return;
  rule->done = std::max(rule->done, done);
  rule->recent.emplace_back(time, rule->done);
  if (rule->recent.size() > kRecent) rule->recent.pop_front();
  progress_.fraction = std::max(progress_.fraction, std::clamp(rule->done / rule->limit, 0.0, 1.0));
}

// Between the mean rate and the present one; the rule that ends first counts.
void ProgressFold::estimate() {
  std::optional<double> low, high;
  for (const auto* rule : {&rounds_, &seconds_, &samples_}) {
    if (!silent_.empty() || !*rule || (*rule)->recent.empty() || (*rule)->done < kLeastKnown * (*rule)->limit) continue;
    const auto [first, before] = (*rule)->recent.front();
    const auto [last, done] = (*rule)->recent.back();
    const double mean = last > 0 ? done / last : 0, present = last > first ? (done - before) / (last - first) : mean;
    if (!(mean > 0) || !(present > 0)) continue;
    const double rest = std::max(0.0, (*rule)->limit - done), a = rest / mean, b = rest / present;
    low = std::min(low.value_or(HUGE_VAL), std::min(a, b));
    high = std::min(high.value_or(HUGE_VAL), std::max(a, b));
  }
  progress_.leftLowSeconds = low, progress_.leftHighSeconds = high;
}

run::RunOutcome work(const store::QueueRow& row, const std::function<run::RunMeans(const Context&)>& meansFor, const EntryChange& change, std::stop_token stop, SearchWatch* watch) {
  try {
    const Context context = readFrom<Context>(jsonOrNull(row.context));
    run::RunMeans means = meansFor(context);
    means.id = row.run, means.folder = context.folder, means.variables = context.variables, means.prediction = context.prediction, means.beside = row.now;
    if (!context.insteadOf.empty()) means.goesOn = run::GoesOn{.insteadOf = context.insteadOf, .count = context.resumes};
    return workOn(row, means, change, stop, watch);
  } catch (const std::exception& error) {
    return {.run = row.run, .name = row.name, .state = store::RunState::kFailed, .error = reasonOf(error), .reason = "failure"};
  }
}

}  // namespace paceline::recorder

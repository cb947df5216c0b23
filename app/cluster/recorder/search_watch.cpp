#include "app/cluster/recorder/search_watch.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "storage/summary/summary.h"

namespace paceline::recorder {

OwnCurve::OwnCurve(const RunSpec& spec) {
  for (const NodeSpec& node : spec.nodes) roles_[node.id] = roleName(node.role);
  if (const int node = spec.evaluatorNode(); node >= 0) evaluator_ = spec.nodes[static_cast<std::size_t>(node)].id;
}

bool OwnCurve::takes(const std::string& node, const EvaluationRecord& evaluation, bool* instead) {
  const int preference = 2 * summary::curvePreference(evaluation, node, roles_[node]) + (node == evaluator_ ? 1 : 0);
  if (instead != nullptr) *instead = preference > preferred_;
  if (preference < preferred_) return false;
  preferred_ = preference;
  return true;
}

namespace {

double endOf(const RunSpec& spec, const SearchSpec& search) {
  if (!search.halving) return 0;
  return search.halving->by == RungUnit::kRounds ? static_cast<double>(spec.stop.rounds.value_or(std::numeric_limits<std::int64_t>::max())) : spec.stop.seconds.value_or(HUGE_VAL);
}

}  // namespace

SearchWatch::SearchWatch(const RunSpec& spec, const SearchSpec& search, std::function<void(std::size_t, const search::Measure&)> onRung)
    : halving_(search.halving), byRate_(search.goal == SearchGoal::kSamplesPerSecond), end_(endOf(spec, search)), target_(spec.stop.accuracy), onRung_(std::move(onRung)), own_(spec) {}

void SearchWatch::take(const std::string& node, const Event& event) {
  if (const auto* round = std::get_if<RoundRecord>(&event)) return takeRound(node, *round);
  const auto* evaluation = std::get_if<EvaluationRecord>(&event);
  bool instead = false;
  if (evaluation == nullptr || !own_.takes(node, *evaluation, &instead)) return;
  if (instead) measure_ = {};
  reach(RungUnit::kSeconds, evaluation->t);
  takeEvaluation(*evaluation);
  if (!byRate_) reach(RungUnit::kRounds, static_cast<double>(evaluation->round));
}

void SearchWatch::takeRound(const std::string& node, const RoundRecord& round) {
  reach(RungUnit::kSeconds, round.t);
  began_ = std::min(began_, round.t - round.total), ended_ = std::max(ended_, round.t);
  samples_ += round.samples;
  if (byRate_ && own_.isCoordinator(node)) reach(RungUnit::kRounds, static_cast<double>(round.round));
}

void SearchWatch::takeEvaluation(const EvaluationRecord& evaluation) {
  const double accuracy = evaluation.deciding();  // a search that chose by the test set would have no test set left
  if (!std::isfinite(accuracy)) return measure_.accuracyLast.reset();
  measure_.accuracyLast = accuracy;
  measure_.accuracyBest = std::max(measure_.accuracyBest.value_or(0), accuracy);
  if (target_ && accuracy >= *target_ && !measure_.secondsToTarget) measure_.secondsToTarget = evaluation.t;
}

void SearchWatch::reach(RungUnit unit, double done) {
  if (!halving_ || halving_->by != unit) return;
  for (double rung = 0; (rung = search::rungAt(*halving_, rungs_)) < end_ && done >= rung; ++rungs_)
    if (onRung_) onRung_(rungs_, measure());
}

search::Measure SearchWatch::measure() const {
  search::Measure now = measure_;
  if (ended_ > began_) now.samplesPerSecond = static_cast<double>(samples_) / (ended_ - began_);
  return now;
}

void replay(const store::StoreReader& store, const std::string& run, const std::function<void(const std::string& node, const Event&)>& take) {
  const std::vector<store::RoundRow> rounds = store.rounds(run);
  const std::vector<store::EvaluationRow> evaluations = store.evaluations(run);
  for (std::size_t r = 0, e = 0; r < rounds.size() || e < evaluations.size();) {
    const bool evaluation = r == rounds.size() || (e < evaluations.size() && evaluations[e].record.t <= rounds[r].record.t);
    if (evaluation) take(evaluations[e].node, evaluations[e].record), ++e;
    else take(rounds[r].node, rounds[r].record), ++r;
  }
  for (const store::NoticeRow& row : store.notices(run)) take(row.node, row.record);
}

search::Measure measureOf(const store::StoreReader& store, const store::RunRow& run, const SearchSpec& search) {
  SearchWatch watch(parseRunSpec(run.specText).spec, search);
  replay(store, run.id, [&watch](const std::string& node, const Event& event) { watch.take(node, event); });
  return watch.measure();
}

}  // namespace paceline::recorder

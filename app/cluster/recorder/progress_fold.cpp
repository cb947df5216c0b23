#include "app/cluster/recorder/progress_fold.h"

#include <algorithm>
#include <cmath>

#include "engine/core/base/clock.h"
#include "storage/summary/summary.h"

namespace paceline::recorder {
namespace {

constexpr std::size_t kRecent = 32;  // rounds that tell the present rate
constexpr double kLeastKnown = 0.02;  // of the run, before anything is said about its end

}  // namespace

ProgressFold::ProgressFold(const RunSpec& spec, bool simulated, double (*clock)()) : simulated_(simulated), clock_(clock == nullptr ? steadySeconds : clock) {
  if (spec.stop.rounds) rounds_ = Rule{.limit = static_cast<double>(*spec.stop.rounds)};
  if (spec.stop.seconds) seconds_ = Rule{.limit = *spec.stop.seconds};
  if (spec.stop.samples) samples_ = Rule{.limit = static_cast<double>(*spec.stop.samples)};
  for (const NodeSpec& node : spec.nodes) roles_[node.id] = roleName(node.role);
  if (const int node = spec.evaluatorNode(); node >= 0) evaluator_ = spec.nodes[static_cast<std::size_t>(node)].id;
  began_ = clock_();
}

void ProgressFold::take(const std::string& node, const Event& event) {
  if (const auto* round = std::get_if<RoundRecord>(&event)) {
    takeRound(node, *round);
  } else if (const auto* evaluation = std::get_if<EvaluationRecord>(&event)) {
    // The run's own curve, as summaries choose it; among workers that evaluate themselves the evaluating one.
    const int preference = 2 * summary::curvePreference(*evaluation, node, roles_[node]) + (node == evaluator_ ? 1 : 0);
    if (preference < preferred_) return;
    preferred_ = preference;
    progress_.accuracy = evaluation->accuracy;
  }
}

void ProgressFold::takeRound(const std::string& node, const RoundRecord& round) {
  const double time = simulated_ ? clock_() - began_ : round.t;
  trained_ += round.samples;
  advance(samples_, time, static_cast<double>(trained_));
  if (evaluator_.empty() || node == evaluator_) {
    progress_.round = std::max(progress_.round, round.round);
    progress_.seconds = std::max(progress_.seconds, round.t);
    advance(rounds_, time, static_cast<double>(progress_.round));
    advance(seconds_, time, progress_.seconds);
  }
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
    if (!*rule || (*rule)->recent.empty() || (*rule)->done < kLeastKnown * (*rule)->limit) continue;
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

}  // namespace paceline::recorder

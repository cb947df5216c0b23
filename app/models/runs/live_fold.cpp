#include "app/models/runs/live_fold.h"

#include <algorithm>
#include <cmath>

#include "storage/summary/summary.h"

namespace paceline::runs {
namespace {

constexpr std::size_t kRecentRounds = 16;
constexpr std::size_t kMostBuckets = 240;  // then two become one

std::string lastWord(const NoticeRecord& notice) {
  if (notice.kind == "listening") return "ready";
  if (notice.kind == "started") return "training";
  if (notice.kind == "finished") return notice.reason == "asked" ? "stopped" : "finished";
  if (notice.kind == "failed") return "failed";
  if (notice.kind == "exit" && notice.code != 0) return "failed";
  return {};
}

std::string levelOf(const NoticeRecord& notice) {
  if (!notice.level.empty()) return notice.level;
  if (notice.kind == "failed" || (notice.kind == "exit" && notice.code != 0)) return "error";
  return "info";
}

std::string sentence(const NoticeRecord& notice) {
  std::string text = notice.kind == "log" || notice.kind == "note" ? "" : notice.kind;
  if (!notice.reason.empty() && notice.reason != notice.text) text += (text.empty() ? "" : ": ") + notice.reason;
  if (!notice.text.empty()) text += (text.empty() ? "" : ": ") + notice.text;
  if (notice.kind == "exit") text += " (code " + std::to_string(notice.code) + ")";
  return text;
}

}  // namespace

LiveFold::LiveFold(store::RunRow run, std::vector<store::NodeRow> nodes) : traffic_(run, nodes) {
  std::stable_sort(nodes.begin(), nodes.end(), [](const store::NodeRow& a, const store::NodeRow& b) {
    return std::make_pair(a.role != "worker", a.rank) < std::make_pair(b.role != "worker", b.rank);
  });
  for (const store::NodeRow& node : nodes) {
    WorkerLine line;
    line.id = node.id, line.role = node.role, line.host = node.host, line.device = node.device;
    states_[node.id] = "waiting";
    snapshot_.nodes.push_back(std::move(line));
    if (evaluator_.empty() && node.role == "worker") evaluator_ = node.id;
  }
  if (!run.specText.empty()) {
    const RunSpec spec = parseRunSpec(run.specText).spec;
    if (!spec.evaluate.on.empty()) evaluator_ = spec.evaluate.on;
  }
  snapshot_.run = std::move(run);
}

WorkerLine* LiveFold::line(const std::string& node) {
  for (WorkerLine& line : snapshot_.nodes)
    if (line.id == node) return &line;
  return nullptr;
}

void LiveFold::add(const store::RoundRow& row) {
  const RoundRecord& r = row.record;
  snapshot_.samples += r.samples;
  snapshot_.bytes += traffic_.bytesOf(r);
  if (row.node == evaluator_)
    snapshot_.rounds = std::max(snapshot_.rounds, r.round), snapshot_.seconds = std::max(snapshot_.seconds, r.t);
  addRate(r);
  Sums& sums = sums_[row.node];
  sums.busy += r.fetch + r.compute + r.update;
  sums.wait += r.wait;
  sums.total += r.total;
  sums.samples += r.samples;
  sums.recent.push_back({r.t, r.total, r.samples});
  if (sums.recent.size() > kRecentRounds) sums.recent.pop_front();
  WorkerLine* worker = line(row.node);
  if (!worker) return;
  std::string& state = states_[row.node];
  if (state == "waiting" || state == "ready") state = "training";
  worker->rounds = std::max(worker->rounds, r.round);
  worker->localSteps = r.localSteps;
  worker->staleness = r.staleness;
  worker->bytesSent += r.bytesSent;
  worker->bytesReceived += r.bytesReceived;
  worker->samplesPerSecond = rateOver(sums);
  if (sums.total <= 0) return;
  worker->compute = std::min(1.0, sums.busy / sums.total);
  worker->wait = std::clamp(sums.wait / sums.total, 0.0, 1.0 - worker->compute);
  worker->exchange = std::max(0.0, 1.0 - worker->compute - worker->wait);
}

double LiveFold::rateOver(const Sums& sums) const {
  double seconds = 0, samples = 0;
  for (const Recent& recent : sums.recent) seconds += recent.total, samples += static_cast<double>(recent.samples);
  return seconds > 0 ? samples / seconds : 0;
}

// A round's samples are spread over the time it took, so a slow worker does not look like spikes.
void LiveFold::addRate(const RoundRecord& record) {
  if (!(record.t >= 0) || !std::isfinite(record.t)) return;
  furthest_ = std::max(furthest_, record.t);
  while (record.t / bucketSeconds_ >= static_cast<double>(kMostBuckets)) {
    for (std::size_t i = 0; i < buckets_.size(); i += 2)
      buckets_[i / 2] = buckets_[i] + (i + 1 < buckets_.size() ? buckets_[i + 1] : 0);
    buckets_.resize((buckets_.size() + 1) / 2);
    bucketSeconds_ *= 2;
  }
  const auto last = static_cast<std::size_t>(record.t / bucketSeconds_);
  if (buckets_.size() <= last) buckets_.resize(last + 1, 0.0);
  const double begin = std::max(0.0, record.t - std::max(0.0, record.total)), width = record.t - begin;
  if (width <= 0) {
    buckets_[last] += static_cast<double>(record.samples);
    return;
  }
  for (auto i = static_cast<std::size_t>(begin / bucketSeconds_); i <= last; ++i) {
    const double from = std::max(begin, static_cast<double>(i) * bucketSeconds_);
    const double to = std::min(record.t, static_cast<double>(i + 1) * bucketSeconds_);
    buckets_[i] += static_cast<double>(record.samples) * std::max(0.0, to - from) / width;
  }
}

// As summaries choose the run's curve; among workers that evaluate themselves the evaluating one.
int LiveFold::preference(const store::EvaluationRow& row) const {
  std::string role;
  for (const WorkerLine& each : snapshot_.nodes)
    if (each.id == row.node) role = each.role;
  return 2 * summary::curvePreference(row.record, row.node, role) + (row.node == evaluator_ ? 1 : 0);
}

void LiveFold::add(const store::EvaluationRow& row) {
  const int preference = this->preference(row);
  if (preference < preferred_) return;
  if (preference > preferred_) {  // the first evaluations of the run's own curve
    preferred_ = preference;
    snapshot_.accuracySeconds.clear(), snapshot_.accuracy.clear(), snapshot_.loss.clear();
    snapshot_.accuracyBest.reset();
  }
  snapshot_.accuracySeconds.push_back(row.record.t);
  snapshot_.accuracy.push_back(row.record.accuracy);
  snapshot_.loss.push_back(row.record.loss);
  snapshot_.accuracyLast = row.record.accuracy;
  if (std::isfinite(row.record.accuracy))
    snapshot_.accuracyBest = std::max(snapshot_.accuracyBest.value_or(0), row.record.accuracy);
}

std::optional<LogLine> LiveFold::add(const store::NoticeRow& row) {
  const std::string word = lastWord(row.record);
  if (!word.empty() && states_[row.node] != "failed") states_[row.node] = word;
  const std::string text = sentence(row.record);
  if (text.empty()) return std::nullopt;
  return LogLine{row.record.unixTime, row.node, row.record.kind, levelOf(row.record), text};
}

// Once the run has ended or is stale, a node without a recorded end is not at work either.
void LiveFold::tellStates() {
  const store::RunState run = snapshot_.run.state;
  for (WorkerLine& line : snapshot_.nodes) {
    line.state = states_[line.id];
    const bool open = line.state == "waiting" || line.state == "ready" || line.state == "training";
    if (line.role == "evaluator" && line.state == "training") line.state = "evaluating";
    if (open && run == store::RunState::kStale) line.state = "not known";
    if (open && store::isEnded(run)) line.state = "ended";
    if (const Sums& sums = sums_[line.id]; store::isEnded(run) && sums.total > 0)
      line.samplesPerSecond = static_cast<double>(sums.samples) / sums.total;
  }
}

const LiveSnapshot& LiveFold::snapshot() {
  tellStates();
  // The newest bucket is still filling.
  const std::size_t whole = store::isEnded(snapshot_.run.state) || buckets_.empty() ? buckets_.size() : buckets_.size() - 1;
  snapshot_.rateSeconds.clear();
  snapshot_.rate.clear();
  for (std::size_t i = 0; i < whole; ++i) {
    const double end = std::min(static_cast<double>(i + 1) * bucketSeconds_, std::max(furthest_, bucketSeconds_ / 100));
    const double width = end - static_cast<double>(i) * bucketSeconds_;
    if (width < bucketSeconds_ * 0.25) break;  // too short to tell a rate
    snapshot_.rateSeconds.push_back(static_cast<double>(i) * bucketSeconds_ + width / 2);
    snapshot_.rate.push_back(buckets_[i] / width);
  }
  return snapshot_;
}

}  // namespace paceline::runs

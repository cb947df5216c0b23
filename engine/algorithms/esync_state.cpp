#include "engine/algorithms/esync_state.h"

#include "engine/core/base/error.h"

namespace paceline {
namespace {

// A step that fits exactly fits, however the sums of step times round. Relative to the slowest step.
constexpr double kRounding = 1e-9;

}  // namespace

EsyncState::EsyncState(int workers, double epsilon, EpsilonUnit unit)
    : workers_(static_cast<std::size_t>(workers)), epsilon_(epsilon), unit_(unit) {}

bool EsyncState::registerWorker(int rank, double stepSeconds) {
  Worker& worker = workers_.at(static_cast<std::size_t>(rank));
  if (!worker.stepSeconds) ++registered_;
  worker.stepSeconds = stepSeconds;
  return complete();
}

void EsyncState::beginRound(int rank, std::int64_t round, double now) {
  if (round != round_) {
    round_ = round;
    for (Worker& worker : workers_) worker.ready = false;
  }
  Worker& worker = workers_.at(static_cast<std::size_t>(rank));
  worker.round = round;
  worker.stepBegan = now;
}

bool EsyncState::ready(int rank, std::int64_t steps, double stepSeconds, double now) {
  PACELINE_CHECK(complete(), "ESync decides before all workers have registered");
  Worker& worker = workers_.at(static_cast<std::size_t>(rank));
  worker.stepSeconds = stepSeconds;
  worker.stepBegan = now;
  worker.ready = decide(rank, steps, now);
  return worker.ready;
}

// The tests of the published state server (apply_for_aggregation), in its order.
bool EsyncState::decide(int rank, std::int64_t steps, double now) const {
  if (steps < 1) return false;
  const int s = slowest();
  const Worker& slow = workers_[static_cast<std::size_t>(s)];
  if (slow.round != round_) return false;  // it has not begun this round
  if (rank == s || slow.ready) return true;
  const double rest = *slow.stepSeconds - (now - slow.stepBegan);  // until the slowest has finished its step
  return *workers_[static_cast<std::size_t>(rank)].stepSeconds + epsilonSeconds() > rest + kRounding * *slow.stepSeconds;
}

int EsyncState::slowest() const {
  int slowest = 0;
  double longest = -1;
  for (std::size_t rank = 0; rank < workers_.size(); ++rank)
    if (const double seconds = workers_[rank].stepSeconds.value_or(0); seconds > longest) {
      longest = seconds;
      slowest = static_cast<int>(rank);
    }
  return slowest;
}

double EsyncState::epsilonSeconds() const {
  if (unit_ == EpsilonUnit::kSeconds) return epsilon_;
  return epsilon_ * workers_[static_cast<std::size_t>(slowest())].stepSeconds.value_or(0);
}

void EsyncState::state(Archive& archive) {
  std::vector<double> steps;
  for (const Worker& worker : workers_) steps.push_back(worker.stepSeconds.value_or(-1));
  archive.numbers("step_seconds", steps);
  archive.number("round", round_);
  if (!archive.loading()) return;
  if (steps.size() != workers_.size())
    throw Error(Errc::kFormat, strCat("the checkpoint is of ", steps.size(), " workers, this run has ", workers_.size()));
  registered_ = 0;
  for (std::size_t rank = 0; rank < steps.size(); ++rank) {
    workers_[rank] = {.stepSeconds = steps[rank] < 0 ? std::nullopt : std::optional(steps[rank]), .stepBegan = 0, .round = round_, .ready = false};
    if (steps[rank] >= 0) ++registered_;
  }
}

}  // namespace paceline

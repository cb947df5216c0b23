// ESync's decision: may this worker aggregate now, or does another local step fit before the slowest is done? Pure: every time is
// a server-side receive time or a duration that a worker measured, so workers' clocks never matter.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/core/base/archive.h"

namespace paceline {

// How early a worker stops: absolute seconds as published, or a fraction of the slowest worker's step.
enum class EpsilonUnit { kSeconds, kFraction };

class EsyncState {
 public:
  EsyncState(int workers, double epsilon, EpsilonUnit unit);

  // The duration of a warm-up step. True when everybody has registered: nothing may be decided before.
  bool registerWorker(int rank, double stepSeconds);
  bool complete() const { return registered_ == static_cast<int>(workers_.size()); }
  // The worker begins its first step of `round` at `now`. The first to begin a new round opens it for all.
  void beginRound(int rank, std::int64_t round, double now);
  // The worker has done `steps` steps in this round, the last took stepSeconds; `now` its question came. True: aggregate.
  bool ready(int rank, std::int64_t steps, double stepSeconds, double now);

  void left(int rank);            // it is lost: nobody waits for its step
  void joined(int rank);          // it takes part again, with the step time that it had
  int slowest() const;            // largest step time, lowest rank among equals
  double epsilonSeconds() const;  // in force now
  void state(Archive& archive);   // between rounds, when no receive time is of interest
  void withinRound(Archive& archive);  // the rest

 private:
  struct Worker {
    std::optional<double> stepSeconds;  // of the latest step; none: not registered
    double stepBegan = 0;               // receive time of its last message
    std::int64_t round = 0;
    bool ready = false, gone = false;
  };
  bool decide(int rank, std::int64_t steps, double now) const;

  std::vector<Worker> workers_;
  double epsilon_;
  EpsilonUnit unit_;
  int registered_ = 0;
  std::int64_t round_ = 0;
};

}  // namespace paceline

// A round of local steps that begins at the parameters all workers have, and what it changed: of methods that exchange changes instead of gradients. One thread.
// Proximal: every step's gradient gets mu * (w - w at the round's begin), Li et al. 2020, "Federated Optimization in Heterogeneous Networks".
// Normalised: what a worker changed counts per step, so that one that takes more steps does not pull the mean towards its own optimum; Wang et al. 2020,
// "Tackling the Objective Inconsistency Problem in Heterogeneous Federated Optimization" (FedNova):
//   mean change = mean(a_i) * mean((w_i - w) / a_i),   where each step does c = momentum * c + 1 - rate * mu * a, a += c
// from c = a = 0 (with momentum 0 and mu 0 a_i is the number of steps). The momentum begins at zero in each round then.
#pragma once

#include <cstdint>
#include <span>

#include "engine/algorithms/context/worker_context.h"
#include "engine/core/spec/params.h"

namespace paceline {

struct LocalRules {
  double proximal = 0;
  bool normalised = false;
  double participation = 1;
};

// Partial participation: ceil(share * N) of the N workers take part in a round, drawn without repetition by (seed, round) alone, so that nobody is asked. The others take no
// step, keep what is theirs (optimizer, controls, place in the data), send messages without values and get the result: all end a round at the same parameters.
int participants(double share, int world);
bool takesPart(const WorkerContext& ctx, double share);
ParamSpec participationParam();

class LocalRound {
 public:
  explicit LocalRound(const LocalRules& rules = {}) : rules_(rules) {}

  void begin(WorkerContext& ctx);  // at parameters()
  void step(WorkerContext& ctx, double rate);
  // `steps` more, of which nobody looks between.
  void steps(WorkerContext& ctx, double rate, std::int64_t steps) { while (here_ && steps-- > 0) step(ctx, rate); }
  bool here() const { return here_; }  // takes part in this round
  // parameters() - base() where blocks are trainable, zero elsewhere; the next change() or meanChange() overwrites it.
  std::span<Real> change(WorkerContext& ctx);
  // The mean of the changes of who takes part, as above; statistics in parameters() become their mean where the method says so. One more number is averaged where it is normalised.
  std::span<Real> meanChange(WorkerContext& ctx);
  void mean(WorkerContext& ctx, std::span<Real> values, std::int32_t vector = 0) const;  // of who takes part
  std::span<const Real> base() const { return base_; }

 private:
  LocalRules rules_;
  bool here_ = true;
  Owned<Real> base_, change_;
  double counted_ = 0, velocity_ = 0;  // a and c
};

// How many steps a worker takes in a round: all the same number H, or max(1, floor(v / v_fastest * H)) by a warm-up step of each. Liu et al. 2024, "Asynchronous Local-SGD
// Training for Language Modeling" (dynamic local updates).
std::int64_t stepsBySpeed(double ownSeconds, double fastestSeconds, std::int64_t most);
// The fastest worker's warm-up step in seconds, by one aggregation of a number a worker.
double fastestStep(WorkerContext& ctx, double ownSeconds);

}  // namespace paceline

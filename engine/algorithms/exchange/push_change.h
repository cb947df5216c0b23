// Worker half of asynchronous methods that push what several local steps changed instead of gradients; reads "learning_rate" and "local_steps". One thread.
#pragma once

#include <string>

#include "engine/algorithms/algorithm.h"
#include "engine/algorithms/local_round.h"

namespace paceline::exchange {

class PushChangeWorker : public WorkerAlgorithm {
 public:
  // outerRate: name of the parameter by which servers multiply w_begin - w_end, which is pushed.
  PushChangeWorker(const Params& params, const std::string& outerRate)
      : rate_(params.real("learning_rate")), outerRate_(params.real(outerRate)), steps_(params.integer("local_steps")) {}
  void round(WorkerContext& ctx) override;

 protected:
  double rate_, outerRate_;
  std::int64_t steps_;  // of a round

 private:
  LocalRound round_;
  Owned<Real> change_;  // w_begin - w_end; zero where blocks are not trainable
};

}  // namespace paceline::exchange

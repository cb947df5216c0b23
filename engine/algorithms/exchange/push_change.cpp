#include "engine/algorithms/exchange/push_change.h"

namespace paceline::exchange {

void PushChangeWorker::round(WorkerContext& ctx) {
  round_.begin(ctx);
  round_.steps(ctx, ctx.learningRate(rate_), steps_);
  const std::span<Real> w = ctx.parameters();
  if (change_.size() != w.size()) change_ = Owned<Real>::zeros(w);
  setTrainable(ctx.blocks(), change_, round_.base(), Real{-1}, w);
  ctx.pushPull(change_, {.scale = outerRate_});
}

}  // namespace paceline::exchange

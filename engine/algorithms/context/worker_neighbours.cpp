#include "engine/algorithms/context/worker_phase.h"

namespace paceline {

void WorkerContext::exchange(const exchange::ExchangePlan& plan, const exchange::NeighbourExchange::Compose& compose, const exchange::NeighbourExchange::Crossed& crossed) {
  const Phase phase(*this, Phase::kExchange);
  neighbours_.exchange(setup_.transport, plan, round_, compose, crossed);
}

}  // namespace paceline

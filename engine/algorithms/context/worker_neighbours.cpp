#include "engine/algorithms/context/worker_phase.h"

namespace paceline {

void WorkerContext::exchange(const ExchangePlan& plan, const NeighbourExchange::Compose& compose, const NeighbourExchange::Crossed& crossed) {
  const Phase phase(*this, Phase::kExchange);
  neighbours_.exchange(setup_.transport, plan, round_, compose, crossed);
}

}  // namespace paceline

// The parameters that decentralised methods share: when a worker exchanges with its neighbours. Pure functions.
#pragma once

#include <vector>

#include "engine/algorithms/exchange/neighbours.h"
#include "engine/core/spec/params.h"

namespace paceline::exchange {

// "exchange" and "exchange_times", to stand behind a method's own.
std::vector<ParamSpec> withExchangeParams(std::vector<ParamSpec> own);
ExchangePlan exchangePlanOf(const Params& params);

}  // namespace paceline::exchange

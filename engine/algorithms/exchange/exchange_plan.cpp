#include "engine/algorithms/exchange/exchange_plan.h"

namespace paceline::exchange {

std::vector<ParamSpec> withExchangeParams(std::vector<ParamSpec> own) {
  own.push_back(choiceParam("exchange", "synchronous", {"synchronous", "asynchronous"},
                            "Synchronous: both ends of an edge wait for each other at the same local step; asynchronous: nobody waits, a vector is "
                            "used at the next step boundary after it has come. PDMM (relaxation 1) then needs intervals of several steps: with an answer "
                            "about as late as the next exchange it diverges; ADMM does not."));
  own.push_back(choiceParam("exchange_times", "equal", {"equal", "random"},
                            "Equal: the same step of every interval; random: a step drawn anew in every interval, the same at both ends."));
  return own;
}

ExchangePlan exchangePlanOf(const Params& params) {
  return {.synchronous = params.text("exchange") == "synchronous", .randomTimes = params.text("exchange_times") == "random"};
}

}  // namespace paceline::exchange

#include "agent/supervisor/probe/clock_answers.h"

#include <iostream>
#include <string>

#include <nlohmann/json.hpp>

#include "agent/supervisor/supervise/watch.h"
#include "engine/core/record/event.h"

namespace paceline::probe {

void answerClock() {
  for (std::string line; std::getline(std::cin, line);)
    std::cout << nlohmann::json{{"unix_s", unixNow()}, {"monotonic_s", steadySeconds()}}.dump() << std::endl;
}

}  // namespace paceline::probe

#include "app/cluster/recorder/schedule.h"

#include <algorithm>
#include <map>

#include "engine/core/base/error.h"

namespace paceline::recorder {

std::vector<Turn> turns(const std::vector<Waiter>& queue, std::size_t simulations) {
  std::map<std::string, std::string> taken;  // host -> who has it, or waits for it before others
  std::size_t simulating = 0;
  for (const Waiter& waiter : queue) {
    if (!waiter.begun) continue;
    if (waiter.simulation) ++simulating;
    for (const std::string& host : waiter.hosts) taken[host] = waiter.label;
  }
  std::vector<Turn> turns;
  for (const Waiter& waiter : queue) {
    if (waiter.begun) continue;
    if (waiter.held) {
      turns.push_back({waiter.id, "held since this computer was started again; paceline queue go lets it run"});
      continue;
    }
    if (waiter.simulation) {
      turns.push_back({waiter.id, simulating++ < simulations ? "" : "waits for other simulations"});
      continue;
    }
    const auto busy = std::ranges::find_if(waiter.hosts, [&](const std::string& host) { return !waiter.now && taken.contains(host); });
    turns.push_back({waiter.id, busy == waiter.hosts.end() ? "" : strCat("waits for ", taken.at(*busy), " on ", *busy)});
    for (const std::string& host : waiter.hosts) taken.try_emplace(host, waiter.label);
  }
  return turns;
}

}  // namespace paceline::recorder

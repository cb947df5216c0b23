// Which entries of the queue may begin, and whom the others wait for: pure. A host trains one run at a time, in the queue's order; an
// entry that waits keeps its hosts from those behind it, so that a run on many hosts gets its turn.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace paceline::recorder {

struct Waiter {
  std::int64_t id = 0;
  std::string label;               // of its run, for others who wait
  std::vector<std::string> hosts;  // of a simulation none
  bool simulation = false, now = false, held = false, begun = false;
};

struct Turn {
  std::int64_t id = 0;
  std::string waits;  // "waits for esync on gpu1"; "": may begin
};

// Of those that have not begun. `simulations`: how many may run at once.
std::vector<Turn> turns(const std::vector<Waiter>& queue, std::size_t simulations);

}  // namespace paceline::recorder

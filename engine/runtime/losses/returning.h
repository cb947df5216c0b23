// New processes of workers that were lost, as one node knows them: which have announced themselves (Anew), and to which there is a way. Used by the node's thread. Header-only.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "engine/core/record/state_table.h"
#include "engine/runtime/control.h"

namespace paceline {

class Returning {
 public:
  // False: it is known. Else the way to it is to be renewed (Wire::renew), and back() follows.
  bool anew(int node, const Anew& told) {
    Process& process = of_[node];
    if (told.process <= process.number) return false;
    process = {.number = told.process, .rounds = told.rounds};
    return true;
  }
  void lost(int node) {
    if (const auto found = of_.find(node); found != of_.end()) found->second.reached = false;
  }
  // True: it is the first way to this process.
  bool back(int node) {
    const auto found = of_.find(node);
    return found != of_.end() && !std::exchange(found->second.reached, true);
  }

  // And has not taken part yet: each does once.
  bool isBack(int node) const { return of_.contains(node) && of_.at(node).reached && !of_.at(node).used; }
  void use(int node) { of_[node].used = true; }
  Anew of(int node) const { return of_.contains(node) ? Anew{.process = of_.at(node).number, .rounds = of_.at(node).rounds} : Anew{}; }
  std::vector<int> unreached() const {
    std::vector<int> nodes;
    for (const auto& [node, process] : of_)
      if (!process.reached) nodes.push_back(node);
    return nodes;
  }

  // A server that is to take this process in as soon as there is a way to it.
  void awaits(int node, std::int64_t process) { of_[node].awaited = process; }
  bool isDue(int node) const { return isBack(node) && of_.at(node).awaited > 0 && of_.at(node).awaited == of_.at(node).number; }
  void settle(int node) { of_[node].awaited = 0; }

  void state(Archive& archive) {
    std::vector<double> numbers;
    for (const auto& [node, process] : of_)
      numbers.insert(numbers.end(), {static_cast<double>(node), static_cast<double>(process.number), static_cast<double>(process.rounds), (process.reached ? 1.0 : 0.0) + (process.used ? 2.0 : 0.0), static_cast<double>(process.awaited)});
    archive.numbers("returning", numbers);
    for (std::size_t i = 0; i + 4 < numbers.size(); i += 5)
      of_[static_cast<int>(numbers[i])] = {.number = static_cast<std::int64_t>(numbers[i + 1]), .rounds = static_cast<std::int64_t>(numbers[i + 2]), .reached = (static_cast<int>(numbers[i + 3]) & 1) != 0, .used = numbers[i + 3] >= 2, .awaited = static_cast<std::int64_t>(numbers[i + 4])};
  }

 private:
  struct Process {
    std::int64_t number = 0, rounds = 0;  // as Anew's
    bool reached = false, used = false;
    std::int64_t awaited = 0;  // number; 0: none
  };
  std::map<int, Process> of_;
};

}  // namespace paceline

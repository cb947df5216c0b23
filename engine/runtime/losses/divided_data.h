// Who trains on the data of lost workers, where the document divides them (lost_data). The coordinator says whom the run goes on without, in numbered views; each worker takes its part from
// its next epoch on, and leaves it again from the next one on once the lost worker takes part again. Used by the worker's thread.
#pragma once

#include <vector>

#include "engine/comm/transport/transport.h"
#include "engine/core/base/objective.h"
#include "engine/runtime/losses/losses.h"

namespace paceline {

class DividedData {
 public:
  // A replay divides at once what its record says, for the epochs that it names.
  DividedData(const NodeRun& run, const RunParts& parts, Transport& transport, Objective& objective);

  void take(const Message& message);  // kMembers; throws Error{kFormat}
  void betweenRounds(const Losses& losses, std::int64_t round, double t);  // after this one; `losses`: looked at by the coordinator

 private:
  bool apply(std::int64_t round, double t);
  void tell(const std::string& before);
  std::string idsOf(const std::vector<int>& ranks) const;

  const NodeRun& run_;
  const RunParts& parts_;
  Transport& transport_;
  Objective& objective_;
  const bool divides_;
  std::vector<int> lost_, applied_;  // ranks, ascending
  std::int64_t view_ = 0;            // the newest
  bool begun_ = false;
  int told_ = 0;                     // Losses::changes() then
};

}  // namespace paceline

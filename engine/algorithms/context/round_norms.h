// How long a worker's gradients and its rounds' updates are, and the cosine between them: below the algorithms, so the same for all. Costs nothing in
// rounds that are not recorded; in those one pass over each gradient, two over the parameters and two vectors of memory. Used by the worker's thread.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/core/base/objective.h"
#include "engine/core/record/event.h"
#include "engine/core/spec/run_spec.h"

namespace paceline {

// Numbers of a worker's round over its trainable parameters (event.h names them).
class RoundNorms {
 public:
  RoundNorms(const RecordPlan& plan, std::span<const Block> blocks);

  void plan(std::int64_t round);          // the round that begins
  void begin(std::span<const Real> w);    // where its parameters are complete: w is what it begins with. Again: nothing
  void take(std::size_t block, std::span<const Real> gradient);  // the block's part of it is final
  void endStep();                         // all blocks were taken
  void end(std::span<const Real> w, std::map<std::string, double>& metrics);  // the round has left w

 private:
  RecordPlan plan_;
  std::span<const Block> blocks_;
  bool planned_ = false, open_ = false;  // planned_: the round is recorded and has not begun
  std::int64_t steps_ = 0;
  double norms_ = 0;                     // sum over the steps
  std::vector<double> squares_, blockNorms_;  // by block: of the step; sum over the steps
  std::vector<Real> before_, sum_;       // parameters, gradients
};

}  // namespace paceline

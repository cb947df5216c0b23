// The weights that a run leaves behind: those of its best and of its last evaluation, and of each checkpoint. One a node that evaluates, or leads the
// snapshots; used by its thread. What cannot be written is a notice and the run goes on.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/core/base/objective.h"
#include "engine/core/record/weights.h"

namespace paceline {

class KeptWeights {
 public:
  // folder: made by the first file. notes: of every file ("run", "model").
  KeptWeights(std::string folder, std::map<std::string, std::string> notes) : folder_(std::move(folder)), notes_(std::move(notes)) {}

  // Better: a higher accuracy, where there is none a lower loss, on what is held out where samples are; the earlier of equals.
  void evaluated(const Evaluation& evaluation, std::span<const Real> parameters, std::int64_t round);
  // The two newest of these stay, as of checkpoints. Throws Error{kNoSpace, kFile}, as finish() does.
  void checkpoint(std::span<const Block> blocks, std::span<const Real> parameters, std::int64_t round);
  // At the run's end: best and last. Without any evaluation the last are `parameters`.
  void finish(std::span<const Block> blocks, std::span<const Real> parameters);

 private:
  struct Copy {
    std::vector<Real> values;
    std::int64_t round = -1;
    Evaluation evaluation;
  };
  void write(const std::string& name, std::span<const Block> blocks, std::span<const Real> values, std::map<std::string, std::string> more) const;
  void write(const std::string& name, std::span<const Block> blocks, const Copy& copy) const;

  std::string folder_;
  std::map<std::string, std::string> notes_;
  Copy best_, last_;  // last_ has no values where it is the best
  std::vector<std::int64_t> rounds_;  // of checkpoints that are there
};

}  // namespace paceline

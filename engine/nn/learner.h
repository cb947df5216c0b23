// A model with its loss over given samples: what the objective is without a stream of batches. No torch in this header. One
// thread at a time. Throws Error{kSpec} for a model that does not fit the data, Error{kUnsupported} for what LibTorch refuses.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/core/base/objective.h"
#include "engine/core/spec/run_spec.h"
#include "engine/data/datasets/dataset.h"
#include "engine/data/loader.h"

namespace paceline {

class Learner {
 public:
  // Initial parameters depend on (model, seed) only. At most batchSize samples go into one gradient. device: one of computeDevices().
  Learner(const Choice& model, std::uint64_t seed, std::shared_ptr<const datasets::Dataset> data, std::size_t batchSize,
          const std::string& device = "cpu");
  ~Learner();
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;

  std::span<Real> parameters();
  std::span<const Block> blocks() const;
  std::size_t minimumBatch() const;               // batch normalisation needs 2
  LoaderOptions loading(int threads) const;       // how batches for it must lie

  // The network's mean loss over these samples: its gradient into out, zero for blocks that are not trainable. In training mode: batch
  // normalisation updates its running statistics in parameters(), dropout draws what batch.seed says. What `watch` throws comes out of here.
  StepStats gradient(const Batch& batch, std::span<Real> out, const StepWatch& watch = {});
  StepStats warmUpStep(const Batch& batch, std::span<Real> out);  // the same, but the statistics stay as they were
  // Over these training samples, as they are in the first epoch.
  StepStats gradient(std::span<const std::uint32_t> samples, std::span<Real> out, const StepWatch& watch = {});
  void validateOn(std::vector<std::uint32_t> samples);  // training samples that are held out: evaluate() is over them, too
  Evaluation evaluate(Cores* cores = nullptr);  // whole test set, evaluation mode
  void countWork();       // makes Block::work known, by a forward pass

 private:
  struct Inner;
  std::unique_ptr<Inner> inner_;
};

}  // namespace paceline

// The user's own model in a process of its own, as a Learner: flat values in memory that both see, batches of Paceline's. No torch in this header. One
// thread at a time. Throws Error{kSpec} with one sentence that names the command.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/core/base/objective.h"
#include "engine/core/spec/run_spec.h"
#include "engine/data/datasets/dataset.h"
#include "engine/data/loader.h"
#include "engine/nn/python_process.h"

namespace paceline {

inline constexpr const char* kPythonModel = "python";  // whose parameters name the command

class PythonLearner {
 public:
  PythonLearner(const Choice& model, std::uint64_t seed, std::shared_ptr<const datasets::Dataset> data, std::size_t batchSize, int threads);

  std::span<Real> parameters() { return values_; }
  std::span<const Block> blocks() const { return blocks_; }
  std::size_t minimumBatch() const;
  LoaderOptions loading(int threads) const { return {.threads = threads, .channelsLast = false, .allocate = {}}; }
  StepStats gradient(const Batch& batch, std::span<Real> out, const StepWatch& watch = {});
  StepStats warmUpStep(const Batch& batch, std::span<Real> out);
  void validateOn(std::vector<std::uint32_t> samples) { held_ = std::move(samples); }
  Evaluation evaluate(Cores* cores = nullptr);
  void countWork() {}  // only the command knows

 private:
  Evaluation evaluated(bool ofHeld);
  void takeBlocks(const Json& answer);
  void map();
  void give(const Batch& batch);
  double mayDiverge(const Json& answer, const char* key, const char* what);
  double numberOf(const Json& answer, const char* key, const char* what);

  std::shared_ptr<const datasets::Dataset> data_;
  std::size_t batchSize_, capacity_;
  std::vector<std::uint32_t> held_;
  std::unique_ptr<PythonProcess> process_;
  std::vector<Block> blocks_;
  std::span<Real> values_, gradient_;
  std::span<std::byte> inputs_, targets_;
};

// Starting values that Paceline draws, as for built-in layers: weights of two dimensions and more, with the bias behind each; norms begin with 1 and 0.
void startBlocks(std::span<Real> values, std::span<const Block> blocks, const std::string& scheme, std::uint64_t seed);

}  // namespace paceline

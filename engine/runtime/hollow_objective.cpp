#include "engine/runtime/hollow_objective.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "engine/core/base/epochs.h"
#include "engine/core/base/error.h"
#include "engine/core/base/hollow.h"

namespace paceline {
namespace {

struct HollowRun {  // what its workers share
  std::vector<Block> blocks;
  CountedBatches batches;
};

class HollowObjective final : public Objective {
 public:
  HollowObjective(std::shared_ptr<const HollowRun> run, std::size_t rank)
      : run_(std::move(run)), rank_(rank), samples_(run_->batches.samples.at(rank)), parameters_(hollow<Real>(sizeOf(run_->blocks))) {
    PACELINE_CHECK(samples_ > 0, "a worker has samples");
  }

  std::span<Real> parameters() override { return parameters_; }
  StepStats gradient(std::span<Real>, const StepWatch& watch) override {
    PACELINE_CHECK(!watch.needed && !watch.ready, "virtual time asks nobody how far a step is");
    if (epochIsOver(samples_, given_, run_->batches.minimum)) beginEpoch(epoch_ + 1);
    const std::size_t count = std::min(run_->batches.batchSize, samples_ - given_);
    given_ += count;
    return {.loss = std::numeric_limits<double>::quiet_NaN(), .samples = count};
  }
  StepStats warmUpStep(std::span<Real>) override { return {.loss = std::numeric_limits<double>::quiet_NaN()}; }
  Evaluation evaluate(Cores*) override { throw InvariantError("there is nothing to evaluate where nobody learns"); }
  std::span<const Block> blocks() const override { return run_->blocks; }
  std::optional<std::uint64_t> divideDataOf(const std::vector<int>& lost, std::optional<std::uint64_t> from) override {
    if (!run_->batches.without || lost == lost_) return std::nullopt;
    lost_ = lost;
    const std::uint64_t epoch = from.value_or(epoch_ + (given_ > 0 ? 1 : 0));
    shares_[epoch] = run_->batches.without(lost).at(rank_);
    if (epoch == epoch_) beginEpoch(epoch);
    return epoch;
  }

 private:
  void beginEpoch(std::uint64_t epoch) {
    epoch_ = epoch, given_ = 0;
    if (const auto found = shares_.find(epoch); found != shares_.end()) samples_ = found->second;
  }
  static std::size_t sizeOf(const std::vector<Block>& blocks) { return blocks.empty() ? 0 : blocks.back().offset + blocks.back().size; }

  std::shared_ptr<const HollowRun> run_;
  std::size_t rank_;
  std::size_t samples_, given_ = 0;  // of this epoch
  std::uint64_t epoch_ = 0;
  std::map<std::uint64_t, std::size_t> shares_;  // samples from these epochs on
  std::vector<int> lost_;
  std::span<Real> parameters_;
};

}  // namespace

ObjectiveFactory hollowObjectives(std::vector<Block> blocks, CountedBatches batches) {
  const auto run = std::make_shared<const HollowRun>(HollowRun{.blocks = std::move(blocks), .batches = std::move(batches)});
  return [run](const RunSpec&, int rank) { return std::make_unique<HollowObjective>(run, static_cast<std::size_t>(rank)); };
}

}  // namespace paceline

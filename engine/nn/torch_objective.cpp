#include "engine/nn/torch_objective.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "engine/core/base/clock.h"
#include "engine/core/base/error.h"
#include "engine/core/base/freed_memory.h"
#include "engine/core/base/text.h"
#include "engine/data/loader.h"
#include "engine/data/partitioners/partitioner.h"
#include "engine/nn/learner.h"
#include "engine/nn/precision.h"
#include "engine/nn/python_learner.h"

namespace paceline {
namespace {

// The batches of one rank, and who had them before.
struct Share {
  std::unique_ptr<BatchLoader> batches;
  LabelCounts labels;
  int world = 1;  // ranks
  std::function<std::vector<std::uint32_t>(const std::vector<int>& lost)> without;  // its samples where these ranks are gone; empty: the document leaves theirs alone
};

// Over a Learner, or a PythonLearner.
template <class Learner>
class BatchedObjective final : public Objective {
 public:
  // Without batches: an evaluator's.
  explicit BatchedObjective(std::unique_ptr<Learner> learner, Share share = {}) : learner_(std::move(learner)), share_(std::move(share)) {}

  std::span<Real> parameters() override { return learner_->parameters(); }
  StepStats gradient(std::span<Real> out, const StepWatch& watch) override {
    return step([&](const Batch& batch) {
      const Popped popped(*share_.batches);
      return learner_->gradient(batch, out, watch);
    });
  }
  StepStats warmUpStep(std::span<Real> out) override {
    return step([&](const Batch& batch) { return learner_->warmUpStep(batch, out); });
  }
  Evaluation evaluate(Cores* cores) override { return learner_->evaluate(cores); }
  std::span<const Block> blocks() const override { return learner_->blocks(); }
  void countWork() override { learner_->countWork(); }
  // Statistics are parameters, and what a step draws follows from its place in the stream.
  void state(Archive& archive) override {
    if (!share_.batches) return;
    if (share_.without) divisions(archive);
    share_.batches->state(archive);
  }
  std::optional<std::uint64_t> divideDataOf(const std::vector<int>& lost, std::optional<std::uint64_t> from) override {
    if (!share_.without || dividesDataOf() == lost) return std::nullopt;
    const std::uint64_t epoch = from.value_or(share_.batches->nextEpoch());
    share_.batches->share(epoch, share_.without(lost));
    divided_[epoch] = lost;
    return epoch;
  }
  std::vector<int> dividesDataOf() const override { return divided_.empty() ? std::vector<int>() : divided_.rbegin()->second; }
  std::vector<std::int64_t> labelCounts() const override { return share_.labels; }

 private:
  struct Popped {  // a batch that a step has begun with is used, also where the step ends early
    explicit Popped(BatchLoader& loader) : batches(loader) {}
    ~Popped() { batches.pop(); }
    Popped(const Popped&) = delete;
    Popped& operator=(const Popped&) = delete;
    BatchLoader& batches;
  };

  template <class Work>
  StepStats step(const Work& work) {
    if (!share_.batches) throw InvariantError("an evaluator does not train");
    const double start = clock_->now();
    const Batch& batch = share_.batches->front();
    const double fetched = clock_->now();
    StepStats stats = work(batch);
    stats.fetchSeconds = fetched - start;
    return stats;
  }

  // Saved as epoch, how many ranks, these ranks; and so on.
  void divisions(Archive& archive) {
    std::vector<double> numbers;
    for (const auto& [epoch, lost] : divided_) {
      numbers.insert(numbers.end(), {static_cast<double>(epoch), static_cast<double>(lost.size())});
      numbers.insert(numbers.end(), lost.begin(), lost.end());
    }
    archive.numbers("divided", numbers);
    if (!archive.loading()) return;
    if (!divided_.empty()) share_.batches->share(0, share_.without({}));
    divided_.clear();
    for (std::size_t i = 0; i < numbers.size();) {
      const auto next = [&](double below) {
        const double value = i < numbers.size() ? numbers[i++] : -1;
        if (!(value >= 0 && value < below)) throw Error(Errc::kFormat, strCat("the checkpoint's list of divided data is none at its number ", i));
        return value;
      };
      const auto epoch = static_cast<std::uint64_t>(next(0x1p53));
      std::vector<int> lost(static_cast<std::size_t>(next(share_.world)));
      for (int& rank : lost) rank = static_cast<int>(next(share_.world));
      divideDataOf(lost, epoch);
    }
  }

  std::unique_ptr<Learner> learner_;
  Share share_;  // after the learner, whose memory the buffers of its batches may be
  std::map<std::uint64_t, std::vector<int>> divided_;  // by the first epoch for which they are lost: ranks
  std::unique_ptr<Clock> clock_ = steadyClock();
};

// 1 where the data set has no such parameter, or the document was not completed.
int loaderThreads(const RunSpec& spec) {
  const Params& params = spec.dataset.params;
  return params.has("loader_threads") ? static_cast<int>(params.integer("loader_threads")) : 1;
}

void checkDevice(const NodeSpec& node) {
  const std::vector<std::string> have = computeDevices();
  if (std::find(have.begin(), have.end(), node.device) != have.end()) return;
  throw Error(Errc::kUnsupported, strCat("device \"", node.device, "\" is not here; have ", listed(have)));
}

// `learner` on the batches of its rank.
template <class Learner>
std::unique_ptr<Objective> trainingOver(std::unique_ptr<Learner> learner, const RunSpec& spec, const NodeSpec& node, int rank, const std::shared_ptr<const datasets::Dataset>& data) {
  partitioners::Partition partition = partitioners::splitOf(spec, *data);
  learner->validateOn(partitioners::heldOut(spec, data->train.labels.size()));
  std::vector<std::uint32_t>& mine = partition.indices[static_cast<std::size_t>(rank)];
  Share share{.batches = nullptr, .labels = data->hasClasses ? partitioners::labelCountsOf(mine, data->train.labels, data->classes) : LabelCounts{}, .world = static_cast<int>(partition.indices.size()), .without = nullptr};
  const BatchPlan plan{.batchSize = static_cast<std::size_t>(spec.batchSize),
                       .minimum = learner->minimumBatch(),
                       .shuffled = partition.shuffled,
                       .seed = spec.seed,
                       .rank = rank,
                       .mayGrow = spec.dividesLostData()};
  if (std::min(plan.batchSize, mine.size()) < plan.minimum)
    throw Error(Errc::kSpec,
                strCat("batch_size: model \"", spec.model.id, "\" normalises over the batch and needs ", plan.minimum,
                       " samples, worker \"", node.id, "\" has ", std::min(plan.batchSize, mine.size())));
  const int threads = usefulThreads(*data, plan.batchSize, loaderThreads(spec));
  share.batches = std::make_unique<BatchLoader>(data, BatchStream(std::move(mine), plan), learner->loading(threads));
  if (plan.mayGrow) share.without = [spec, data, rank](const std::vector<int>& lost) { return partitioners::withoutRanks(partitioners::splitOf(spec, *data), lost).indices[static_cast<std::size_t>(rank)]; };
  return std::make_unique<BatchedObjective<Learner>>(std::move(learner), std::move(share));
}

}  // namespace

std::unique_ptr<Objective> makeTorchObjective(const RunSpec& spec, int rank, std::shared_ptr<const datasets::Dataset> data) {
  const std::vector<int> workers = spec.workers();
  PACELINE_CHECK(rank >= 0 && static_cast<std::size_t>(rank) < workers.size(),
                 strCat("rank ", rank, " of ", workers.size(), " workers"));
  const NodeSpec& node = spec.nodes[static_cast<std::size_t>(workers[static_cast<std::size_t>(rank)])];
  checkDevice(node);
  if (const auto* word = valueOf<std::string>(spec.model.params, "precision")) checkPrecision(precisionOf(*word), node.device, node.id);
  if (spec.batchSize < 1) throw Error(Errc::kSpec, strCat("batch_size: must be >= 1, got ", spec.batchSize));
  keepFreedMemory();
  useThreads(node.threads);
  const auto batchSize = static_cast<std::size_t>(spec.batchSize);
  if (spec.model.id == kPythonModel) return trainingOver(std::make_unique<PythonLearner>(spec.model, spec.seed, data, batchSize, node.threads), spec, node, rank, data);
  return trainingOver(std::make_unique<Learner>(spec.model, spec.seed, data, batchSize, node.device), spec, node, rank, data);
}

std::unique_ptr<Objective> makeEvaluationObjective(const RunSpec& spec, int node, std::shared_ptr<const datasets::Dataset> data) {
  const NodeSpec& self = spec.nodes.at(static_cast<std::size_t>(node));
  checkDevice(self);
  keepFreedMemory();
  useThreads(self.threads);
  const auto evaluating = [&]<class Learner>(std::unique_ptr<Learner> learner) -> std::unique_ptr<Objective> {
    learner->validateOn(partitioners::heldOut(spec, data->train.labels.size()));
    return std::make_unique<BatchedObjective<Learner>>(std::move(learner));
  };
  if (spec.model.id == kPythonModel) return evaluating(std::make_unique<PythonLearner>(spec.model, spec.seed, data, 1, self.threads));
  return evaluating(std::make_unique<Learner>(spec.model, spec.seed, data, 1, self.device));
}

}  // namespace paceline

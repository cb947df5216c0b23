#include "engine/nn/learner.h"

#include <ATen/Context.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "engine/core/base/clock.h"
#include "engine/core/base/error.h"
#include "engine/nn/batch_tensors.h"
#include "engine/nn/flat_model.h"
#include "engine/nn/model.h"
#include "engine/nn/parameter_watch.h"
#include "engine/nn/torch_errors.h"

namespace paceline {
namespace {

// 500 pictures of 28x28; fewer of larger ones, whose activations would take the memory.
std::size_t evaluationBatch(const Shape& shape) {
  const double area = static_cast<double>(shape.height) * shape.width;
  return static_cast<std::size_t>(std::clamp(500.0 * 28 * 28 / area, 16.0, 500.0));
}

// Without the dispatcher: it is read at every step.
double valueOf(const torch::Tensor& loss) { return loss.is_cpu() ? *loss.data_ptr<float>() : loss.item<float>(); }

class EvaluationMode {
 public:
  explicit EvaluationMode(Net& net) : net_(net) { net_.eval(); }
  ~EvaluationMode() { net_.train(); }
  EvaluationMode(const EvaluationMode&) = delete;
  EvaluationMode& operator=(const EvaluationMode&) = delete;

 private:
  Net& net_;
  torch::NoGradGuard noGrad_;
};

}  // namespace

struct Learner::Inner {
  Inner(const Choice& choice, std::uint64_t givenSeed, std::shared_ptr<const datasets::Dataset> set, std::size_t batchSize,
        const std::string& device)
      : def(modelFor(choice, set->shape)),
        data(std::move(set)),
        seed(givenSeed),
        capacity(batchSize),
        model(builtModel(def, choice, data->shape, data->classes, seed), def.convolutional, placementOn(device)),
        sink(model) {
    model.net().train();
  }

  LoaderOptions loading(int threads) const { return {.threads = threads, .channelsLast = def.convolutional, .allocate = model.placement().hostMemory()}; }

  BatchTensors tensorsThere(const Batch& batch) const {
    const BatchTensors here = tensorsOf(batch, data->shape, def.convolutional);
    return {.images = model.placement().there(here.images), .labels = model.placement().there(here.labels)};
  }

  // Room for batches that no loader makes.
  BatchBuffer& room(std::size_t count) {
    if (count > roomFor) buffer = std::make_unique<BatchBuffer>(data->shape, count, loading(0)), roomFor = count;
    return *buffer;
  }

  torch::Tensor lossOf(const BatchTensors& tensors) { return torch::cross_entropy_loss(model.net().forward(tensors.images), tensors.labels); }

  // A network in the host's memory reads its blocks one by one; for one on a device all are copied there first.
  torch::Tensor watchedLoss(const Batch& batch, const std::function<void(std::size_t)>& needed) {
    for (std::size_t block = 0; needed && model.placement().staged && block < model.blocks().size(); ++block) needed(block);
    model.valuesToNet();
    const BatchTensors tensors = tensorsThere(batch);
    if (!needed || model.placement().staged) return lossOf(tensors);
    ParameterWatch watch(model, needed);
    const torch::Tensor loss = lossOf(tensors);
    watch.finish();
    return loss;
  }

  // A step that begins with a seed of its own draws the same after a resume, and whoever else computes in this process.
  void seedStep(std::uint64_t stepSeed) const {
    if (model.placement().staged) at::manual_seed(stepSeed);
    else stepGenerator().set_current_seed(stepSeed);
  }

  double backward(const Batch& batch, const std::function<void(std::size_t)>& needed) {  // forward and backward; the loss
    try {
      if (def.random) seedStep(batch.seed);
      const torch::Tensor loss = watchedLoss(batch, needed);
      loss.backward();
      model.statisticsFromNet();
      return valueOf(loss);
    } catch (...) {
      sink.abandon();
      throw;
    }
  }

  // A batch of the test set, by any thread; its loss is the sum.
  Evaluation evaluated(std::size_t from, std::size_t samples, BatchBuffer& room) {
    const torch::NoGradGuard noGrad;
    std::vector<std::uint32_t> indices(samples);
    std::iota(indices.begin(), indices.end(), static_cast<std::uint32_t>(from));
    const std::size_t count = testBatch(*data, indices, def.convolutional, room.pixels(), room.labels());
    if (count == 0) return {};
    const BatchTensors batch = tensorsThere(room.first(count));
    const torch::Tensor scores = model.net().forward(batch.images);
    return {.correct = static_cast<std::uint64_t>(scores.argmax(1).eq(batch.labels).sum().item<std::int64_t>()),
            .total = count,
            .loss = torch::cross_entropy_loss(scores, batch.labels, {}, at::Reduction::Sum).item<float>()};
  }

  const ModelDef& def;
  std::shared_ptr<const datasets::Dataset> data;
  std::uint64_t seed;
  std::size_t capacity;  // of a gradient's batch
  FlatModel model;
  GradientSink sink;
  std::unique_ptr<BatchBuffer> buffer;
  std::size_t roomFor = 0;
  std::unique_ptr<Clock> clock = steadyClock();
};

Learner::Learner(const Choice& model, std::uint64_t seed, std::shared_ptr<const datasets::Dataset> data, std::size_t batchSize,
                 const std::string& device)
    : inner_(translated(Errc::kSpec, "building the model",
                        [&] { return std::make_unique<Inner>(model, seed, std::move(data), batchSize, device); })) {}

Learner::~Learner() = default;

std::span<Real> Learner::parameters() { return inner_->model.values(); }
std::span<const Block> Learner::blocks() const { return inner_->model.blocks(); }
std::size_t Learner::minimumBatch() const { return static_cast<std::size_t>(inner_->def.minimumBatch); }

LoaderOptions Learner::loading(int threads) const { return inner_->loading(threads); }

StepStats Learner::gradient(const Batch& batch, std::span<Real> out, const StepWatch& watch) {
  Inner& in = *inner_;
  PACELINE_CHECK(out.size() == in.model.values().size(), "gradient buffer");
  return translated(Errc::kUnsupported, "forward and backward", [&] {
    StepStats stats;
    const double start = in.clock->now();
    if (watch.begins) watch.begins(batch.count);
    in.sink.open(out, watch.ready);
    stats.loss = in.backward(batch, watch.needed);
    in.sink.close();
    stats.samples = batch.count;
    stats.computeSeconds = in.clock->now() - start - in.sink.readySeconds();
    return stats;
  });
}

StepStats Learner::gradient(std::span<const std::uint32_t> samples, std::span<Real> out, const StepWatch& watch) {
  Inner& in = *inner_;
  PACELINE_CHECK(samples.size() <= in.capacity, "a batch is larger than the learner's");
  BatchBuffer& room = in.room(samples.size());
  const std::size_t count = trainBatch(*in.data, samples, in.seed, 0, in.def.convolutional, room.pixels(), room.labels());
  return gradient(room.first(count), out, watch);
}

StepStats Learner::warmUpStep(const Batch& batch, std::span<Real> out) {
  const std::span<Real> statistics = inner_->model.values().subspan(inner_->model.trainableSize());
  const std::vector<Real> before(statistics.begin(), statistics.end());
  const StepStats stats = gradient(batch, out);
  std::copy(before.begin(), before.end(), statistics.begin());
  return stats;
}

void Learner::countWork() {
  translated(Errc::kUnsupported, "forward", [&] {
    const EvaluationMode mode(inner_->model.net());
    const Shape& shape = inner_->data->shape;
    const torch::Tensor picture = inner_->model.placement().there(torch::zeros({1, shape.channels, shape.height, shape.width}));
    inner_->model.setWork(multiplicationsOf(inner_->model, picture));
  });
}

Evaluation Learner::evaluate(Cores* cores) {
  Inner& in = *inner_;
  return translated(Errc::kUnsupported, "evaluation", [&] {
    const EvaluationMode mode(in.model.net());
    const std::size_t all = in.data->test.count(), most = evaluationBatch(in.data->shape);
    in.model.valuesToNet();
    std::vector<Evaluation> parts((all + most - 1) / most);
    Cores* const shared = in.model.placement().staged ? nullptr : cores;
    inParts(shared, parts.size(), [&](std::size_t i) {
      std::optional<BatchBuffer> own;
      BatchBuffer& room = shared ? own.emplace(in.data->shape, most, in.loading(0)) : in.room(most);
      parts[i] = in.evaluated(i * most, std::min(most, all - i * most), room);
    });
    in.model.placement().finish();  // before anybody writes parameters() again
    Evaluation sum;
    for (const Evaluation& part : parts) sum.correct += part.correct, sum.loss += part.loss, sum.total += part.total;
    if (sum.total > 0) sum.loss /= static_cast<double>(sum.total);
    return sum;
  });
}

}  // namespace paceline

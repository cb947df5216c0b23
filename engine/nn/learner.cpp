#include "engine/nn/learner.h"

#include <algorithm>
#include <numeric>

#include "engine/core/clock.h"
#include "engine/core/error.h"
#include "engine/nn/batch_tensors.h"
#include "engine/nn/flat_model.h"
#include "engine/nn/gradient_sink.h"
#include "engine/nn/model_choice.h"
#include "engine/nn/torch_errors.h"

namespace paceline {
namespace {

constexpr std::size_t kEvaluationBatch = 500;

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
  Inner(const Choice& choice, std::uint64_t seed, std::shared_ptr<const Dataset> set, std::size_t batchSize)
      : def(modelFor(choice, set->shape)),
        data(std::move(set)),
        model(builtModel(def, choice, data->shape, data->classes, seed), def.convolutional),
        sink(model),
        batch(data->shape, std::max(batchSize, kEvaluationBatch), def.convolutional),
        testOrder(data->test.count()) {
    std::iota(testOrder.begin(), testOrder.end(), 0U);
    model.net().train();
  }

  double backward() {  // forward and backward over `batch`; the loss
    try {
      const torch::Tensor loss = torch::cross_entropy_loss(model.net().forward(batch.images()), batch.labels());
      loss.backward();
      return loss.item<float>();
    } catch (...) {
      sink.abandon();
      throw;
    }
  }

  const ModelDef& def;
  std::shared_ptr<const Dataset> data;
  FlatModel model;
  GradientSink sink;
  BatchTensors batch;
  std::vector<std::uint32_t> testOrder;
  std::unique_ptr<Clock> clock = steadyClock();
};

Learner::Learner(const Choice& model, std::uint64_t seed, std::shared_ptr<const Dataset> data, std::size_t batchSize)
    : inner_(translated(Errc::kSpec, "building the model",
                        [&] { return std::make_unique<Inner>(model, seed, std::move(data), batchSize); })) {}

Learner::~Learner() = default;

std::span<Real> Learner::parameters() { return inner_->model.values(); }
std::span<const Block> Learner::blocks() const { return inner_->model.blocks(); }
std::size_t Learner::minimumBatch() const { return static_cast<std::size_t>(inner_->def.minimumBatch); }

StepStats Learner::gradient(std::span<const std::uint32_t> samples, std::span<Real> out, const BlockReady& ready) {
  Inner& in = *inner_;
  PACELINE_CHECK(out.size() == in.model.values().size(), "gradient buffer");
  return translated(Errc::kUnsupported, "forward and backward", [&] {
    StepStats stats;
    const double start = in.clock->now();
    in.batch.fill(in.data->train, samples);
    const double fetched = in.clock->now();
    in.sink.open(out, ready);
    stats.loss = in.backward();
    in.sink.close();
    stats.samples = samples.size();
    stats.fetchSeconds = fetched - start;
    stats.computeSeconds = in.clock->now() - fetched - in.sink.readySeconds();
    return stats;
  });
}

StepStats Learner::rehearse(std::span<const std::uint32_t> samples, std::span<Real> out) {
  const std::span<Real> statistics = inner_->model.values().subspan(inner_->model.trainableSize());
  const std::vector<Real> before(statistics.begin(), statistics.end());
  const StepStats stats = gradient(samples, out);
  std::copy(before.begin(), before.end(), statistics.begin());
  return stats;
}

Evaluation Learner::evaluate() {
  Inner& in = *inner_;
  return translated(Errc::kUnsupported, "evaluation", [&] {
    const EvaluationMode mode(in.model.net());
    Evaluation sum;
    for (std::size_t from = 0; from < in.testOrder.size(); from += kEvaluationBatch) {
      const std::size_t count = std::min(kEvaluationBatch, in.testOrder.size() - from);
      in.batch.fill(in.data->test, std::span(in.testOrder).subspan(from, count));
      const torch::Tensor scores = in.model.net().forward(in.batch.images());
      sum.correct += static_cast<std::uint64_t>(scores.argmax(1).eq(in.batch.labels()).sum().item<std::int64_t>());
      sum.loss += torch::cross_entropy_loss(scores, in.batch.labels(), {}, at::Reduction::Sum).item<float>();
      sum.total += count;
    }
    if (sum.total > 0) sum.loss /= static_cast<double>(sum.total);
    return sum;
  });
}

}  // namespace paceline

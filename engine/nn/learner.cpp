#include "engine/nn/learner.h"

#include <ATen/Context.h>

#include <algorithm>
#include <mutex>
#include <numeric>
#include <optional>

#include "engine/core/base/clock.h"
#include "engine/core/base/error.h"
#include "engine/nn/batch_tensors.h"
#include "engine/nn/flat_model.h"
#include "engine/nn/judge.h"
#include "engine/nn/model.h"
#include "engine/nn/parameter_watch.h"
#include "engine/nn/precision.h"
#include "engine/nn/script_net.h"
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

std::size_t evaluationBatch(const datasets::Dataset& data) {
  return evaluationBatch(data.train.rows ? Shape{1, 1, static_cast<int>(data.inputBytes() / sizeof(float))} : data.shape);
}

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

namespace {

// A network and what the learner must know of it.
struct Built {
  std::shared_ptr<Net> net;
  bool random = false, channelsLast = false;
  std::size_t minimumBatch = 1;
  bool scripted = false;  // what it draws comes from LibTorch's one generator of this process
};

// Outputs for two samples of zeros, as evaluated.
torch::Tensor tried(Net& net, const datasets::Dataset& data, bool channelsLast) {
  const EvaluationMode mode(net);
  std::vector<std::int64_t> sizes = data.inputDims();
  sizes.insert(sizes.begin(), 2);
  const auto type = data.form.inputType == datasets::Element::kFloat ? torch::kFloat : torch::kLong;
  return net.forward(channelsLast ? torch::empty_strided(sizes, c10::get_channels_last_strides_2d(sizes), type).zero_() : torch::zeros(sizes, type));
}

// Many write x.view(...), which only takes what lies row by row.
bool takesChannelsLast(const std::shared_ptr<Net>& net, const datasets::Dataset& data) {
  try {
    FlatModel model(net, /*channelsLast=*/true);
    tried(model.net(), data, true);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Throws Error{kSpec} where outputs do not fit the data's targets.
void checkFits(Net& net, const datasets::Dataset& data, const std::string& model) {
  const torch::Tensor output = tried(net, data, false);
  net.checkUnchanged();
  if (net.hasLoss()) return;  // which knows what it wants
  const std::int64_t samples = 2, given = output.dim() == 0 ? 0 : output.numel() / std::max<std::int64_t>(1, output.size(0));
  const auto refuse = [&](const std::string& wanted) {
    throw Error(Errc::kSpec, strCat("model \"", model, "\" gives outputs of ", given, " numbers a sample; the data set has ", wanted, ", and the model has no loss(output, target) of its own"));
  };
  if (output.dim() == 0 || output.size(0) != samples) refuse("a batch of 2 samples");
  const auto places = static_cast<std::int64_t>(datasets::Dataset::countOf(data.form.target));
  if (data.form.targetType == datasets::Element::kFloat && given != places) refuse(strCat(places, " numbers to a target"));
  if (data.form.targetType == datasets::Element::kInteger && given < places * data.classes) refuse(places == 1 ? strCat(data.classes, " classes") : strCat(places, " places of ", data.classes, " values"));
}

Built built(const ModelDef& def, const Choice& choice, const datasets::Dataset& data, std::uint64_t seed) {
  if (const bool tokens = data.form.inputType == datasets::Element::kInteger; !def.isFile() && tokens != def.tokens)
    throw Error(Errc::kSpec, strCat("model \"", def.id, "\" takes ", def.tokens ? "whole numbers, as texts have" : "pictures or numbers", ", the data set has ", tokens ? "whole numbers" : "no whole numbers"));
  Built made{.net = builtModel(def, choice, data.shape, data.classes, seed), .random = def.random, .channelsLast = def.convolutional, .minimumBatch = static_cast<std::size_t>(def.minimumBatch)};
  if (const auto* script = dynamic_cast<ScriptNet*>(made.net.get())) {
    made.scripted = true, made.random = script->draws(), made.minimumBatch = script->hasStatistics() ? 2 : 1;
    made.channelsLast = script->hasImageWeights() && data.inputDims().size() == 3 && takesChannelsLast(builtModel(def, choice, data.shape, data.classes, seed), data);
  }
  if (made.scripted || data.train.rows) checkFits(*made.net, data, choice.id);
  return made;
}

std::mutex scriptDraws;  // held by the step of a script that draws: the generator is the process's

}  // namespace

struct Learner::Inner {
  Inner(const Choice& choice, std::uint64_t givenSeed, std::shared_ptr<const datasets::Dataset> set, std::size_t batchSize,
        const std::string& device)
      : def(modelFor(choice, set->shape)),
        data(std::move(set)),
        seed(givenSeed),
        capacity(batchSize),
        built(paceline::built(def, choice, *data, seed)),
        model(built.net, built.channelsLast, placementOn(device)),
        precision(precisionOf(completed(def.params, choice.params, "/model/params").text("precision"))),
        sink(model) {
    model.net().train();
  }

  LoaderOptions loading(int threads) const { return {.threads = threads, .channelsLast = built.channelsLast, .allocate = model.placement().hostMemory()}; }

  BatchTensors tensorsThere(const Batch& batch) const {
    const BatchTensors here = tensorsOf(batch, *data, built.channelsLast);
    return {.inputs = model.placement().there(here.inputs), .targets = model.placement().there(here.targets)};
  }

  // Room for batches that no loader makes.
  BatchBuffer& room(std::size_t count) {
    if (count > roomFor) buffer = std::make_unique<BatchBuffer>(*data, count, loading(0)), roomFor = count;
    return *buffer;
  }

  torch::Tensor outputOf(const torch::Tensor& inputs) {
    const CastForward casting(precision, model.placement().device);
    return model.net().forward(inputs);
  }

  torch::Tensor lossOf(const BatchTensors& tensors) {
    const torch::Tensor output = outputOf(tensors.inputs);
    return model.net().loss(precision == Precision::kFloat32 ? output : output.to(torch::kFloat), tensors.targets);
  }

  void backwardOf(const torch::Tensor& loss) {
    if (precision != Precision::kFloat16) return loss.backward();
    do {
      sink.again();
      (loss * scale.factor()).backward({}, /*retain_graph=*/true);
    } while (!scale.taken(sink.scaleBy(1 / scale.factor())));
  }

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

  // A script that draws has LibTorch's one generator to itself for as long as this is held.
  std::unique_lock<std::mutex> drawsAlone(std::uint64_t drawSeed) const {
    if (!built.random || !built.scripted) return {};
    std::unique_lock lock(scriptDraws);
    at::manual_seed(drawSeed);
    return lock;
  }

  double backward(const Batch& batch, const std::function<void(std::size_t)>& needed) {  // forward and backward; the loss
    try {
      const std::unique_lock<std::mutex> drawing = drawsAlone(batch.seed);
      if (built.random && !built.scripted) seedStep(batch.seed);
      const torch::Tensor loss = watchedLoss(batch, needed);
      backwardOf(loss);
      model.statisticsFromNet();
      return valueOf(loss);
    } catch (...) {
      sink.abandon();
      throw;
    }
  }

  // A batch of the test set, or of what is held out, by any thread.
  Judged evaluated(std::size_t from, std::size_t samples, bool ofHeld, BatchBuffer& room) {
    const torch::NoGradGuard noGrad;
    std::vector<std::uint32_t> indices(samples);
    if (ofHeld) std::copy_n(held.begin() + static_cast<std::ptrdiff_t>(from), samples, indices.begin());
    else std::iota(indices.begin(), indices.end(), static_cast<std::uint32_t>(from));
    const std::size_t count = (ofHeld ? validationBatch : testBatch)(*data, indices, built.channelsLast, room.inputs(), room.targets());
    if (count == 0) return {};
    const BatchTensors batch = tensorsThere(room.first(count));
    const std::unique_lock<std::mutex> drawing = drawsAlone(from);  // a script may draw here, too
    return judged(model.net(), model.net().forward(batch.inputs), batch.targets);
  }

  // The whole test set, or all that is held out.
  Evaluation evaluated(bool ofHeld, Cores* shared) {
    const std::size_t all = ofHeld ? held.size() : data->test.count(), most = evaluationBatch(*data);
    std::vector<Judged> parts((all + most - 1) / most);
    inParts(shared, parts.size(), [&](std::size_t i) {
      std::optional<BatchBuffer> own;
      BatchBuffer& buffer = shared ? own.emplace(*data, most, loading(0)) : room(most);
      parts[i] = evaluated(i * most, std::min(most, all - i * most), ofHeld, buffer);
    });
    Judged sum;
    for (const Judged& part : parts) sum += part;
    return evaluationOf(sum, *data);
  }

  const ModelDef& def;
  std::shared_ptr<const datasets::Dataset> data;
  std::uint64_t seed;
  std::size_t capacity;  // of a gradient's batch
  Built built;
  FlatModel model;
  Precision precision;  // of steps; evaluations are in fp32
  LossScale scale;
  GradientSink sink;
  std::unique_ptr<BatchBuffer> buffer;
  std::size_t roomFor = 0;
  std::vector<std::uint32_t> held;  // training samples that evaluations are over, too
  std::unique_ptr<Clock> clock = steadyClock();
};

Learner::Learner(const Choice& model, std::uint64_t seed, std::shared_ptr<const datasets::Dataset> data, std::size_t batchSize,
                 const std::string& device)
    : inner_(translated(Errc::kSpec, "building the model",
                        [&] { return std::make_unique<Inner>(model, seed, std::move(data), batchSize, device); })) {}

Learner::~Learner() = default;

std::span<Real> Learner::parameters() { return inner_->model.values(); }
std::span<const Block> Learner::blocks() const { return inner_->model.blocks(); }
std::size_t Learner::minimumBatch() const { return inner_->built.minimumBatch; }

LoaderOptions Learner::loading(int threads) const { return inner_->loading(threads); }

StepStats Learner::gradient(const Batch& batch, std::span<Real> out, const StepWatch& watch) {
  Inner& in = *inner_;
  PACELINE_CHECK(out.size() == in.model.values().size(), "gradient buffer");
  constexpr const char* kStep[] = {"forward and backward", "forward and backward in bf16", "forward and backward in fp16"};  // not all kernels are there in all of them
  return translated(Errc::kUnsupported, kStep[static_cast<std::size_t>(in.precision)], [&] {
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
  const std::size_t count = trainBatch(*in.data, samples, in.seed, 0, in.built.channelsLast, room.inputs(), room.targets());
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
    std::vector<std::int64_t> sizes = inner_->data->inputDims();
    sizes.insert(sizes.begin(), 1);
    const auto type = inner_->data->form.inputType == datasets::Element::kFloat ? torch::kFloat : torch::kLong;
    const torch::Tensor picture = inner_->model.placement().there(torch::zeros(sizes, type));
    inner_->model.setWork(multiplicationsOf(inner_->model, picture));
  });
}

void Learner::validateOn(std::vector<std::uint32_t> samples) { inner_->held = std::move(samples); }

Evaluation Learner::evaluate(Cores* cores) {
  Inner& in = *inner_;
  return translated(Errc::kUnsupported, "evaluation", [&] {
    const EvaluationMode mode(in.model.net());
    in.model.valuesToNet();
    Cores* const shared = in.model.placement().staged ? nullptr : cores;
    Evaluation evaluation = in.evaluated(false, shared);
    if (!in.held.empty()) {
      const Evaluation held = in.evaluated(true, shared);
      evaluation.validation = {.accuracy = held.accuracy(), .loss = held.loss};
    }
    in.model.placement().finish();  // before anybody writes parameters() again
    in.model.net().checkUnchanged();
    return evaluation;
  });
}

}  // namespace paceline

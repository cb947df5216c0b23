#include "engine/nn/python_learner.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>

#include "engine/core/base/clock.h"
#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
#include "engine/nn/torch_objective.h"

namespace paceline {
namespace {

constexpr std::size_t kPage = 4096, kMostParameters = std::size_t{1} << 32;
std::size_t inPages(std::size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

// As many samples as 500 pictures of 28x28 have bytes.
std::size_t evaluationBatch(const datasets::Dataset& data) {
  return std::clamp<std::size_t>(std::size_t{500} * 28 * 28 * sizeof(float) / std::max<std::size_t>(1, data.inputBytes()), 16, 500);
}

bool allFinite(std::span<const Real> values) {
  constexpr std::uint32_t kExponent = 0x7f800000;
  bool finite = true;
  for (const Real value : values) finite &= (std::bit_cast<std::uint32_t>(value) & kExponent) != kExponent;
  return finite;
}

PythonProcess::Options optionsOf(const Choice& model, int threads) {
  const std::vector<ModelEntry> models = modelCatalog();
  const Params params = completed(findEntry(models, model.id)->params, model.params, "/model/params");
  const PinnedFile file = pinnedFile(params.text("path"));
  if (file.path.empty() && file.sha256.empty()) throw Error(Errc::kSpec, "/model/params/path: must name a Python file");
  if (params.text("precision") != "fp32") throw Error(Errc::kSpec, strCat("/model/params/precision: a model in Python computes in what its file says, not in ", params.text("precision")));
  return {.command = params.text(kCommandParam), .file = file, .answerSeconds = params.real("answer_s"), .threads = threads};
}

}  // namespace

PythonLearner::PythonLearner(const Choice& model, std::uint64_t seed, std::shared_ptr<const datasets::Dataset> data, std::size_t batchSize, int threads)
    : data_(std::move(data)), batchSize_(batchSize), capacity_(std::max(batchSize, evaluationBatch(*data_))), process_(std::make_unique<PythonProcess>(optionsOf(model, threads))) {
  takeBlocks(process_->ask({{"do", "begin"}, {"protocol", 1}, {"threads", threads}, {"seed", seed}, {"input", data_->inputDims()}, {"input_type", elementName(data_->form.inputType)},
                            {"target", data_->form.target}, {"target_type", elementName(data_->form.targetType)}, {"classes", data_->classes}}));
  map();
  if (!allFinite(values_)) process_->refuse("begins with parameters that are not all finite");
  const auto* scheme = valueOf<std::string>(model.params, "init");
  if (scheme != nullptr && *scheme != "file") startBlocks(values_, blocks_, *scheme, seed);
}

void PythonLearner::takeBlocks(const Json& answer) {
  const auto given = answer.find("parameters");
  if (given == answer.end() || !given->is_array() || given->empty()) process_->refuse("names no parameters");
  std::size_t offset = 0;
  for (const Json& one : *given) {
    Block block;
    try {
      block = {.name = one.at("name").get<std::string>(), .trainable = one.at("trainable").get<bool>(), .shape = one.at("shape").get<std::vector<std::int64_t>>()};
    } catch (const Json::exception&) {
      process_->refuse(strCat("describes a parameter as ", quotable(one.dump(), 100), "; name, shape and trainable are wanted"));
    }
    std::size_t size = 1;
    for (const std::int64_t side : block.shape) {
      if (side < 1 || static_cast<std::size_t>(side) > kMostParameters / size) process_->refuse(strCat("gives parameter ", quotable(block.name, 100), " a shape that cannot be"));
      size *= static_cast<std::size_t>(side);
    }
    if (block.trainable && !blocks_.empty() && !blocks_.back().trainable) process_->refuse("names statistics before parameters that are trained");
    std::ranges::replace(block.name, '/', '.');
    block.offset = offset, block.size = size, block.decays = block.shape.size() > 1;
    offset += size;
    if (offset > kMostParameters) process_->refuse("has more parameters than Paceline takes");
    blocks_.push_back(std::move(block));
  }
  if (!blocks_.front().trainable) process_->refuse("names no parameter that is trained");
}

void PythonLearner::map() {
  const std::size_t size = blocks_.back().offset + blocks_.back().size, floats = inPages(size * sizeof(Real));
  const std::size_t inputs = inPages(capacity_ * data_->inputBytes()), targets = inPages(capacity_ * data_->targetBytes()), bytes = 2 * floats + inputs + targets;
  const std::span<std::byte> memory = process_->share(bytes);
  values_ = {reinterpret_cast<Real*>(memory.data()), size};
  gradient_ = {reinterpret_cast<Real*>(memory.data() + floats), size};
  inputs_ = memory.subspan(2 * floats, inputs), targets_ = memory.subspan(2 * floats + inputs, targets);
  process_->ask({{"do", "map"}, {"bytes", bytes}, {"size", size}, {"values", 0}, {"gradient", floats}, {"inputs", 2 * floats}, {"targets", 2 * floats + inputs}, {"capacity", capacity_}});
}

std::size_t PythonLearner::minimumBatch() const {
  return std::ranges::any_of(blocks_, [](const Block& block) { return block.name.ends_with("running_mean"); }) ? 2 : 1;
}

void PythonLearner::give(const Batch& batch) {
  PACELINE_CHECK(batch.count <= capacity_, "a batch is larger than the learner's");
  std::memcpy(inputs_.data(), batch.inputs, batch.count * data_->inputBytes());
  std::memcpy(targets_.data(), batch.targets, batch.count * data_->targetBytes());
}

double PythonLearner::numberOf(const Json& answer, const char* key, const char* what) {
  const auto found = answer.find(key);
  if (found == answer.end()) process_->refuse(strCat("answers without ", what));
  if (!found->is_number()) process_->refuse(strCat("gives ", what, " that is no finite number"));
  return found->get<double>();
}

// No number is told as with any other model: by whoever takes the step.
double PythonLearner::mayDiverge(const Json& answer, const char* key, const char* what) {
  const auto found = answer.find(key);
  return found != answer.end() && found->is_null() ? std::numeric_limits<double>::quiet_NaN() : numberOf(answer, key, what);
}

StepStats PythonLearner::gradient(const Batch& batch, std::span<Real> out, const StepWatch& watch) {
  PACELINE_CHECK(out.size() == values_.size(), "gradient buffer");
  if (watch.begins) watch.begins(batch.count);
  for (std::size_t block = 0; watch.needed && block < blocks_.size(); ++block) watch.needed(block);
  const std::unique_ptr<Clock> clock = steadyClock();
  const double start = clock->now();
  give(batch);
  const Json answer = process_->ask({{"do", "gradient"}, {"count", batch.count}, {"seed", batch.seed}});
  StepStats stats{.loss = mayDiverge(answer, "loss", "a loss"), .samples = batch.count};
  const double size = numberOf(answer, "size", "the size of its gradient");
  if (size != static_cast<double>(values_.size())) process_->refuse(strCat("gives a gradient of ", size, " numbers; it began with ", values_.size(), " parameters"));
  std::ranges::copy(gradient_, out.begin());
  for (const Block& block : blocks_)
    if (!block.trainable) std::fill_n(out.begin() + static_cast<std::ptrdiff_t>(block.offset), block.size, Real{0});
  stats.computeSeconds = clock->now() - start;
  for (std::size_t block = blocks_.size(); watch.ready && block-- > 0;) watch.ready(block);
  return stats;
}

StepStats PythonLearner::warmUpStep(const Batch& batch, std::span<Real> out) {
  const std::vector<Real> before(values_.begin(), values_.end());
  const StepStats stats = gradient(batch, out);
  std::ranges::copy(before, values_.begin());
  return stats;
}

Evaluation PythonLearner::evaluate(Cores*) {
  Evaluation evaluation = evaluated(false);
  if (held_.empty()) return evaluation;
  const Evaluation held = evaluated(true);
  evaluation.validation = {.accuracy = held.accuracy(), .loss = held.loss};
  return evaluation;
}

Evaluation PythonLearner::evaluated(bool ofHeld) {
  Evaluation evaluation;
  const std::size_t all = ofHeld ? held_.size() : data_->test.count(), most = evaluationBatch(*data_);
  BatchBuffer room(*data_, most, loading(0));
  double samples = 0;
  bool lower = false;  // is better, of the first metric
  for (std::size_t from = 0; from < all; from += most) {
    std::vector<std::uint32_t> indices(std::min(most, all - from));
    if (ofHeld) std::copy_n(held_.begin() + static_cast<std::ptrdiff_t>(from), indices.size(), indices.begin());
    else std::iota(indices.begin(), indices.end(), static_cast<std::uint32_t>(from));
    const std::size_t count = (ofHeld ? validationBatch : testBatch)(*data_, indices, false, room.inputs(), room.targets());
    if (count == 0) continue;
    give(room.first(count));
    const Json answer = process_->ask({{"do", "evaluate"}, {"count", count}, {"seed", from}});
    const auto weight = static_cast<double>(count);
    evaluation.loss += mayDiverge(answer, "loss", "a loss") * weight, samples += weight;
    if (answer.contains("total")) {
      const double correct = numberOf(answer, "correct", "how many are correct"), total = numberOf(answer, "total", "of how many");
      if (correct < 0 || correct > total) process_->refuse(strCat("says that ", correct, " of ", total, " are correct"));
      evaluation.correct += static_cast<std::uint64_t>(correct), evaluation.total += static_cast<std::uint64_t>(total);
    }
    lower = answer.value("lower_is_better", Json(false)) == Json(true);
    for (const Json& metric : answer.value("metrics", Json::array())) {  // a list, because the first counts
      if (!metric.is_object() || !metric.contains("name") || !metric["name"].is_string()) process_->refuse("gives metrics that are no list of names and values");
      const auto name = metric["name"].get<std::string>();
      auto at = std::ranges::find(evaluation.metrics, name, &NamedNumber::name);
      if (at == evaluation.metrics.end()) at = evaluation.metrics.insert(at, {name, 0});
      at->value += mayDiverge(metric, "value", strCat("a metric \"", quotable(name, 60), "\"").c_str()) * weight;
    }
  }
  if (samples > 0) evaluation.loss /= samples;
  for (NamedNumber& metric : evaluation.metrics) metric.value /= samples;
  if (!evaluation.metrics.empty()) evaluation.score = (lower ? -1 : 1) * evaluation.metrics.front().value;
  else if (evaluation.total == 0) evaluation.score = std::numeric_limits<double>::quiet_NaN();
  return evaluation;
}

}  // namespace paceline

#include "engine/nn/parameter_watch.h"

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace paceline {
namespace {

thread_local ParameterWatch* watching = nullptr;  // LibTorch's observers are plain functions

}  // namespace

ParameterWatch::ParameterWatch(FlatModel& model, const std::function<void(std::size_t)>& needed)
    : model_(model),
      needed_(needed),
      told_(model.blocks().size()),
      handle_(at::addThreadLocalCallback(at::RecordFunctionCallback(&ParameterWatch::before).needsInputs(true).scopes({at::RecordScope::FUNCTION}))) {
  watching = this;
}

ParameterWatch::~ParameterWatch() {
  watching = nullptr;
  at::removeCallback(handle_);
}

void ParameterWatch::finish() {
  for (std::size_t block = 0; block < told_.size(); ++block) tell(block);
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

namespace {

struct Layer final : at::ObserverContext {  // a convolution or a dense layer under way
  Layer(std::size_t weight, double perOutput) : block(weight), perOutput(perOutput) {}
  std::size_t block;
  double perOutput;  // multiplications
};

struct Count {
  const FlatModel& model;
  std::vector<double> work;  // by block
};
thread_local Count* counting = nullptr;

std::unique_ptr<at::ObserverContext> layerBegins(const at::RecordFunction& operation) {
  const std::string_view name = operation.name();
  if (!counting || (name != "aten::conv2d" && name != "aten::linear")) return nullptr;
  const torch::Tensor weight = operation.inputs()[1].toTensor();
  const std::optional<std::size_t> block = counting->model.blockOf(weight);
  if (!block) return nullptr;
  return std::make_unique<Layer>(*block, static_cast<double>(weight.numel()) / static_cast<double>(weight.size(0)));
}

void layerEnds(const at::RecordFunction& operation, at::ObserverContext* context) {
  const auto* layer = dynamic_cast<Layer*>(context);
  if (counting && layer) counting->work[layer->block] += layer->perOutput * static_cast<double>(operation.outputs()[0].toTensor().numel());
}

}  // namespace

std::vector<double> multiplicationsOf(FlatModel& model, const torch::Tensor& pictures) {
  Count count{.model = model, .work = std::vector<double>(model.blocks().size())};
  const torch::NoGradGuard noGrad;
  const at::CallbackHandle handle =
      at::addThreadLocalCallback(at::RecordFunctionCallback(&layerBegins, &layerEnds).needsInputs(true).needsOutputs(true).scopes({at::RecordScope::FUNCTION}));
  counting = &count;
  const auto stop = [&] {
    counting = nullptr;
    at::removeCallback(handle);
  };
  try {
    model.net().forward(pictures);
  } catch (...) {
    stop();
    throw;
  }
  stop();
  for (double& work : count.work) work /= static_cast<double>(pictures.size(0));
  return count.work;
}

std::unique_ptr<at::ObserverContext> ParameterWatch::before(const at::RecordFunction& operation) {
  if (watching)
    for (const c10::IValue& input : operation.inputs()) watching->see(input);
  return nullptr;
}

void ParameterWatch::see(const c10::IValue& input) {
  if (input.isTensor()) see(input.toTensor());
  if (input.isTensorList())
    for (const torch::Tensor& tensor : input.toTensorVector()) see(tensor);
}

void ParameterWatch::see(const torch::Tensor& input) {
  if (const std::optional<std::size_t> block = model_.blockOf(input)) tell(*block);
}

void ParameterWatch::tell(std::size_t block) {
  if (told_[block] || failure_) return;
  told_[block] = true;
  try {
    needed_(block);
  } catch (...) {
    failure_ = std::current_exception();
  }
}

}  // namespace paceline

#include "engine/nn/flat_model.h"

#include <torch/cuda.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>

#include "engine/core/base/error.h"

namespace paceline {

static_assert(std::is_same_v<Real, float>, "the learning side computes in float");

FlatModel::FlatModel(std::shared_ptr<Net> net, bool channelsLast, const Placement& placement)
    : net_(std::move(net)), channelsLast_(channelsLast), placement_(placement) {
  NamedTensors all = net_->tensors();
  std::int64_t size = 0;
  for (const auto& [name, tensor] : all.parameters) size += tensor.numel();
  for (const auto& [name, tensor] : all.buffers)
    if (tensor.is_floating_point()) size += tensor.numel();
  host_ = placement_.hostVector(size);
  own_ = placement_.staged ? torch::empty_like(host_, placement_.device) : host_;

  const torch::NoGradGuard noGrad;
  for (auto& [name, tensor] : all.parameters) {
    adopt(name, tensor, true);
    parameters_.push_back(tensor);
  }
  trainableSize_ = size_;
  for (auto& [name, tensor] : all.buffers)
    if (tensor.is_floating_point())
      adopt(name, tensor, false);  // not num_batches_tracked, an integer nobody reads
  PACELINE_CHECK(size_ == static_cast<std::size_t>(size), "flat size");
  if (placement_.staged) host_.copy_(own_);
}

void FlatModel::valuesToNet() {
  const torch::NoGradGuard noGrad;
  if (placement_.staged) own_.copy_(host_, /*non_blocking=*/true);
}

void FlatModel::statisticsFromNet() {
  if (!placement_.staged || trainableSize_ == size_) return;
  const torch::NoGradGuard noGrad;
  const auto from = static_cast<std::int64_t>(trainableSize_), count = static_cast<std::int64_t>(size_ - trainableSize_);
  host_.narrow(0, from, count).copy_(own_.narrow(0, from, count), /*non_blocking=*/true);
}

void FlatModel::adopt(const std::string& name, torch::Tensor& tensor, bool trainable) {
  // Biases and the scales of norms are the tensors of one dimension.
  blocks_.push_back(Block{.name = name,
                          .offset = size_,
                          .size = static_cast<std::size_t>(tensor.numel()),
                          .trainable = trainable,
                          .decays = tensor.dim() > 1,
                          .shape = tensor.sizes().vec(),
                          .channelsLast = channelsLast_ && tensor.dim() == 4});
  shapes_.push_back(tensor.sizes().vec());
  torch::Tensor view = viewOf(blocks_.size() - 1, own_);
  view.copy_(tensor);
  tensor.set_data(view);
  size_ += blocks_.back().size;
}

void FlatModel::setWork(std::span<const double> work) {
  for (std::size_t block = 0; block < blocks_.size(); ++block) blocks_[block].work = work[block];
}

std::optional<std::size_t> FlatModel::blockOf(const torch::Tensor& view) const {
  if (!view.defined() || !view.has_storage() || view.numel() == 0 || !view.is_alias_of(own_)) return std::nullopt;
  const auto begin = static_cast<std::size_t>(view.storage_offset());
  const auto block = std::ranges::upper_bound(blocks_, begin, {}, [](const Block& b) { return b.offset + b.size; });
  return block == blocks_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(block - blocks_.begin()));
}

torch::Tensor FlatModel::viewOf(std::size_t block, const torch::Tensor& flat) const {
  const std::vector<std::int64_t>& shape = shapes_[block];
  const torch::Tensor part = flat.narrow(0, static_cast<std::int64_t>(blocks_[block].offset), static_cast<std::int64_t>(blocks_[block].size));
  if (channelsLast_ && shape.size() == 4) return part.as_strided(shape, c10::get_channels_last_strides_2d(shape));
  return part.view(shape);
}

torch::Tensor Placement::hostVector(std::int64_t size) const {
  return torch::empty({size}, torch::TensorOptions(torch::kFloat).pinned_memory(device.is_cuda()));
}

std::function<std::shared_ptr<void>(std::size_t)> Placement::hostMemory() const {
  if (!device.is_cuda()) return {};
  return [](std::size_t bytes) {
    const auto memory = torch::empty({static_cast<std::int64_t>(bytes)}, torch::TensorOptions(torch::kByte).pinned_memory(true));
    return std::shared_ptr<void>(memory.data_ptr(), [memory](void*) {});
  };
}

torch::Tensor Placement::there(const torch::Tensor& host) const {
  return staged ? host.to(device, host.scalar_type(), /*non_blocking=*/true) : host;
}

void Placement::finish() const {
  if (device.is_cuda()) torch::cuda::synchronize(device.index());
}

Placement placementOn(const std::string& device) {
  constexpr std::string_view kCuda = "cuda:";
  if (device == "cpu") return {};
  const std::string number = device.starts_with(kCuda) ? device.substr(kCuda.size()) : "";
  if (number.empty() || number.size() > 2 || !std::all_of(number.begin(), number.end(), [](unsigned char c) { return std::isdigit(c) != 0; }))
    throw Error(Errc::kUnsupported, strCat("device \"", device, "\" is not known; have cpu and cuda:N"));
  return {.device = torch::Device(torch::kCUDA, static_cast<torch::DeviceIndex>(std::stoi(number))), .staged = true};
}

GradientSink::GradientSink(FlatModel& model) : model_(model), final_(model.blocks().size()) {
  for (std::size_t i = 0; i < model_.parameters().size(); ++i)
    model_.parameters()[i].register_hook([this, i](const torch::Tensor& gradient) { receive(i, gradient); });
  const Placement& placement = model_.placement();
  if (!placement.staged) return;
  pinned_ = placement.hostVector(static_cast<std::int64_t>(model_.trainableSize()));
  gathered_ = torch::empty_like(pinned_, placement.device);
  for (std::size_t i = 0; i < model_.parameters().size(); ++i) views_.push_back(model_.viewOf(i, gathered_));
}

void GradientSink::open(std::span<Real> out, const std::function<void(std::size_t)>& ready) {
  if (!model_.placement().staged && out.data() != out_.data()) std::swap(views_, other_), std::swap(out_, otherOut_);
  if (!model_.placement().staged && out.data() != out_.data()) {
    views_.clear();
    const torch::Tensor flat = torch::from_blob(out.data(), {static_cast<std::int64_t>(out.size())}, torch::kFloat);
    for (std::size_t i = 0; i < model_.parameters().size(); ++i) views_.push_back(model_.viewOf(i, flat));
  }
  out_ = out;
  ready_ = ready ? &ready : nullptr;
  failure_ = nullptr;
  readySeconds_ = 0;
  next_ = final_.size();
  for (std::size_t i = 0; i < final_.size(); ++i) final_[i] = !model_.blocks()[i].trainable;
  std::fill(out.begin() + static_cast<std::ptrdiff_t>(model_.trainableSize()), out.end(), Real{0});
}

void GradientSink::again() {
  dropGradients();
  for (std::size_t i = 0; i < final_.size(); ++i) final_[i] = !model_.blocks()[i].trainable;
}

bool GradientSink::scaleBy(double factor) {
  PACELINE_CHECK(model_.placement().staged, "gradients that gather on a device");
  const torch::NoGradGuard noGrad;
  clearMissing();
  return torch::isfinite(gathered_.mul_(factor)).all().item<bool>();
}

void GradientSink::clearMissing() {
  for (std::size_t i = 0; i < views_.size(); ++i) {
    if (!final_[i]) views_[i].zero_();  // the loss does not depend on it
    final_[i] = true;
  }
}

void GradientSink::close() {
  dropGradients();
  const torch::NoGradGuard noGrad;
  clearMissing();
  if (model_.placement().staged) fetch();
  announce();
  ready_ = nullptr;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void GradientSink::abandon() {
  dropGradients();
  ready_ = nullptr;
  failure_ = nullptr;
}

void GradientSink::dropGradients() {
  for (torch::Tensor& parameter : model_.parameters()) parameter.mutable_grad().reset();
}

void GradientSink::receive(std::size_t block, const torch::Tensor& gradient) {
  torch::Tensor& view = views_[block];
  if (model_.placement().staged) {  // maybe on LibTorch's thread for the device, where nothing may be announced
    view.copy_(gradient);
    final_[block] = true;
    return;
  }
  if (gradient.scalar_type() == torch::kFloat && gradient.strides() == view.strides())
    std::memcpy(view.data_ptr(), gradient.data_ptr(), model_.blocks()[block].size * sizeof(Real));
  else
    view.copy_(gradient);
  final_[block] = true;
  announce();
}

void GradientSink::fetch() {
  pinned_.copy_(gathered_, /*non_blocking=*/true);
  model_.placement().finish();
  std::memcpy(out_.data(), pinned_.data_ptr(), model_.trainableSize() * sizeof(Real));
}

// Nothing may pass through LibTorch's engine, which would cut an exception down to its base class.
void GradientSink::announce() {
  if (ready_ == nullptr || failure_) return;
  const double start = clock_->now();
  try {
    while (next_ > 0 && final_[next_ - 1]) (*ready_)(--next_);
  } catch (...) {
    failure_ = std::current_exception();
  }
  readySeconds_ += clock_->now() - start;
}

}  // namespace paceline

#include "engine/nn/flat_model.h"

#include <type_traits>

#include "engine/core/base/error.h"

namespace paceline {

static_assert(std::is_same_v<Real, float>, "the learning side computes in float");

FlatModel::FlatModel(std::shared_ptr<Net> net, bool channelsLast, const Placement& placement)
    : net_(std::move(net)), channelsLast_(channelsLast), placement_(placement) {
  auto parameters = net_->named_parameters();
  auto buffers = net_->named_buffers();
  std::int64_t size = 0;
  for (const auto& item : parameters) size += item.value().numel();
  for (const auto& item : buffers)
    if (item.value().is_floating_point()) size += item.value().numel();
  host_ = placement_.hostVector(size);
  own_ = placement_.staged ? torch::empty_like(host_, placement_.device) : host_;

  const torch::NoGradGuard noGrad;
  for (auto& item : parameters) {
    adopt(item.key(), item.value(), true);
    parameters_.push_back(item.value());
  }
  trainableSize_ = size_;
  for (auto& item : buffers)
    if (item.value().is_floating_point())
      adopt(item.key(), item.value(), false);  // not num_batches_tracked, an integer nobody reads
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
                          .decays = tensor.dim() > 1});
  shapes_.push_back(tensor.sizes().vec());
  torch::Tensor view = viewOf(blocks_.size() - 1, own_);
  view.copy_(tensor);
  tensor.set_data(view);
  size_ += blocks_.back().size;
}

torch::Tensor FlatModel::viewOf(std::size_t block, const torch::Tensor& flat) const {
  const std::vector<std::int64_t>& shape = shapes_[block];
  const torch::Tensor part = flat.narrow(0, static_cast<std::int64_t>(blocks_[block].offset), static_cast<std::int64_t>(blocks_[block].size));
  if (channelsLast_ && shape.size() == 4) return part.as_strided(shape, c10::get_channels_last_strides_2d(shape));
  return part.view(shape);
}

}  // namespace paceline

#include "engine/nn/flat_model.h"

#include <new>
#include <type_traits>

#include "engine/core/error.h"

namespace paceline {

static_assert(std::is_same_v<Real, float>, "the learning side computes in float");

FlatModel::FlatModel(std::shared_ptr<Net> net, bool channelsLast) : net_(std::move(net)), channelsLast_(channelsLast) {
  constexpr std::size_t kAlignment = 64;
  auto parameters = net_->named_parameters();
  auto buffers = net_->named_buffers();
  std::size_t size = 0;
  for (const auto& item : parameters) size += static_cast<std::size_t>(item.value().numel());
  for (const auto& item : buffers)
    if (item.value().is_floating_point()) size += static_cast<std::size_t>(item.value().numel());
  const std::size_t bytes = (size * sizeof(Real) + kAlignment - 1) / kAlignment * kAlignment;
  values_.reset(static_cast<Real*>(std::aligned_alloc(kAlignment, bytes)));
  if (!values_) throw std::bad_alloc();

  const torch::NoGradGuard noGrad;
  for (auto& item : parameters) {
    adopt(item.key(), item.value(), true);
    parameters_.push_back(item.value());
  }
  trainableSize_ = size_;
  for (auto& item : buffers)
    if (item.value().is_floating_point())
      adopt(item.key(), item.value(), false);  // not num_batches_tracked, an integer nobody reads
  PACELINE_CHECK(size_ == size, "flat size");
}

void FlatModel::adopt(const std::string& name, torch::Tensor& tensor, bool trainable) {
  // Biases and the scales of norms are the tensors of one dimension.
  blocks_.push_back(Block{.name = name,
                          .offset = size_,
                          .size = static_cast<std::size_t>(tensor.numel()),
                          .trainable = trainable,
                          .decays = tensor.dim() > 1});
  shapes_.push_back(tensor.sizes().vec());
  torch::Tensor view = viewOf(blocks_.size() - 1, values_.get());
  view.copy_(tensor);
  tensor.set_data(view);
  size_ += blocks_.back().size;
}

torch::Tensor FlatModel::viewOf(std::size_t block, Real* flat) const {
  const std::vector<std::int64_t>& shape = shapes_[block];
  Real* start = flat + blocks_[block].offset;
  if (channelsLast_ && shape.size() == 4)
    return torch::from_blob(start, shape, c10::get_channels_last_strides_2d(shape), torch::kFloat);
  return torch::from_blob(start, shape, torch::kFloat);
}

}  // namespace paceline

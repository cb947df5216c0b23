#include "engine/nn/gradient_sink.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace paceline {

GradientSink::GradientSink(FlatModel& model) : model_(model), final_(model.blocks().size()) {
  for (std::size_t i = 0; i < model_.parameters().size(); ++i)
    model_.parameters()[i].register_hook([this, i](const torch::Tensor& gradient) { receive(i, gradient); });
  const Placement& placement = model_.placement();
  if (!placement.staged) return;
  pinned_ = placement.hostVector(static_cast<std::int64_t>(model_.trainableSize()));
  gathered_ = torch::empty_like(pinned_, placement.device);
  for (std::size_t i = 0; i < model_.parameters().size(); ++i) views_.push_back(model_.viewOf(i, gathered_));
}

void GradientSink::open(std::span<Real> out, const BlockReady& ready) {
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

void GradientSink::close() {
  dropGradients();
  const torch::NoGradGuard noGrad;
  for (std::size_t i = 0; i < views_.size(); ++i) {
    if (!final_[i]) views_[i].zero_();  // the loss does not depend on it
    final_[i] = true;
  }
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

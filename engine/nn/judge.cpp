#include "engine/nn/judge.h"

#include <algorithm>
#include <limits>
#include <numbers>

namespace paceline {

Judged& Judged::operator+=(const Judged& other) {
  correct += other.correct, total += other.total, loss += other.loss, weight += other.weight, samples += other.samples;
  squaredErrors += other.squaredErrors, absoluteErrors += other.absoluteErrors, squares += other.squares;
  lowerIsBetter = lowerIsBetter || other.lowerIsBetter;
  if (metrics.empty()) metrics = other.metrics;
  else
    for (std::size_t i = 0; i < metrics.size() && i < other.metrics.size(); ++i) metrics[i].value += other.metrics[i].value;
  sums.resize(std::max(sums.size(), other.sums.size()));
  for (std::size_t i = 0; i < other.sums.size(); ++i) sums[i] += other.sums[i];
  return *this;
}

Judged judged(Net& net, const torch::Tensor& output, const torch::Tensor& target) {
  Judged found;
  const auto samples = static_cast<double>(target.size(0));
  found.samples = samples;
  found.metrics = net.metrics(output, target), found.lowerIsBetter = net.lowerIsBetter();
  for (NamedNumber& metric : found.metrics) metric.value *= samples;
  if (!target.is_floating_point() && output.dim() == target.dim() + 1) {
    const torch::Tensor scores = target.dim() == 1 ? output : output.flatten(0, -2), labels = target.flatten();
    found.correct = static_cast<std::uint64_t>(scores.argmax(1).eq(labels).sum().item<std::int64_t>());
    found.total = static_cast<std::uint64_t>(labels.numel());
    found.weight = static_cast<double>(labels.numel());
    if (!net.hasLoss()) found.loss = torch::cross_entropy_loss(scores, labels, {}, at::Reduction::Sum).item<float>();
  } else if (target.is_floating_point() && output.numel() == target.numel()) {
    const torch::Tensor wanted = target.to(torch::kDouble), errors = output.reshape(target.sizes()).to(torch::kDouble) - wanted;
    found.squaredErrors = errors.square().sum().item<double>(), found.absoluteErrors = errors.abs().sum().item<double>();
    found.squares = wanted.square().sum().item<double>();
    const torch::Tensor sums = wanted.flatten(1).sum(0).contiguous();
    found.sums.assign(sums.data_ptr<double>(), sums.data_ptr<double>() + sums.numel());
    found.weight = static_cast<double>(target.numel());
    if (!net.hasLoss()) found.loss = found.squaredErrors;
  } else {
    found.weight = samples;
  }
  if (net.hasLoss()) found.weight = samples, found.loss = net.loss(output, target).item<double>() * samples;
  return found;
}

Evaluation evaluationOf(const Judged& all, const datasets::Dataset& data) {
  Evaluation evaluation{.correct = all.correct, .total = all.total, .loss = all.weight > 0 ? all.loss / all.weight : 0};
  if (!all.sums.empty()) {
    double spread = all.squares;
    for (const double sum : all.sums) spread -= sum * sum / all.samples;
    evaluation.score = spread > 0 ? 1 - all.squaredErrors / spread : std::numeric_limits<double>::quiet_NaN();
    evaluation.metrics.push_back({"mean_absolute_error", all.absoluteErrors / (all.samples * static_cast<double>(all.sums.size()))});
  } else if (all.total == 0) {
    evaluation.score = std::numeric_limits<double>::quiet_NaN();
  }
  if (!data.hasClasses && all.total > 0) evaluation.metrics.push_back({"bits_per_symbol", evaluation.loss / std::numbers::ln2});
  for (const NamedNumber& metric : all.metrics) evaluation.metrics.push_back({metric.name, metric.value / all.samples});
  if (!all.metrics.empty()) evaluation.score = (all.lowerIsBetter ? -1 : 1) * all.metrics.front().value / all.samples;
  return evaluation;
}

}  // namespace paceline

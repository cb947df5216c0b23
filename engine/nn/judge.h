// What a network's outputs on a test set are worth: sums over batches, and the evaluation that they come to. Torch inside; engine/nn only.
#pragma once

#include <string>
#include <vector>

#include "engine/core/base/objective.h"
#include "engine/data/datasets/dataset.h"
#include "engine/nn/model.h"

namespace paceline {

// Of one batch, or of several that were added in order.
struct Judged {
  std::uint64_t correct = 0, total = 0;  // of classes, of the places of sequences
  double loss = 0, weight = 0;           // a sum, over this many samples or places
  std::vector<NamedNumber> metrics = {};  // the network's own: sums over `samples`
  bool lowerIsBetter = false;             // of the first of them
  double samples = 0;
  // Of numbers: sums over the samples.
  double squaredErrors = 0, absoluteErrors = 0, squares = 0;
  std::vector<double> sums = {};  // of each number of a target
  Judged& operator+=(const Judged& other);
};

Judged judged(Net& net, const torch::Tensor& output, const torch::Tensor& target);

// Classes and sequences: correct / total; sequences also bits a place ("bits_per_symbol"). Numbers: the score is the coefficient of determination R^2 = 1 - sum of squared errors
// / sum of squared deviations from the mean of each number, and "mean_absolute_error". Where the network has metrics of its own the first is the score, or minus it where
// lower is better.
Evaluation evaluationOf(const Judged& all, const datasets::Dataset& data);

}  // namespace paceline

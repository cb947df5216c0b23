#include "engine/runtime/kept_weights.h"

#include <cerrno>
#include <cmath>

#include "engine/core/base/disk.h"
#include "engine/core/base/replace_file.h"
#include "engine/core/json/describe.h"
#include "engine/core/record/weights.h"

namespace paceline {
namespace {

bool isBetter(const Evaluation& one, const Evaluation& other) {
  const HeldOut mine = one.validation.value_or(HeldOut{.accuracy = one.accuracy(), .loss = one.loss}), theirs = other.validation.value_or(HeldOut{.accuracy = other.accuracy(), .loss = other.loss});
  if (std::isnan(mine.accuracy) || std::isnan(theirs.accuracy)) return mine.loss < theirs.loss || std::isnan(theirs.loss);
  return mine.accuracy > theirs.accuracy;
}

}  // namespace

void KeptWeights::evaluated(const Evaluation& evaluation, std::span<const Real> parameters, std::int64_t round) {
  last_ = {.values = std::move(last_.values), .round = round, .evaluation = evaluation};
  if (best_.round < 0 || isBetter(evaluation, best_.evaluation)) {
    best_.round = round, best_.evaluation = evaluation;
    best_.values.assign(parameters.begin(), parameters.end());
  } else {
    last_.values.assign(parameters.begin(), parameters.end());
  }
}

void KeptWeights::checkpoint(std::span<const Block> blocks, std::span<const Real> parameters, std::int64_t round) {
  constexpr std::size_t kKept = 2;
  write(checkpointWeights(round), blocks, parameters, {{"round", std::to_string(round)}});
  rounds_.push_back(round);
  for (; rounds_.size() > kKept; rounds_.erase(rounds_.begin())) disk::remove(strCat(folder_, "/", checkpointWeights(rounds_.front())));
}

void KeptWeights::finish(std::span<const Block> blocks, std::span<const Real> parameters) {
  if (last_.round < 0) return write(kLastWeights, blocks, parameters, {});
  write(kBestWeights, blocks, best_);
  if (last_.round != best_.round) return write(kLastWeights, blocks, last_);
  disk::remove(strCat(folder_, "/", kLastWeights));
  if (disk::link(strCat(folder_, "/", kBestWeights), strCat(folder_, "/", kLastWeights)) != 0) write(kLastWeights, blocks, best_);
}

void KeptWeights::write(const std::string& name, std::span<const Block> blocks, const Copy& copy) const {
  std::map<std::string, std::string> more = {{"round", std::to_string(copy.round)}, {"loss", dumped(jsonNumber(copy.evaluation.loss))}};
  if (const double accuracy = copy.evaluation.accuracy(); !std::isnan(accuracy)) more["accuracy"] = dumped(jsonNumber(accuracy));
  write(name, blocks, copy.values, std::move(more));
}

void KeptWeights::write(const std::string& name, std::span<const Block> blocks, std::span<const Real> values, std::map<std::string, std::string> more) const {
  if (disk::makeFolders(folder_) != 0) disk::refuse("cannot make " + folder_, errno);
  Weights weights = weightsOf(blocks, values);
  weights.notes = notes_;
  weights.notes.merge(more);
  replaceFile(strCat(folder_, "/", name), safetensorsBytes(weights), 0600);
}

}  // namespace paceline

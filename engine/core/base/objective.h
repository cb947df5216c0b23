// The learning problem as an algorithm sees it: flat floats, no torch. One per worker, used by one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/base/archive.h"
#include "engine/core/base/cores.h"
#include "engine/core/base/vec.h"

namespace paceline {

// One named tensor inside the flat vector. Batch-norm running statistics are blocks with trainable = false and zero gradient.
struct Block {
  std::string name;
  std::size_t offset = 0;  // elements
  std::size_t size = 0;    // elements
  bool trainable = true;
  bool decays = true;      // false: a bias or a norm's scale, which weight decay may leave alone (Optimizer::decayAll)
  double work = 0;         // multiplications of a forward pass over one sample; 0: not known
  std::vector<std::int64_t> shape{};  // of the tensor; empty: not known, or one number
  bool channelsLast = false;          // its four dimensions lie as out, height, width, in
};

struct StepStats {
  double loss = 0;             // mean over the batch
  std::uint64_t samples = 0;
  double fetchSeconds = 0;     // making the batch
  double computeSeconds = 0;   // forward + backward
};

struct NamedNumber {
  std::string name;
  double value = 0;
  bool operator==(const NamedNumber&) const = default;
};

// What decides, where training samples are held out for it: over those, as accuracy() and loss are over the test set.
struct HeldOut {
  double accuracy = 0, loss = 0;
};

struct Evaluation {
  std::uint64_t correct = 0;
  std::uint64_t total = 0;
  double loss = 0;  // mean over the test set
  std::optional<double> score{};        // what stands for the accuracy where correct / total does not: higher is better
  std::vector<NamedNumber> metrics{};   // of the model or the task, over the test set
  std::optional<HeldOut> validation{};
  double accuracy() const { return score ? *score : total == 0 ? 0.0 : static_cast<double>(correct) / static_cast<double>(total); }
};

// Whom a step tells how far it is, on its thread. What one of them throws comes out of the step.
struct StepWatch {
  std::function<void(std::uint64_t samples)> begins = {};  // the batch is there, so many samples
  std::function<void(std::size_t block)> needed = {};      // before the forward pass reads a block; each at least once. It may be written until this returns
  std::function<void(std::size_t block)> ready = {};       // its gradient is final, last layer first. The step reads its parameters no more: they may be written
};

class Objective {
 public:
  virtual ~Objective() = default;
  virtual std::span<Real> parameters() = 0;  // live view: writing it changes the model
  // The next mini-batch's mean gradient at parameters(), into out (same size). Advances the data cursor.
  virtual StepStats gradient(std::span<Real> out, const StepWatch& watch = {}) = 0;
  // The same work on the batch that gradient() will give next, without drawing it: warm-up and timing. Statistics stay as they were.
  virtual StepStats warmUpStep(std::span<Real> out) = 0;
  virtual Evaluation evaluate(Cores* cores = nullptr) = 0;  // whole test set at parameters(), and what is held out; the same bits on any cores
  virtual std::span<const Block> blocks() const = 0;
  virtual void countWork() {}  // makes Block::work known, where it can; before the first step
  // Everything beside the parameters that the next gradient depends on: the data cursor, random streams.
  virtual void state(Archive&) {}
  // Where a run divides the data of lost workers (the document's lost_data): from its epoch `from` on, or its next one, it trains on its part of what the workers of these ranks had, too;
  // without ranks on its own alone. Returns that epoch; none: nothing changes.
  virtual std::optional<std::uint64_t> divideDataOf(const std::vector<int>& /*lost*/, std::optional<std::uint64_t> /*from*/ = {}) { return std::nullopt; }
  virtual std::vector<int> dividesDataOf() const { return {}; }  // whose, by the newest of these
  virtual std::vector<std::int64_t> labelCounts() const { return {}; }  // samples of each class that it trains on; empty: it has no classes
};

}  // namespace paceline

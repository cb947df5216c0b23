// Batches of samples that are made while the step before computes. No torch; a loader owns its threads and its buffers. Used by one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "engine/core/base/archive.h"
#include "engine/data/batch_stream.h"
#include "engine/data/datasets/dataset.h"

namespace paceline {

struct LoaderOptions {
  int threads = 1;            // that prepare batches; 0: the calling thread does when it asks
  bool channelsLast = false;  // height, width, channel within a sample
  std::function<std::shared_ptr<void>(std::size_t bytes)> allocate = {};  // of the buffers; empty: 64-byte aligned host memory
};

struct Batch {
  const void* inputs = nullptr;   // count x the set's form
  const void* targets = nullptr;  // likewise
  std::size_t count = 0;
  std::uint64_t seed = 0;  // of what else is random in its step (dropout): a function of (seed, rank, place in the stream)
};

// Room for one batch.
class BatchBuffer {
 public:
  BatchBuffer(const datasets::Dataset& data, std::size_t capacity, const LoaderOptions& options);
  void* inputs() { return inputs_.get(); }
  void* targets() { return targets_.get(); }
  Batch first(std::size_t count) { return {.inputs = inputs(), .targets = targets(), .count = count}; }

 private:
  std::shared_ptr<void> inputs_, targets_;
};

// Batches of a BatchStream over data.train, in its order whatever the number of threads. What is random in a sample's transform is a
// function of (seed, epoch, sample) only, so a resumed stream and any number of threads give the same bytes. Where data.skipBroken leaves
// fewer samples of a batch than plan.minimum, the batch is left out as an epoch's small leftover is.
class BatchLoader {
 public:
  BatchLoader(std::shared_ptr<const datasets::Dataset> data, BatchStream stream, LoaderOptions options);
  ~BatchLoader();
  BatchLoader(const BatchLoader&) = delete;
  BatchLoader& operator=(const BatchLoader&) = delete;

  // The batch that comes next, waiting until it is ready; valid until pop(). Throws Error{kFormat, kFile} for an image that does not
  // decode, Error{kData} when a whole epoch has no batch because of such images.
  const Batch& front();
  void pop();                     // that batch has been used
  std::uint64_t nextEpoch() const;  // the first of which no batch has been used
  void share(std::uint64_t epoch, std::vector<std::uint32_t> indices);  // BatchStream::share
  void state(Archive& archive);   // what front() gives next
  std::uint64_t skipped() const;  // different images that did not decode; the first 20 are named on stderr

 private:
  struct Inner;
  std::unique_ptr<Inner> inner_;
};

// `asked`, or none where the step's own thread makes a batch in less time than another one hands it over.
int usefulThreads(const datasets::Dataset& data, std::size_t batchSize, int asked);

// Training samples `indices` as a BatchLoader gives them in that epoch, training and test samples as they are evaluated. What does not decode is left
// out where data.skipBroken, the rest closes up. How many there are.
std::size_t trainBatch(const datasets::Dataset& data, std::span<const std::uint32_t> indices, std::uint64_t seed, std::uint64_t epoch, bool channelsLast,
                       void* inputs, void* targets);
std::size_t validationBatch(const datasets::Dataset& data, std::span<const std::uint32_t> indices, bool channelsLast, void* inputs, void* targets);
std::size_t testBatch(const datasets::Dataset& data, std::span<const std::uint32_t> indices, bool channelsLast, void* inputs, void* targets);

}  // namespace paceline

// How a vector travels in fewer bytes than its values have. fp16, int8 (codec.h) and the largest entries (TopK) are compressors;
// error feedback is a decorator of any of them. Methods that exchange in several aggregations (low rank, DCT) are no compressors: they call
// WorkerContext::aggregateMean() once per factor. Used by the sender's thread.
//
// Error feedback: of y = x + r the compressed Q(y) is sent, and r = y - Q(y) waits for the next vector, so that what was sent and what waits
// always add up to what was put in. Seide et al. 2014, "1-Bit Stochastic Gradient Descent"; Karimireddy et al. 2019, "Error Feedback Fixes
// SignSGD and other Gradient Compression Schemes".
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/comm/codecs/select.h"
#include "engine/comm/codecs/sparse_codec.h"
#include "engine/comm/transport/layers.h"
#include "engine/core/base/archive.h"

namespace paceline::codecs {

class Compressor {
 public:
  virtual ~Compressor() = default;
  // Q(values + rest), a payload per part of the vector, in their order; leaves values + rest - Q(values + rest) in `rest`, which is as long as
  // `values`, or empty: then nothing waits.
  virtual std::vector<Packed> compress(std::span<const Real> values, std::span<const ShardRange> parts, std::span<Real> rest) = 0;
};

// Every element in fp16 or 8 bits: Packing::kHalf or kInt8.
std::unique_ptr<Compressor> denseCompressor(Packing packing);

// One vector's residual. Borrows the compressor that it decorates.
class ErrorFeedback final : public Compressor {
 public:
  explicit ErrorFeedback(Compressor& inner) : inner_(&inner) {}
  std::vector<Packed> compress(std::span<const Real> values, std::span<const ShardRange> parts, std::span<Real> rest = {}) override;
  std::span<Real> rest() { return rest_; }
  void state(Archive& archive, std::string_view name) { archive.reals(name, rest_); }

 private:
  Compressor* inner_;
  std::vector<Real> rest_;  // empty: zero
};

// The entries of largest absolute value of every layer (select.h), as payloads of sparse_codec.h. Used by one thread.
struct Layer {
  std::size_t begin = 0, size = 0;  // elements of the vector
  std::string name = {};            // for the error that names a value that is not finite
};

class TopK final : public Compressor {
 public:
  // Layers of fewer than `denseBelow` entries are kept whole.
  TopK(std::size_t denseBelow, SparseValues format) : denseBelow_(denseBelow), format_(format) {}

  void setLayers(std::vector<Layer> layers) { layers_ = std::move(layers); }
  bool hasLayers() const { return !layers_.empty(); }
  void setFraction(double fraction) { fraction_ = fraction; }  // of every layer's entries

  // Throws Error{kData} naming the layer of a value that is infinite or NaN.
  std::vector<Packed> compress(std::span<const Real> values, std::span<const ShardRange> parts, std::span<Real> rest) override;
  // The last vector's entries as receivers read them: rounded where the format rounds.
  const SparseVector& sent() const { return sent_; }

 private:
  std::size_t denseBelow_;
  SparseValues format_;
  double fraction_ = 1;
  std::vector<Layer> layers_;
  Selector selector_;
  SparseVector sent_;
};

}  // namespace paceline::codecs

// How a vector travels in fewer bytes than its values have. fp16, int8 (dense_codec.h) and the largest entries (top_k.h) are compressors;
// error feedback is a decorator of any of them. Methods that exchange in several aggregations (low rank, DCT) are no compressors: they call
// WorkerContext::aggregateMean() once per factor. Used by the sender's thread.
//
// Error feedback: of y = x + r the compressed Q(y) is sent, and r = y - Q(y) waits for the next vector, so that what was sent and what waits
// always add up to what was put in. Seide et al. 2014, "1-Bit Stochastic Gradient Descent"; Karimireddy et al. 2019, "Error Feedback Fixes
// SignSGD and other Gradient Compression Schemes".
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "engine/comm/transport/shards.h"
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

}  // namespace paceline::codecs

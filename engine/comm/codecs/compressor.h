// How a vector travels in fewer bytes than its values have. fp16, int8 (codec.h) and the largest entries (TopK) are compressors;
// error feedback is a decorator of any of them. Methods that exchange in several aggregations (low rank, DCT) are no compressors: they call
// WorkerContext::aggregateMean() once per factor. Used by the sender's thread.
//
// Error feedback: of y = x + r the compressed Q(y) is sent, and r = y - Q(y) waits for the next vector, so that what was sent and what waits
// always add up to what was put in. Seide et al. 2014, "1-Bit Stochastic Gradient Descent"; Karimireddy et al. 2019, "Error Feedback Fixes
// SignSGD and other Gradient Compression Schemes".
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "engine/comm/codecs/select.h"
#include "engine/comm/codecs/sparse_codec.h"
#include "engine/comm/transport/layers.h"
#include "engine/comm/transport/transport.h"
#include "engine/core/base/archive.h"
#include "engine/core/spec/run_spec.h"

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
  void state(Archive& archive, std::string_view name, std::size_t size) { archive.fixedOrNone(name, rest_, size); }
  void state(Archive& archive, std::string_view name) { archive.reals(name, rest_); }  // of a vector whose size the next compress() tells

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
  void setMost(std::size_t entries) { most_ = entries; }       // of a layer, whatever its fraction

  // Throws Error{kData} naming the layer of a value that is infinite or NaN.
  std::vector<Packed> compress(std::span<const Real> values, std::span<const ShardRange> parts, std::span<Real> rest) override;
  // The last vector's entries as receivers read them: rounded where the format rounds.
  const SparseVector& sent() const { return sent_; }

 private:
  std::size_t denseBelow_;
  SparseValues format_;
  double fraction_ = 1;
  std::size_t most_ = std::numeric_limits<std::size_t>::max();
  std::vector<Layer> layers_;
  Selector selector_;
  SparseVector sent_;
};

// The document's wire format, as the layer on top of the others: contributions (kPush, kReduce) of more than one number leave compressed and
// arrive dense; algorithms and aggregations know nothing of it. Everything else stays fp32: start values, replies and copies for the evaluator
// are parameters, means must have the same bits everywhere, and nobody feeds their rounding back. Same thread as the wire below, which it
// borrows. receive() also throws Error{kFormat} naming the node of a malformed payload.
class CodedWire final : public LayerWire {
 public:
  CodedWire(Wire& below, const WireFormat& format);
  void send(int to, Message message) override;  // a packed message borrows nothing
  void sendToAll(const NodeList& nodes, const Message& message) override;
  std::optional<Message> receive(double timeoutSeconds) override;

  void state(Archive& archive);  // the residuals

 private:
  // Of a residual: receiver, kind, shard or piece, and the message's number among the round's messages of its vector there, with the vector above it.
  using Place = std::tuple<int, MessageKind, std::int32_t, std::int32_t>;
  struct Sent {
    std::int64_t round = std::numeric_limits<std::int64_t>::min();
    std::int32_t ordinal = 0;
  };
  Compressor& compressorOf(int to, const Message& message);

  std::unique_ptr<Compressor> compressor_;  // null: fp32
  bool feedback_;
  std::map<Place, Sent> lastSent_;  // by place with number 0
  std::map<Place, ErrorFeedback> residuals_;
};

}  // namespace paceline::codecs

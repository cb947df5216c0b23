// The entries of largest absolute value of every layer (select.h), as payloads of sparse_codec.h. Used by one thread.
#pragma once

#include <string>

#include "engine/comm/codecs/compressor.h"
#include "engine/comm/codecs/select.h"
#include "engine/comm/codecs/sparse_codec.h"

namespace paceline::codecs {

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

#include "engine/comm/codecs/compressor.h"

#include <algorithm>

#include "engine/comm/codecs/codec.h"
#include "engine/core/base/error.h"
#include "engine/core/base/vec.h"

namespace paceline::codecs {

namespace {

class DenseCompressor final : public Compressor {
 public:
  explicit DenseCompressor(Packing packing) : packing_(packing) {}

  std::vector<Packed> compress(std::span<const Real> values, std::span<const ShardRange> parts, std::span<Real> rest) override {
    std::vector<Packed> payloads;
    for (const ShardRange& part : parts)
      payloads.push_back(packDense(packing_, values.subspan(part.offset, part.size), rest.empty() ? rest : rest.subspan(part.offset, part.size)));
    return payloads;
  }

 private:
  Packing packing_;
};

}  // namespace

std::unique_ptr<Compressor> denseCompressor(Packing packing) { return std::make_unique<DenseCompressor>(packing); }

std::vector<Packed> ErrorFeedback::compress(std::span<const Real> values, std::span<const ShardRange> parts, std::span<Real> rest) {
  PACELINE_CHECK(rest.empty(), "error feedback keeps the residual itself");
  if (rest_.empty()) rest_.resize(values.size());
  PACELINE_CHECK(rest_.size() == values.size(), strCat(values.size(), " values where ", rest_.size(), " were sent before"));
  return inner_->compress(values, parts, rest_);
}

std::vector<Packed> TopK::compress(std::span<const Real> values, std::span<const ShardRange> parts, std::span<Real> rest) {
  if (!rest.empty()) addScaled(rest, Real{1}, values);
  const std::span<const Real> all = rest.empty() ? values : rest;
  sent_.indices.clear();
  for (const Layer& layer : layers_) {
    const std::size_t k = layer.size < denseBelow_ ? layer.size : keptOf(layer.size, fraction_);
    selector_.largest(all.subspan(layer.begin, layer.size), k, layer.begin, layer.name, sent_.indices);
  }
  sent_.values.resize(sent_.indices.size());
  for (std::size_t i = 0; i < sent_.indices.size(); ++i) sent_.values[i] = all[sent_.indices[i]];

  std::vector<Packed> payloads;
  std::size_t from = 0;
  for (const ShardRange& part : parts) {
    const std::span<const std::uint32_t> indices = std::span(sent_.indices).subspan(from);
    const auto count = static_cast<std::size_t>(std::lower_bound(indices.begin(), indices.end(), part.offset + part.size) - indices.begin());
    payloads.push_back(packSparse({.begin = part.offset, .count = part.size}, indices.first(count), std::span(sent_.values).subspan(from, count), format_));
    from += count;
  }
  for (std::size_t i = 0; i < sent_.indices.size() && !rest.empty(); ++i) rest[sent_.indices[i]] -= sent_.values[i];
  return payloads;
}

}  // namespace paceline::codecs

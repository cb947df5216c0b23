#include "engine/comm/codecs/compressor.h"

#include "engine/comm/codecs/dense_codec.h"
#include "engine/core/base/error.h"

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

}  // namespace paceline::codecs

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
  if (isHollow(values)) return inner_->compress(values, parts, {});
  if (rest_.empty()) rest_.resize(values.size());
  PACELINE_CHECK(rest_.size() == values.size(), strCat(values.size(), " values where ", rest_.size(), " were sent before"));
  return inner_->compress(values, parts, rest_);
}

std::vector<Packed> TopK::compress(std::span<const Real> values, std::span<const ShardRange> parts, std::span<Real> rest) {
  if (!rest.empty()) addScaled(rest, Real{1}, values);
  const std::span<const Real> all = rest.empty() ? values : rest;
  sent_.indices.clear();
  for (const Layer& layer : layers_) {
    const std::size_t k = layer.size < denseBelow_ ? layer.size : std::min(keptOf(layer.size, fraction_), most_);
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

namespace {

std::unique_ptr<Compressor> compressorNamed(const std::string& format) {
  if (format == "fp32") return nullptr;
  if (format == "fp16") return denseCompressor(Packing::kHalf);
  if (format == "int8") return denseCompressor(Packing::kInt8);
  throw Error(Errc::kSpec, strCat("wire format \"", format, "\" is not known; have fp32, fp16, int8"));
}

bool isDensePacking(Packing packing) { return packing == Packing::kHalf || packing == Packing::kInt8; }

}  // namespace

CodedWire::CodedWire(Wire& below, const WireFormat& format)
    : LayerWire(below), compressor_(compressorNamed(format.format)), feedback_(format.errorFeedback) {}

void CodedWire::send(int to, Message message) {
  const bool contributes = message.kind == MessageKind::kPush || message.kind == MessageKind::kReduce;
  const std::span<const Real> values = message.dense.values();
  // One number alone is a count that all must agree on, exactly.
  if (compressor_ && contributes && values.size() > 1 && message.vector != kExactVector) {
    const ShardRange whole{.offset = 0, .size = values.size(), .server = to};
    message.packed = std::move(compressorOf(to, message).compress(values, {&whole, 1}, {}).front());
    message.dense = {};
  }
  below_.send(to, std::move(message));
}

void CodedWire::sendToAll(const NodeList& nodes, const Message& message) {
  if (message.dense.empty()) below_.sendToAll(nodes, message);
  else Wire::sendToAll(nodes, message);
}

std::optional<Message> CodedWire::receive(double timeoutSeconds) {
  std::optional<Message> message = below_.receive(timeoutSeconds);
  if (message && isDensePacking(message->packed.packing)) {
    message->dense = unpackDense(message->packed, strCat("node ", message->from));
    message->packed = {};
  }
  return message;
}

// A method may send several vectors a round to the same place: each has a residual of its own.
Compressor& CodedWire::compressorOf(int to, const Message& message) {
  if (!feedback_) return *compressor_;
  constexpr std::int32_t kMostOrdinals = 1 << 16;
  Place place{to, message.kind, message.shard, message.vector * kMostOrdinals};
  Sent& sent = lastSent_[place];
  sent = {.round = message.round, .ordinal = sent.round == message.round ? sent.ordinal + 1 : 0};
  std::get<3>(place) += sent.ordinal;
  return residuals_.try_emplace(place, *compressor_).first->second;
}

void CodedWire::state(Archive& archive) {
  std::vector<std::uint64_t> places;
  for (const auto& [place, residual] : residuals_) {
    const auto& [to, kind, shard, ordinal] = place;
    for (const std::int64_t number : {std::int64_t{to}, static_cast<std::int64_t>(kind), std::int64_t{shard}, std::int64_t{ordinal}})
      places.push_back(static_cast<std::uint64_t>(number));
  }
  archive.words("places", places);
  if (archive.loading()) {
    if (places.size() % 4 != 0 || (!compressor_ && !places.empty())) throw Error(Errc::kFormat, strCat("a wire's state of ", places.size(), " words"));
    residuals_.clear();
    lastSent_.clear();
    for (std::size_t i = 0; i < places.size(); i += 4)
      residuals_.try_emplace({static_cast<int>(places[i]), static_cast<MessageKind>(places[i + 1]), static_cast<std::int32_t>(places[i + 2]),
                              static_cast<std::int32_t>(places[i + 3])},
                             *compressor_);
  }
  std::size_t index = 0;
  for (auto& [place, residual] : residuals_) residual.state(archive, strCat("residual ", index++));
}

}  // namespace paceline::codecs

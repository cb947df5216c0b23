#include "engine/comm/codecs/coded_wire.h"

#include "engine/comm/codecs/codec.h"
#include "engine/core/base/error.h"

namespace paceline::codecs {
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
  if (compressor_ && contributes && values.size() > 1) {
    const ShardRange whole{.offset = 0, .size = values.size(), .server = to};
    message.packed = std::move(compressorOf(to, message).compress(values, {&whole, 1}, {}).front());
    message.dense = {};
  }
  below_.send(to, std::move(message));
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
  Place place{to, message.kind, message.shard, 0};
  Sent& sent = lastSent_[place];
  sent = {.round = message.round, .ordinal = sent.round == message.round ? sent.ordinal + 1 : 0};
  std::get<3>(place) = sent.ordinal;
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

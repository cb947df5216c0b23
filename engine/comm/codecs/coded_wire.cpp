#include "engine/comm/codecs/coded_wire.h"

#include "engine/comm/codecs/dense_codec.h"
#include "engine/core/base/error.h"

namespace paceline::codecs {
namespace {

Packing packingOf(const std::string& format) {
  if (format == "fp16") return Packing::kHalf;
  if (format == "int8") return Packing::kInt8;
  if (format == "fp32") return Packing::kNone;
  throw Error(Errc::kSpec, strCat("wire format \"", format, "\" is not known; have fp32, fp16, int8"));
}

bool isDensePacking(Packing packing) { return packing == Packing::kHalf || packing == Packing::kInt8; }

}  // namespace

CodedWire::CodedWire(Wire& below, const WireFormat& format)
    : below_(below), packing_(packingOf(format.format)), feedback_(format.errorFeedback) {}

void CodedWire::send(int to, Message message) {
  const bool contributes = message.kind == MessageKind::kPush || message.kind == MessageKind::kReduce;
  // One number alone is a count that all must agree on, exactly.
  if (packing_ != Packing::kNone && contributes && message.dense.values().size() > 1) {
    const std::span<Real> residual = feedback_ ? std::span<Real>(residualOf(to, message)) : std::span<Real>();
    message.packed = packDense(packing_, message.dense.values(), residual);
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
std::vector<Real>& CodedWire::residualOf(int to, const Message& message) {
  Place place{to, message.kind, message.shard, 0};
  Sent& sent = lastSent_[place];
  sent = {.round = message.round, .ordinal = sent.round == message.round ? sent.ordinal + 1 : 0};
  std::get<3>(place) = sent.ordinal;
  std::vector<Real>& residual = residuals_[place];
  const std::size_t size = message.dense.values().size();
  PACELINE_CHECK(residual.empty() || residual.size() == size,
                 strCat(size, " values where ", residual.size(), " were sent before, shard ", message.shard));
  residual.resize(size);
  return residual;
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
    if (places.size() % 4 != 0) throw Error(Errc::kFormat, strCat("a wire's state of ", places.size(), " words"));
    residuals_.clear();
    lastSent_.clear();
    for (std::size_t i = 0; i < places.size(); i += 4)
      residuals_[{static_cast<int>(places[i]), static_cast<MessageKind>(places[i + 1]), static_cast<std::int32_t>(places[i + 2]),
                  static_cast<std::int32_t>(places[i + 3])}];
  }
  std::size_t index = 0;
  for (auto& [place, residual] : residuals_) archive.reals(strCat("residual ", index++), residual);
}

}  // namespace paceline::codecs

// The document's wire format, as the layer on top of the others: contributions (kPush, kReduce) of more than one number leave compressed and
// arrive dense; algorithms and aggregations know nothing of it. Everything else stays fp32: start values, replies and copies for the evaluator
// are parameters, means must have the same bits everywhere, and nobody feeds their rounding back. Same thread as the wire below, which it
// borrows. receive() also throws Error{kFormat} naming the node of a malformed payload.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <tuple>
#include <vector>

#include "engine/comm/codecs/compressor.h"
#include "engine/comm/transport/transport.h"
#include "engine/core/base/archive.h"
#include "engine/core/spec/run_spec.h"

namespace paceline::codecs {

class CodedWire final : public LayerWire {
 public:
  CodedWire(Wire& below, const WireFormat& format);
  void send(int to, Message message) override;  // a packed message borrows nothing
  std::optional<Message> receive(double timeoutSeconds) override;

  void state(Archive& archive);  // the residuals

 private:
  // Of a residual: receiver, kind, shard or piece, and the message's number among the round's messages there.
  using Place = std::tuple<int, MessageKind, std::int32_t, std::int32_t>;
  struct Sent {
    std::int64_t round = std::numeric_limits<std::int64_t>::min();
    std::int32_t ordinal = 0;
  };
  Compressor& compressorOf(int to, const Message& message);

  std::unique_ptr<Compressor> compressor_;  // null: fp32
  bool feedback_;
  std::map<Place, Sent> lastSent_;  // by place with ordinal 0
  std::map<Place, ErrorFeedback> residuals_;
};

}  // namespace paceline::codecs

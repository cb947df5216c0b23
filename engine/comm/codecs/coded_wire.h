// The layer that carries out the document's wire format, on top of the others: contributions (kPush, kReduce) of more than one number leave
// packed (dense_codec.h) and arrive dense, so algorithms and aggregations know nothing of it. Everything else stays fp32: start values, replies and
// snapshots are parameters, means are what all must hold in the same bits, and nobody would feed their rounding back. Same thread as the
// wire below, which it borrows. receive() also throws Error{kFormat} naming the node whose payload is none.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <tuple>
#include <vector>

#include "engine/comm/transport/wire.h"
#include "engine/core/base/archive.h"
#include "engine/core/spec/run_spec.h"

namespace paceline::codecs {

class CodedWire final : public Wire {
 public:
  CodedWire(Wire& below, const WireFormat& format);
  int self() const override { return below_.self(); }
  void send(int to, Message message) override;  // a packed message borrows nothing
  std::optional<Message> receive(double timeoutSeconds) override;
  void settle() override { below_.settle(); }
  void tolerate(const std::vector<int>& nodes) override { below_.tolerate(nodes); }

  void state(Archive& archive);  // what waits to be sent

 private:
  // What one place of the exchange still owes: to whom, in which kind, of which shard or piece, and which of the round's messages there.
  using Place = std::tuple<int, MessageKind, std::int32_t, std::int32_t>;
  struct Sent {
    std::int64_t round = std::numeric_limits<std::int64_t>::min();
    std::int32_t ordinal = 0;
  };
  std::vector<Real>& residualOf(int to, const Message& message);

  Wire& below_;
  Packing packing_;
  bool feedback_;
  std::map<Place, Sent> lastSent_;  // by place with ordinal 0
  std::map<Place, std::vector<Real>> residuals_;
};

}  // namespace paceline::codecs

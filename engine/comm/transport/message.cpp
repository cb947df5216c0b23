#include "engine/comm/transport/message.h"

#include <algorithm>
#include <utility>

namespace paceline {

Dense Dense::copied(std::span<const Real> values) {
  if (values.empty()) return {};
  std::shared_ptr<Real[]> memory = std::make_shared_for_overwrite<Real[]>(values.size());
  std::copy(values.begin(), values.end(), memory.get());
  const std::span<const Real> view(memory.get(), values.size());
  return shared(view, std::move(memory));
}

Packed Packed::of(Packing packing, std::size_t count, std::vector<std::byte> bytes) {
  const auto memory = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  return {.packing = packing, .count = count, .owner = memory, .bytes = *memory};
}

const char* kindName(MessageKind kind) {
  switch (kind) {
    case MessageKind::kInit: return "init";
    case MessageKind::kPush: return "push";
    case MessageKind::kReply: return "reply";
    case MessageKind::kReduce: return "reduce";
    case MessageKind::kReduced: return "reduced";
    case MessageKind::kAsk: return "ask";
    case MessageKind::kAnswer: return "answer";
    case MessageKind::kExchange: return "exchange";
    case MessageKind::kPull: return "pull";
    case MessageKind::kCopy: return "copy";
    case MessageKind::kProgress: return "progress";
    case MessageKind::kStop: return "stop";
    case MessageKind::kBye: return "bye";
    case MessageKind::kCheckpoint: return "checkpoint";
    case MessageKind::kEvaluate: return "evaluate";
    case MessageKind::kLost:
    case MessageKind::kBack: break;  // never on the wire
  }
  return "unknown";
}

std::size_t wireBytes(const Message& message) {
  return kHeaderBytes + message.scalars.size() * sizeof(double) + message.dense.values().size_bytes() + message.packed.bytes.size();
}

}  // namespace paceline

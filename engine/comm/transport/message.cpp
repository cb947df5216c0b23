#include "engine/comm/transport/message.h"

#include <algorithm>
#include <iterator>
#include <utility>


namespace paceline {

Dense Dense::copied(std::span<const Real> values) {
  if (values.empty() || isHollow(values)) return borrowed(values);
  return made(values.size(), [&](std::span<Real> copy) { std::copy(values.begin(), values.end(), copy.begin()); });
}

Dense Dense::sum(std::span<const Dense> parts, Real scale) {
  const std::span<const Real> like = parts.front().values();
  if (isHollow(like)) return borrowed(hollow<Real>(like.size()));
  std::vector<const Real*> inputs;
  for (const Dense& part : parts) inputs.push_back(part.values().data());
  return made(like.size(), [&](std::span<Real> out) { sumOf<Real>(inputs, scale, out); });
}

Packed Packed::of(Packing packing, std::size_t count, std::vector<std::byte> bytes) {
  const auto memory = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  return {.packing = packing, .count = count, .owner = memory, .bytes = *memory};
}

const char* kindName(MessageKind kind) {
  using enum MessageKind;  // kLost and kBack are never on the wire
  static constexpr std::pair<MessageKind, const char*> kNames[] = {
      {kInit, "init"},     {kPush, "push"},         {kReply, "reply"}, {kReduce, "reduce"},     {kReduced, "reduced"},
      {kAsk, "ask"},       {kAnswer, "answer"},     {kPull, "pull"},   {kExchange, "exchange"}, {kCopy, "copy"},
      {kStop, "stop"},     {kProgress, "progress"}, {kBye, "bye"},     {kEvaluate, "evaluate"}, {kCheckpoint, "checkpoint"},
      {kDropped, "dropped"}, {kAnew, "anew"}, {kMembers, "members"}, {kPadding, "padding"}};
  const auto found = std::find_if(std::begin(kNames), std::end(kNames), [&](const auto& named) { return named.first == kind; });
  return found == std::end(kNames) ? "unknown" : found->second;
}

std::size_t valueBytes(const Message& message) { return message.dense.values().size_bytes() + message.packed.bytes.size(); }

std::size_t wireBytes(const Message& message) { return kHeaderBytes + message.scalars.size() * sizeof(double) + valueBytes(message); }

}  // namespace paceline

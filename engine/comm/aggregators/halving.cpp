#include "engine/comm/aggregators/halving.h"

namespace paceline::aggregators {
namespace {

Range half(Range range, bool upper) {
  const std::size_t lower = range.size - range.size / 2;
  return upper ? Range{.offset = range.offset + lower, .size = range.size / 2} : Range{.offset = range.offset, .size = lower};
}

// `mine` is shared with the places nearer than 2 * distance.
void halve(PieceExchange& exchange, Range mine, int distance, int place, std::span<const int> nodes,
           const std::function<void(Range)>& whenHalved) {
  if (distance == 0) return whenHalved(mine);
  const int peer = nodes[static_cast<std::size_t>(place ^ distance)];
  const bool upper = (place & distance) != 0;
  const Range kept = half(mine, upper), given = half(mine, !upper);
  exchange.lend(peer, MessageKind::kReduce, given);
  exchange.receiveSum(peer, MessageKind::kReduce, kept);
  halve(exchange, kept, distance / 2, place, nodes, whenHalved);
  exchange.copy(peer, MessageKind::kReduced, kept);
  exchange.receiveInto(peer, MessageKind::kReduced, given);
}

}  // namespace

Range halvedPart(Range all, int place, int places) {
  for (int distance = places / 2; distance > 0; distance /= 2) all = half(all, (place & distance) != 0);
  return all;
}

void halveAndDouble(PieceExchange& exchange, Range all, int place, std::span<const int> nodes, const std::function<void(Range)>& whenHalved) {
  halve(exchange, all, static_cast<int>(nodes.size()) / 2, place, nodes, whenHalved);
}

std::size_t elementsSentHalving(std::size_t elements, int place, int places) {
  std::size_t sent = 0;
  Range mine{.offset = 0, .size = elements};
  for (int distance = places / 2; distance > 0; distance /= 2) {
    sent += mine.size;  // one half now, of the other the means later
    mine = half(mine, (place & distance) != 0);
  }
  return sent;
}

}  // namespace paceline::aggregators

#include "engine/comm/aggregators/pieces.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/comm/transport/message.h"
#include "engine/core/base/error.h"
#include "engine/core/base/vec.h"

namespace paceline::aggregators {

PieceExchange::PieceExchange(Transport& transport, std::int64_t round, std::span<Real> data)
    : transport_(transport), round_(round), data_(data) {
  PACELINE_CHECK(data.size() <= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()),
                 strCat("an aggregation of ", data.size(), " elements"));
}

std::vector<std::span<Real>> PieceExchange::pieces(Range range) const {
  constexpr std::size_t kLongest = kShardBytes / sizeof(Real);
  std::span<Real> part = data_.subspan(range.offset, range.size);
  std::vector<std::span<Real>> pieces;
  while (!part.empty()) {
    pieces.push_back(part.first(std::min(part.size(), kLongest)));
    part = part.subspan(pieces.back().size());
  }
  return pieces;
}

void PieceExchange::send(int to, MessageKind kind, std::span<const Real> piece, Dense dense) {
  transport_.send(to, {.kind = kind, .shard = static_cast<std::int32_t>(piece.data() - data_.data()), .round = round_, .dense = std::move(dense)});
}

void PieceExchange::lend(int to, MessageKind kind, Range range) {
  for (const std::span<Real> piece : pieces(range)) send(to, kind, piece, Dense::borrowed(piece));
}

void PieceExchange::copy(int to, MessageKind kind, Range range) {
  for (const std::span<Real> piece : pieces(range)) send(to, kind, piece, Dense::copied(piece));
}

Dense PieceExchange::receive(int from, MessageKind kind, std::span<const Real> piece) {
  Message got = transport_.receiveFrom(from);
  const auto begin = piece.data() - data_.data();
  if (got.kind == kind && got.shard == begin && got.round == round_ && got.dense.values().size() == piece.size()) return std::move(got.dense);
  transport_.settle();
  throw Error(Errc::kFormat, strCat("node ", got.from, " sent a ", kindName(got.kind), " of round ", got.round, ", elements from ", got.shard, ", ",
                                    got.dense.values().size(), " values, where ", kindName(kind), " of round ", round_, ", elements from ", begin,
                                    ", ", piece.size(), " values was due"));
}

void PieceExchange::receiveSum(int from, MessageKind kind, Range range) {
  for (const std::span<Real> piece : pieces(range)) addScaled<Real>(piece, Real(1), receive(from, kind, piece).values());
}

void PieceExchange::receiveInto(int from, MessageKind kind, Range range) {
  for (const std::span<Real> piece : pieces(range)) copyValues(receive(from, kind, piece).values(), piece);
}

void PieceExchange::scale(Range range, Real factor) {
  scaleBy(data_.subspan(range.offset, range.size), factor);
}

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

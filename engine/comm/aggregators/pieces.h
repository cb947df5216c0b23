// Shared by the aggregations without a server: a part of the vector in messages, and the check that a message is the one that is due. Any
// thread; borrows its arguments.
#pragma once

#include <span>
#include <vector>

#include "engine/comm/transport/transport.h"

namespace paceline::aggregators {

struct Range {  // of elements
  std::size_t offset = 0, size = 0;
  bool operator==(const Range&) const = default;
};

// One exchange of one round. A message's shard is where its piece begins in the vector, so it is unique per peer, kind and round.
// receive() throws Error{kFormat} naming the peer when something else comes, after settling what is lent.
class PieceExchange {
 public:
  // data: the whole vector; it must stay where it is while the object lives.
  PieceExchange(Transport& transport, std::int64_t round, std::span<Real> data);

  // Consecutive, of at most a shard's length. None of an empty range: empty messages are not sent.
  std::vector<std::span<Real>> pieces(Range range) const;

  void send(int to, MessageKind kind, std::span<const Real> piece, Dense dense);
  void lend(int to, MessageKind kind, Range range);   // borrows: see Dense
  void copy(int to, MessageKind kind, Range range);
  Dense receive(int from, MessageKind kind, std::span<const Real> piece);
  void receiveSum(int from, MessageKind kind, Range range);   // data += its values
  void receiveInto(int from, MessageKind kind, Range range);  // data = its values

  void scale(Range range, Real factor);

 private:
  Transport& transport_;
  std::int64_t round_;
  std::span<Real> data_;
};

}  // namespace paceline::aggregators

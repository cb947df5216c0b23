// Shared by the aggregations without a server: a part of the vector in messages, and the check that a message is the one that is due. Any
// thread; borrows its arguments.
#pragma once

#include <functional>
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

// Recursive halving and doubling of a vector among 2^k places, for the aggregations that are made of it.
// What place i of `places` = 2^k holds after halving: the i-th part. The part of place i of 2^k holds exactly those of the places 2i and
// 2i + 1 of 2^(k+1). Halves differ by one element at most, the first is the longer one.
Range halvedPart(Range all, int place, int places);

// Steps j = 1..k: swaps with the place 2^k / 2^j away, each giving the half that the other keeps and adding what it is given; then
// whenHalved(own part) makes the part's sum its mean; then the same steps backwards, each giving the means it has.
// nodes: by place. What is given in the first half is lent: it is next written when its mean comes from where it went, and that mean
// contains it. Means are copies: the caller may write `all` before they are received.
void halveAndDouble(PieceExchange& exchange, Range all, int place, std::span<const int> nodes, const std::function<void(Range)>& whenHalved);

// That this place sends in both halves.
std::size_t elementsSentHalving(std::size_t elements, int place, int places);

}  // namespace paceline::aggregators

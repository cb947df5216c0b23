// Recursive halving and doubling of a vector among 2^k places, for the aggregations that are made of it.
#pragma once

#include <functional>
#include <span>

#include "engine/comm/aggregators/pieces.h"

namespace paceline::aggregators {

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

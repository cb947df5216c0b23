// Which point is tried next. Pure: the same space, number and history give the same point.
//
// random: every value of every axis alike. bayesian: tree-structured Parzen estimators (TPE; Bergstra et al. 2011). The points that were tried are ranked, so that only
// their order counts: the best 15 % have the density l, the others g, each the product of its axes' estimates (parzen.h); of 24 points drawn from l the one with the
// largest l / g is next, which is the largest expected improvement. Before kFirst points are ranked it draws at random.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/core/spec/search.h"

namespace paceline::search {

struct History {
  std::vector<SearchPoint> ranked;  // the best first; those that failed last
  std::string compared{};           // "after 4 rounds": where the ranked are, unless at their ends
  std::vector<SearchPoint> others;  // under way, or stopped by a person: tried, but neither good nor bad
};

struct Proposal {
  SearchPoint at;
  std::string why;  // a sentence
};

int firstPoints(const SearchSpace& space);  // that bayesian draws at random
double sizeOf(const SearchSpace& space);    // different points; infinity where a range is of reals

// number: how many points were proposed before. nullopt: every point was tried.
std::optional<Proposal> propose(const SearchSpace& space, const History& history, std::uint64_t number);

}  // namespace paceline::search

#include "engine/data/cut.h"

#include <cmath>
#include <numeric>

#include "engine/core/error.h"

namespace paceline {
namespace {

std::vector<std::size_t> stretches(const PartitionRequest& request, std::size_t count, Remainder remainder) {
  const auto world = static_cast<std::size_t>(request.world);
  std::vector<std::size_t> sizes(world, count / world);
  for (std::size_t r = 0; r < request.shares.size(); ++r)  // the nudge: 0.1 * 60000 is 6000, whatever binary says
    sizes[r] = static_cast<std::size_t>(std::floor(request.shares[r] * static_cast<double>(count) + 1e-6));
  const std::size_t given = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
  PACELINE_CHECK(given <= count, "shares sum to more than 1");
  if (remainder == Remainder::kToFirstRanks)
    for (std::size_t i = 0; i < count - given; ++i) ++sizes[i % world];
  return sizes;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> cut(const std::string& partition, const PartitionRequest& request,
                                            const std::vector<std::uint32_t>& order, Remainder remainder) {
  PACELINE_CHECK(request.world >= 1, "a partition needs a worker");
  PACELINE_CHECK(request.shares.empty() || request.shares.size() == static_cast<std::size_t>(request.world),
                 "one share per rank");
  const std::vector<std::size_t> sizes = stretches(request, order.size(), remainder);
  std::vector<std::vector<std::uint32_t>> parts;
  auto from = order.begin();
  for (const std::size_t size : sizes) {
    if (size == 0)
      throw Error(Errc::kData, strCat("partition \"", partition, "\": rank ", parts.size(), " of ", request.world,
                                      " workers would get none of ", order.size(), " samples"));
    const auto to = from + static_cast<std::ptrdiff_t>(size);
    parts.emplace_back(from, to);
    from = to;
  }
  return parts;
}

std::vector<std::uint32_t> fileOrder(std::size_t count) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

ParamSpec dropRemainderParam() {
  return booleanParam(
      "drop_remainder", true,
      "Leave out the last samples that do not divide evenly, as ESync does; off: the first workers get one more each.");
}

Remainder remainderOf(const Params& params) {
  return params.boolean("drop_remainder") ? Remainder::kDropped : Remainder::kToFirstRanks;
}

}  // namespace paceline

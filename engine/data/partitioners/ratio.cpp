// Parts of chosen sizes: by the workers' shares, or by MXNet-G's file data_sharding, whose line i is the stretch "begin end" of worker i. The
// stretches are places in an order of the samples: of the file, as MXNet-G has it, or a seeded random one. Gaps between stretches belong to
// nobody. (MXNet-G's own order of ranks is that of descending addresses: its first line is the worker with the highest.)
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>

#include "engine/core/spec/data_sharding.h"
#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"
#include "engine/core/base/text.h"
#include "engine/data/partitioners/partitioner.h"

namespace paceline::partitioners {
namespace {

constexpr std::streamsize kMostBytes = 16 << 20;  // 300 000 workers; what is larger is no such file

std::string textOf(const std::string& path) {
  const std::string failed = strCat("partition \"ratio\": cannot read ", quotable(path, 200), ": ");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(Errc::kFile, strCat(failed, std::strerror(errno)));
  std::string text(static_cast<std::size_t>(kMostBytes), '\0');
  file.read(text.data(), kMostBytes);
  if (file.bad() || (file.fail() && !file.eof())) throw Error(Errc::kFile, strCat(failed, std::strerror(errno)));
  if (file.gcount() == kMostBytes) throw Error(Errc::kFormat, strCat(failed, "larger than ", kMostBytes, " bytes, so no data_sharding file"));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

std::vector<DataRange> rangesOf(const std::string& path, int world) {
  DataSharding sharding = readDataSharding(quotable(path, 200), textOf(path), static_cast<std::size_t>(world));
  const std::size_t more = sharding.problems.size();
  if (more > 0)
    throw Error(Errc::kFormat, strCat("partition \"ratio\": ", sharding.problems.front(), more == 1 ? std::string() : strCat(" (and ", more - 1, " more)")));
  return std::move(sharding.ranges);
}

Partition byRatio(const PartitionRequest& request) {
  std::vector<std::uint32_t> order = fileOrder(request.labels.size());
  if (request.params.text("order") == "random") Rng::stream(request.seed, "partition").shuffle(std::span<std::uint32_t>(order));
  const std::string& path = request.params.text("path");
  if (path.empty()) return {.indices = cut("ratio", request, order, Remainder::kToFirstRanks), .shuffled = true};
  if (!request.shares.empty())
    throw Error(Errc::kSpec, strCat("partition \"ratio\": the sizes come from ", quotable(path, 200), " or from the nodes' shares, not from both"));
  Partition partition{.indices = {}, .shuffled = true};
  const auto place = [&](double fraction) { return order.begin() + std::lround(fraction * static_cast<double>(order.size())); };
  for (const DataRange& range : rangesOf(path, request.world)) partition.indices.emplace_back(place(range.begin), place(range.end));
  refuseEmptyRanks("ratio", request, partition);
  return partition;
}

}  // namespace

PartitionerDef ratio() {
  PartitionerDef def;
  def.id = "ratio";
  def.title = "By ratio";
  def.summary = "Parts of chosen sizes, so that slow workers have less to do: by the nodes' shares or by MXNet-G's file data_sharding.";
  def.params = {textParam("path", "", "A data_sharding file on every worker's host, line i the stretch \"begin end\" of the document's worker i; empty: the "
                "nodes' shares."),
                advanced(choiceParam("order", "random", {"random", "file"}, "Stretches of a seeded permutation, or of the data set's own order as in MXNet-G."))};
  def.sizesFrom = "path";
  def.split = byRatio;
  return def;
}

}  // namespace paceline::partitioners

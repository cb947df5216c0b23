// A cut that somebody else made: a JSON file [[0, 5, 7], [1, 2]], list i the samples of worker i, in the data set's order from 0. What no list has is
// trained by nobody.
#include <vector>

#include "engine/core/base/error.h"
#include "engine/core/json/json_text.h"
#include "engine/core/spec/pinned_file.h"
#include "engine/data/partitioners/partitioner.h"

namespace paceline::partitioners {
namespace {

constexpr std::size_t kMostIndexBytes = std::size_t{1} << 30;  // a hundred million samples

class IndexLists {
 public:
  IndexLists(std::string file, std::size_t samples) : file_(std::move(file)), owner_(samples, -1) {}

  Partition read(const Json& lists, int world) {
    if (!lists.is_array()) refuse("", strCat("a list of lists of samples is expected, not ", described(lists)));
    if (lists.size() != static_cast<std::size_t>(world)) refuse("", strCat("it has lists for ", lists.size(), " workers, the document has ", world));
    Partition partition;
    for (std::size_t worker = 0; worker < lists.size(); ++worker) {
      const std::string at = strCat("/", worker);
      if (!lists[worker].is_array()) refuse(at, strCat("a list of samples is expected, not ", described(lists[worker])));
      if (lists[worker].empty()) refuse(at, strCat("worker ", worker, " gets no sample"));
      std::vector<std::uint32_t>& mine = partition.indices.emplace_back();
      mine.reserve(lists[worker].size());
      for (std::size_t i = 0; i < lists[worker].size(); ++i) mine.push_back(taken(lists[worker][i], worker, i));
    }
    return partition;
  }

 private:
  std::uint32_t taken(const Json& value, std::size_t worker, std::size_t i) {
    const std::string at = strCat("/", worker, "/", i);
    if (!value.is_number_integer()) refuse(at, strCat("the number of a sample is expected, not ", described(value)));
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= owner_.size())
      refuse(at, owner_.empty() ? strCat("there is no sample ", described(value), ": the training set is empty") : strCat("there is no sample ", described(value), ": the training set has 0 to ", owner_.size() - 1));
    const auto sample = value.get<std::size_t>();
    const auto me = static_cast<std::int32_t>(worker);
    if (owner_[sample] >= 0) refuse(at, strCat("worker ", owner_[sample], owner_[sample] == me ? " has sample " : " already has sample ", sample, owner_[sample] == me ? " twice" : ""));
    owner_[sample] = me;
    return static_cast<std::uint32_t>(sample);
  }

  [[noreturn]] void refuse(const std::string& at, const std::string& why) const {
    throw Error(Errc::kData, strCat("partition \"indices\": ", file_, at.empty() ? "" : ", at ", at, ": ", why));
  }

  std::string file_;
  std::vector<std::int32_t> owner_;  // by sample; -1: nobody so far
};

Partition byIndices(const PartitionRequest& request) {
  const PinnedFile file = pinnedFile(request.params.text("path"));
  if (file.path.empty()) throw Error(Errc::kSpec, "/partition/params/path: must name a JSON file of lists, list i the samples of worker i");
  const std::string name = quotable(file.path, 200);
  Partition partition = IndexLists(name, request.labels.size()).read(jsonFrom(bytesOf(file), name, kMostIndexBytes), request.world);
  partition.shuffled = request.params.boolean("shuffle");
  return partition;
}

}  // namespace

PartitionerDef indices() {
  PartitionerDef def;
  def.id = "indices";
  def.title = "By a file of indices";
  def.summary = "Whose sample is which stands in a JSON file: a list for each worker, of numbers of samples.";
  def.params = {fileParam({"path", "File of indices"}, "JSON, list i the samples of the document's worker i, counted from 0 in the data set's order: [[0, 5, 7], [1, 2]]. Each sample at most once; those in no list are not trained."),
                advanced(booleanParam("shuffle", true, "Reshuffle a worker's own samples every epoch; off: they come in the order of the file."))};
  def.even = false;
  def.shares = false;
  def.split = byIndices;
  def.namesSamples = true;
  return def;
}

}  // namespace paceline::partitioners

#include "engine/core/spec/validate_split.h"

#include <algorithm>

#include "engine/core/base/error.h"

namespace paceline {
namespace {

class SplitCheck {
 public:
  SplitCheck(const RunSpec& spec, const DatasetEntry& dataset, const PartitionEntry& partition, std::vector<Finding>& findings)
      : spec_(spec), dataset_(dataset), partition_(partition), findings_(findings), workers_(spec.workers()), count_(trainCountOf(dataset, spec.dataset.params)) {
    for (const int worker : workers_)
      if (node(worker).share && firstShare_ < 0) firstShare_ = worker;
    if (const auto* path = valueOf<std::string>(spec.partition.params, partition.sizesFrom)) sizesInFile_ = !path->empty();
  }

  void run() {
    checkShares();
    if (count_ > 0) checkSizes();
  }

 private:
  const NodeSpec& node(int index) const { return spec_.nodes[static_cast<std::size_t>(index)]; }
  void refuse(std::string pointer, std::string message) { findings_.push_back({std::move(pointer), std::move(message), true}); }
  void warn(std::string pointer, std::string message) { findings_.push_back({std::move(pointer), std::move(message), false}); }
  std::string setName() const { return strCat("data set \"", dataset_.id, "\""); }

  void checkShares() {
    const ParamCase& unless = partition_.ignoresShares;
    const bool ignored = unless.holds(spec_.partition.params);
    if (firstShare_ >= 0 && (!partition_.shares || ignored))
      warn(strCat("/nodes/", firstShare_, "/share"),
           strCat("partition \"", partition_.id, "\"", ignored ? strCat(" with ", unless.param, " \"", spec_.partition.params.text(unless.param), "\"") : "", " does not use shares"));
    if (partition_.sizesFrom.empty()) return;
    if (sizesInFile_ && firstShare_ >= 0)
      refuse("/partition/params/" + partition_.sizesFrom,
             strCat("the sizes come from a file or from the nodes' shares, not from both; worker \"", node(firstShare_).id, "\" has a share"));
    if (!sizesInFile_ && firstShare_ < 0)
      warn("/partition/id", strCat("partition \"", partition_.id, "\" divides evenly: no worker has a share and no file is given"));
  }

  void checkSizes() {
    if (!partition_.disjoint) return checkBatch(count_, setName());
    double least = static_cast<double>(count_);
    for (const int worker : workers_) {
      const double samples = static_cast<double>(count_) * node(worker).share.value_or(1.0 / static_cast<double>(workers_.size()));
      least = std::min(least, samples);
      if (samples < 1) refuse(strCat("/nodes/", worker), strCat("worker \"", node(worker).id, "\" would get none of the ", count_, " samples of \"", dataset_.id, "\""));
    }
    if (partition_.even && !sizesInFile_ && least >= 1) checkBatch(static_cast<std::int64_t>(least + 1e-6), "the smallest share");
  }

  void checkBatch(std::int64_t samples, const std::string& of) {
    if (spec_.batchSize > samples && !workers_.empty())
      warn("/batch_size", strCat("is more than the ", samples, " samples of ", of, ": batches will have ", samples, " there, got ", spec_.batchSize));
  }

  const RunSpec& spec_;
  const DatasetEntry& dataset_;
  const PartitionEntry& partition_;
  std::vector<Finding>& findings_;
  const std::vector<int> workers_;
  std::int64_t count_;         // of training samples; 0: its files say
  int firstShare_ = -1;        // node that has one
  bool sizesInFile_ = false;
};

}  // namespace

void checkSplit(const RunSpec& spec, const DatasetEntry& dataset, const PartitionEntry& partition, std::vector<Finding>& findings) {
  SplitCheck(spec, dataset, partition, findings).run();
}

}  // namespace paceline

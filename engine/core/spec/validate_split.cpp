#include "engine/core/spec/validate_split.h"

#include <algorithm>

#include "engine/core/base/error.h"

namespace paceline {
namespace {

template <class T>
const T* valueOf(const Params& params, const char* name) {  // nullptr: not there, or of another type, which was told already
  const auto found = params.values().find(name);
  return found == params.values().end() ? nullptr : std::get_if<T>(&found->second);
}

class SplitCheck {
 public:
  SplitCheck(const RunSpec& spec, const DatasetEntry& dataset, std::vector<Finding>& findings)
      : spec_(spec), dataset_(dataset), findings_(findings), workers_(spec.workers()), partition_(spec.partition.params) {
    for (const int worker : workers_)
      if (node(worker).share && firstShare_ < 0) firstShare_ = worker;
    const auto* made = valueOf<std::int64_t>(spec.dataset.params, "train_count");  // of sets that are made to measure
    count_ = made != nullptr ? *made : dataset.trainCount;
  }

  void run() {
    checkClasses();
    checkMinimum();
    checkShares();
    if (count_ > 0) checkSizes();
  }

 private:
  const NodeSpec& node(int index) const { return spec_.nodes[static_cast<std::size_t>(index)]; }
  bool is(const char* id) const { return spec_.partition.id == id; }
  void refuse(std::string pointer, std::string message) { findings_.push_back({std::move(pointer), std::move(message), true}); }
  void warn(std::string pointer, std::string message) { findings_.push_back({std::move(pointer), std::move(message), false}); }
  std::string setName() const { return strCat("data set \"", dataset_.id, "\""); }

  void checkClasses() {
    const int classes = valueOf<std::int64_t>(spec_.dataset.params, "classes") == nullptr ? dataset_.classes : classesOf(dataset_.classes, spec_.dataset.params);
    const auto* k = valueOf<std::int64_t>(partition_, "k");
    if (is("classes_per_worker") && k != nullptr && classes > 0 && *k > classes)
      refuse("/partition/params/k", strCat("must be <= ", classes, ", the classes of ", setName(), ", got ", *k));
  }

  void checkMinimum() {
    const auto* least = valueOf<std::int64_t>(partition_, "min_samples");
    const auto workers = static_cast<std::int64_t>(workers_.size());
    if (is("dirichlet") && least != nullptr && count_ > 0 && workers > 0 && *least > count_ / workers)
      refuse("/partition/params/min_samples", strCat("must be <= ", count_ / workers, ", the ", count_, " samples of ", setName(), " divided by ", workers, " workers, got ", *least));
  }

  void checkShares() {
    const auto* variant = valueOf<std::string>(partition_, "variant");
    const bool published = is("classes_per_worker") && variant != nullptr && *variant == "published";
    if (firstShare_ >= 0 && (is("shared") || published))
      warn(strCat("/nodes/", firstShare_, "/share"), strCat("partition \"", spec_.partition.id, "\"", published ? " in its published variant" : "", " does not use shares"));
    const auto* path = valueOf<std::string>(partition_, "path");
    if (!is("ratio") || path == nullptr) return;
    if (!path->empty() && firstShare_ >= 0)
      refuse("/partition/params/path", strCat("the sizes come from a file or from the nodes' shares, not from both; worker \"", node(firstShare_).id, "\" has a share"));
    if (path->empty() && firstShare_ < 0) warn("/partition/id", "partition \"ratio\" divides evenly: no worker has a share and no file is given");
  }

  void checkSizes() {
    if (is("shared")) return checkBatch(count_, setName());
    double least = static_cast<double>(count_);
    for (const int worker : workers_) {
      const double samples = static_cast<double>(count_) * node(worker).share.value_or(1.0 / static_cast<double>(workers_.size()));
      least = std::min(least, samples);
      if (samples < 1) refuse(strCat("/nodes/", worker), strCat("worker \"", node(worker).id, "\" would get none of the ", count_, " samples of \"", dataset_.id, "\""));
    }
    const bool even = is("iid") || is("contiguous") || is("by_class") || (is("ratio") && firstShare_ >= 0);
    if (even && least >= 1) checkBatch(static_cast<std::int64_t>(least + 1e-6), "the smallest share");
  }

  void checkBatch(std::int64_t samples, const std::string& of) {
    if (spec_.batchSize > samples && !workers_.empty())
      warn("/batch_size", strCat("is more than the ", samples, " samples of ", of, ": batches will have ", samples, " there, got ", spec_.batchSize));
  }

  const RunSpec& spec_;
  const DatasetEntry& dataset_;
  std::vector<Finding>& findings_;
  const std::vector<int> workers_;
  const Params& partition_;
  int firstShare_ = -1;     // node that has one
  std::int64_t count_ = 0;  // of training samples; 0: its files say
};

}  // namespace

void checkSplit(const RunSpec& spec, const DatasetEntry& dataset, std::vector<Finding>& findings) { SplitCheck(spec, dataset, findings).run(); }

}  // namespace paceline

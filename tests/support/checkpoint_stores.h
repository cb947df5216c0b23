// Where a run in virtual time saves its checkpoints and goes on from them.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/base/error.h"
#include "engine/runtime/checkpoints.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {

// A folder of its own per run of the test, in memory where the system has such a place.
class MemoryFolder {
 public:
  MemoryFolder() : path_(std::filesystem::temp_directory_path() / "paceline-resume-XXXXXX") {
    std::error_code error;
    if (std::filesystem::is_directory("/dev/shm", error)) path_ = "/dev/shm/paceline-resume-XXXXXX";
    std::string name = path_.string();
    if (!::mkdtemp(name.data())) throw Error(Errc::kFile, "no folder for " + name);
    path_ = name;
  }
  ~MemoryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  MemoryFolder(const MemoryFolder&) = delete;
  MemoryFolder& operator=(const MemoryFolder&) = delete;
  std::string path() const { return path_; }

 private:
  std::filesystem::path path_;
};

struct CheckpointStores {
  CheckpointStores(const RunSpec& spec, const std::string& folder) {
    for (const NodeSpec& node : spec.nodes)
      nodes.push_back(std::make_unique<CheckpointFolder>(folder + "/" + node.id, StateOwner{node.id, stateConfig(spec)}));
  }
  std::vector<std::unique_ptr<CheckpointFolder>> nodes;
};

inline SimResult checkpointed(const RunSpec& spec, CheckpointStores* save, CheckpointStores* load) {
  SimOptions options;
  if (save) options.checkpoints = [save](int node) { return save->nodes[static_cast<std::size_t>(node)].get(); };
  if (load) options.resume = [load](int node) { return load->nodes[static_cast<std::size_t>(node)].get(); };
  return runInSim(spec, quadratic({.size = 12, .statistics = 3}), options);
}

inline std::int64_t resumedAfter(const SimResult& result, int node) {
  for (const NoticeRecord& notice : result.of<NoticeRecord>(node))
    if (notice.reason == "resumed") return notice.code;
  return -1;
}

}  // namespace paceline::tests

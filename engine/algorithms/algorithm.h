// A training algorithm: a worker half of straight-line code and a server half that handles messages. One short file each.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/algorithms/worker_context.h"
#include "engine/comm/server_half.h"
#include "engine/core/catalog.h"
#include "engine/core/params.h"

namespace paceline {

class WorkerAlgorithm {
 public:
  virtual ~WorkerAlgorithm() = default;
  virtual void start(WorkerContext&) {}        // once, before the first round
  virtual void round(WorkerContext& ctx) = 0;  // ends with parameters() up to date
  virtual void state(Archive&) {}              // everything that outlives a round; for checkpoints
};

struct ServerSetup {
  const Params& params;
  std::vector<int> workers;  // node index by rank
  Optimizer optimizer = {};  // of the document; a method that declares momentum applies it where its paper does
};

// What a method does with batch-norm running statistics.
enum class Statistics { kAveraged, kLocal };

struct AlgorithmDef {
  std::string id, title, summary, reference;
  Topology topology = Topology::kAggregated;
  bool synchronous = true;            // all workers share round numbers
  bool serverHoldsParameters = false;  // the server half waits for kInit from rank 0
  Statistics statistics = Statistics::kLocal;
  bool momentum = true;                // the document's optimizer.momentum applies
  bool densePushes = true;             // the document's wire format applies
  bool groups = false;                 // the document's groups matter
  std::vector<ParamSpec> params;
  std::function<std::unique_ptr<WorkerAlgorithm>(const Params&)> makeWorker;
  std::function<std::unique_ptr<ServerAlgorithm>(const ServerSetup&)> makeServer;  // one per shard (kAsk goes to shard 0); empty: none
};

const std::vector<AlgorithmDef>& algorithms();
const AlgorithmDef* findAlgorithm(const std::string& id);
AlgorithmEntry catalogEntry(const AlgorithmDef& def);

}  // namespace paceline

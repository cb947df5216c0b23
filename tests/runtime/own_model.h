// Small runs of models that are nobody's but the test's.
#pragma once

#include <memory>
#include <string>

#include "engine/nn/torch_objective.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {

inline RunSpec runOf(const std::string& algorithm, int workers, const Choice& model, int rounds) {
  RunSpec spec = clusterOf(algorithm, workers, algorithm == "standalone" ? 0 : 1);
  spec.model = model;
  spec.dataset.id = "synthetic";
  spec.dataset.params.set("train_count", std::int64_t{256});
  spec.dataset.params.set("test_count", std::int64_t{64});
  spec.batchSize = 8;
  spec.stop.rounds = rounds;
  return spec;
}

}  // namespace paceline::tests

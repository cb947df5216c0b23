// Predictions by what a store knows and the simulator of this computer. Any thread, one at a time.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "app/predict/predict.h"
#include "app/why/simulated.h"

namespace paceline::predict {

// Of this computer and the hosts in the user's list, those whose last check is kept.
std::vector<HostSpeed> measuredHosts();

class LocalPredictions {
 public:
  explicit LocalPredictions(std::string storePath);  // a store that does not exist knows nothing
  // With the speeds of hosts as measured. Throws Error with a sentence.
  Prediction of(const RunSpec& spec, const std::vector<HostSpeed>& hosts, const std::stop_token& stop);

 private:
  std::string storePath_;
  why::LocalSimulators simulators_;
  std::unique_ptr<store::StoreReader> store_;
  Likes likes_;
};

}  // namespace paceline::predict

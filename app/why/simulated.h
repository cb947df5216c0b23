// The simulator of this computer, for predictions: paceline-server without learning, with a catalogue that paceline-worker tells. Any thread.
#pragma once

#include <memory>
#include <stop_token>

#include "app/why/why.h"
#include "engine/core/spec/catalog.h"
#include "storage/store/store.h"

namespace paceline::why {

// It asks for the catalogue once; gives up when asked to stop. Its calls throw Error{kHost} with what the simulator said.
Simulator localSimulator(std::stop_token stop = {});

// Simulators that share their catalogues, which take seconds to ask for: for who asks again and again, and takes questions back. Any thread.
class LocalSimulators {
 public:
  LocalSimulators();
  ~LocalSimulators();
  Simulator with(std::stop_token stop);
  Catalog catalogueOf(const RunSpec& spec, std::stop_token stop);  // with the layout of its network

 private:
  std::shared_ptr<class Catalogues> catalogues_;
};

// Of a run what causes are found in, however long it is: of many rounds the newest. Throws Error{kStore}.
inline constexpr std::size_t kMostRead = 100'000;  // of all workers together
Explained readRun(const store::StoreReader& store, const store::RunRow& row, std::size_t most = kMostRead);

// Reads a run, names the causes and predicts. Throws Error{kStore}.
struct Answer {
  Explained run;
  Diagnosis diagnosis;
};
Answer whyOf(const store::StoreReader& store, const store::RunRow& row, std::stop_token stop = {});

}  // namespace paceline::why

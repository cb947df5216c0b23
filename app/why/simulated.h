// The simulator of this computer, for predictions: paceline-server without learning, with a catalogue that paceline-worker tells. Any thread.
#pragma once

#include <stop_token>

#include "app/why/why.h"

namespace paceline::why {

// It asks for the catalogue once; gives up when asked to stop. Its calls throw Error{kHost} with what the simulator said.
Simulator localSimulator(std::stop_token stop = {});

// Reads a run, names the causes and predicts. Throws Error{kStore}.
struct Answer {
  Explained run;
  Diagnosis diagnosis;
};
Answer whyOf(const store::StoreReader& store, const store::RunRow& row, std::stop_token stop = {});

}  // namespace paceline::why

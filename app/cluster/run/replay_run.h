// Repeats a recorded run in virtual time, in the order in which its servers applied what came, and compares what it gives with what was recorded, to the last bit. Blocking; one
// thread. What is compared: of every round its loss, samples, local steps, learning rate and staleness; of every evaluation of the coordinator its loss and accuracy; and the
// coordinator's parameters at the end.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "storage/store/store.h"

namespace paceline::run {

struct Replayed {
  std::int64_t applied = 0;  // messages of which the order is known
  std::int64_t rounds = 0, evaluations = 0;            // recorded
  std::int64_t sameRounds = 0, sameEvaluations = 0;    // that came out so again
  std::int64_t missingRounds = 0;                      // that did not come out at all
  std::string parameters, recordedParameters;          // SHA-256; recorded: "" where the run ended before it told
  std::string firstDifference;                         // "w1, round 17: loss 0.41 recorded, 0.42 repeated"; "": none
  std::vector<std::string> otherwise;                  // what is not as it was, a sentence each: kernels, LibTorch, threads, devices
  std::string error;                                   // why it did not come to its end; "": it did
  bool same() const { return firstDifference.empty() && missingRounds == 0 && error.empty() && (recordedParameters.empty() || parameters == recordedParameters); }
};

std::string whyNoReplay(const store::StoreReader& store, const store::RunRow& run);  // one sentence; "": it can be repeated

// `told`: each event of the repetition. Throws Error{kUnsupported} where it cannot be repeated, Error{kHost} where the worker program is not there or says why it does not begin.
Replayed replayRun(const store::StoreReader& store, const store::RunRow& run, const std::function<void(const StampedEvent&)>& told = {}, std::stop_token stop = {});

}  // namespace paceline::run

// What a store must say of a trial, whatever happened to its nodes: each defect is a sentence. Reads the store alone, but for the repetition, which computes again.
#pragma once

#include <string>
#include <vector>

#include "app/cluster/run/run_session.h"
#include "storage/store/store.h"
#include "tests/torture/trial.h"

namespace paceline::tests {

struct Verdict {
  std::vector<std::string> defects;
  int rejoined = 0;           // workers that took part again
  bool repeated = false;      // and came out the same
  std::string notRepeated;    // why it could not be
};

// `spec`: the trial's document, validated. `struck`: blows that came to pass. `goesOn`: its runs do without a worker.
Verdict judge(const store::StoreReader& store, const run::RunOutcome& outcome, const RunSpec& spec, const std::vector<Blow>& struck, bool goesOn);

}  // namespace paceline::tests

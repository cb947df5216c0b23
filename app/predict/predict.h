// Before a run: how fast it will be, by the simulator without learning. Step times, batches and servers are those that were measured of a run of the same network on the same
// hosts (on a host where it never ran, by the hosts' measured speeds; where it ran nowhere, roughly by such a speed and the network's multiplications), links as they were measured; what the document emulates comes before all of that. Pure but for the simulator that
// is given; any thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cluster/check/host_check.h"
#include "app/why/why.h"
#include "engine/core/spec/catalog.h"
#include "storage/store/store.h"

namespace paceline::predict {

// Whether two documents make steps of the same length on the same device: network, data, batch.
bool sameStep(const RunSpec& a, const RunSpec& b);
// Whether they learn the same: all but the hosts, what they emulate, when to stop and to evaluate, names and the seed.
bool sameLearning(const RunSpec& a, const RunSpec& b);

struct Target {
  double accuracy = 0, samples = 0;  // trained by all when it was first reached
  std::string run;                   // its name
};

// A host as it was last measured.
struct HostSpeed {
  std::string name;
  double speed = 0;  // of all its cores, GFLOP/s; 0: not measured
  int cpus = 0;
};

// A run of the same step, and what was measured of its nodes.
struct Like {
  why::Explained run;
  why::Calibration measured;
};
using Likes = std::map<std::string, std::shared_ptr<const Like>>;  // by the run's id: each is calibrated once

// What was measured that a prediction may use.
struct Known {
  std::shared_ptr<const Like> like{};            // nullptr: none
  std::vector<HostSpeed> hosts{};       // with their speeds
  std::vector<check::LinkMeasure> links{};
  std::optional<Target> target{};                // of a run that learned the same
  double work = 0;                               // multiplications of the network's forward pass over one sample; 0: not known
};

// From the newest finished runs of a store; one whose steps nobody emulated comes first, then one with as many workers on each host. Reads no more than a few of their documents.
Known knownOf(const store::StoreReader& store, const RunSpec& spec, std::vector<HostSpeed> hosts, std::vector<check::LinkMeasure> links, const why::Simulator& simulate, Likes& likes);

// The document with the emulated times that it is simulated with. Throws Error{kUnsupported}, a sentence: what nobody knows.
struct Timed {
  RunSpec spec;
  std::vector<std::string> sources{};  // where its times are from, a sentence each
};
Timed timed(const RunSpec& spec, const Known& known);

struct Prediction {
  double samplesPerSecond = 0;
  double roundSeconds = 0, bytesPerRound = 0;  // mean of all workers; sent and received
  double workerBytes = 0, serverBytes = 0;     // the vectors of one
  std::optional<double> seconds{};             // until the first stop rule
  std::optional<double> targetSeconds{};
  std::optional<Target> target{};
  std::vector<std::string> sources{};
  summary::RunData lanes{};                    // rounds and nodes, for a picture
};

// Runs with the same key are predicted alike: all but their names, their seeds, which shuffle the data and draw disturbances whose mean counts, and what a paper reports.
std::string keyOf(const RunSpec& spec);

// Throws Error with one sentence where nothing can be predicted.
Prediction predicted(const RunSpec& spec, const Known& known, const Catalog& catalog, const why::Simulator& simulate);

// What is kept with a run, and read back (nullopt: none).
std::string keptText(const Prediction& prediction);
struct Kept {
  double samplesPerSecond = 0, roundSeconds = 0, bytesPerRound = 0;
  std::vector<std::string> sources{};
};
std::optional<Kept> keptOf(const store::RunRow& run);

}  // namespace paceline::predict

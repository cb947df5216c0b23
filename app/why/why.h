// Why a run takes as long as it does: causes with their share of the wall time, from its records; a remedy each, as a change of the document; what it would gain, by the
// simulator with the times that were measured. Values and pure functions, any thread; simulated.h has the simulator.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/json/json_text.h"
#include "engine/core/spec/run_spec.h"
#include "storage/summary/summary.h"

namespace paceline::why {

enum class Kind { kEvaluation, kStraggler, kInput, kServer, kLink, kBatch, kStaleness };
const char* nameOf(Kind kind);  // in documents; never changes

// Where it can be seen.
struct Place {
  std::string node;
  std::int64_t round = 0;
  double begin = 0, end = 0;  // s since the node was told to start
};

struct Gain {
  double factor = 1, low = 1, high = 1;  // samples/s after the change over samples/s before; the range of several draws of the measured steps
};

// A change of the run's document, or, where no document can say it, advice alone.
struct Remedy {
  std::string words;  // "move it to an evaluator"
  std::function<void(RunSpec&)> change = {};      // none: advice
  std::function<void(RunSpec&)> calibrated = {};  // what is simulated where that is another change; none: the same
};

struct Cause {
  Kind kind = Kind::kStraggler;
  std::vector<std::string> nodes{};  // that it is about, whoever has most of its seconds first
  std::int64_t rounds = 0;           // that have it
  std::int64_t ofRounds = 0;         // kStraggler, of a node that is the slowest in some rounds only: of all rounds; else 0
  double seconds = 0, share = 0;     // of the wall time; with methods whose workers do not wait for each other the mean of a worker. kStaleness: 0, it costs no time
  double staleness = 0;              // kStaleness: updates by others, mean
  Place place{};
  std::optional<Remedy> remedy{};
  std::optional<Gain> gain{};        // of the remedy; none: nobody predicted it
  std::string unpredicted{};         // why not
};

struct Diagnosis {
  double wall = 0;                // s
  double from = 0;                // s: of a long run only what came later was looked at
  double computing = 0;           // share
  double samplesPerSecond = 0;
  std::vector<Cause> causes{};    // the largest share first; none: nothing takes more than kLeastShare
};
inline constexpr double kLeastShare = 0.1;

// A run that can be explained. Throws Error{kStore} naming the run and what it lacks.
struct Explained {
  RunSpec spec;  // its document
  bool synchronous = true;
  summary::RunData data;
  double from = 0;  // s of its nodes' time; of a long run only what came later is here
};
Explained explained(summary::RunData data);

Diagnosis diagnose(const Explained& run);                 // with remedies, without gains
std::optional<Remedy> remedyFor(const Cause& cause, const Explained& run);

// Samples/s from rounds: all samples over the time between the first begin and the last end.
double samplesPerSecond(const std::vector<store::RoundRow>& rounds);

// Rounds of all workers of a document, by the simulator; throws Error.
using Simulator = std::function<std::vector<store::RoundRow>(const RunSpec&)>;

// As much of a document as shows what its rounds take, in whole intervals between evaluations, without learning; of a run that recorded so many rounds no more.
RunSpec shortened(RunSpec spec, std::int64_t recorded);

// Simulates as much of a document as shows what its rounds take, without learning, in the place of all of it.
Simulator briefly(const Explained& run, Simulator simulate);

// What was measured of the run's nodes as the document's `emulate`: step times (their distribution), batches, evaluations, servers; links as they were emulated, else as fast as
// its exchanges were. `draw` > 0: steps drawn anew from those that were measured (bootstrap), for a range. With a simulator the links are fitted until it takes as long as the run.
struct Calibration {
  RunSpec spec;
  std::vector<std::string> notes{};  // what was measured, a sentence each
};
Calibration calibrated(const Explained& run, const Simulator& simulate = {}, int draw = 0);
// The measured times of nodes of one id, in another document. Throws Error{kSpec} where no node has one.
void takeTimes(const RunSpec& from, RunSpec& into);

// Fills in what the remedies gain: the simulator with the calibrated document against the changed one, without learning, in several draws.
void predict(Diagnosis& diagnosis, const Explained& run, const Simulator& simulate);

std::string whatOf(const Cause& cause);  // "waiting for the slower w2"
std::string sentenceOf(const Cause& cause);
std::vector<std::string> sentences(const Diagnosis& diagnosis);  // at least one
Json toJson(const Diagnosis& diagnosis, const Explained& run);

}  // namespace paceline::why

// What a paper reports for the runs that a document describes: figures and tables show it beside what was measured. It changes no run and is in no
// configuration hash. Values only; safe to copy between threads.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/core/spec/params.h"

namespace paceline {

// Written to disk; append only.
enum class PublishedMeasure { kAccuracyLast, kAccuracyBest, kLossLast, kTimeToTarget, kThroughput, kTraffic, kComputingRatio, kSpeedupTime, kSpeedupThroughput };
inline bool isSpeedup(PublishedMeasure measure) { return measure == PublishedMeasure::kSpeedupTime || measure == PublishedMeasure::kSpeedupThroughput; }
inline bool hasTarget(PublishedMeasure measure) { return measure == PublishedMeasure::kTimeToTarget || measure == PublishedMeasure::kSpeedupTime; }

// By whose formula a published number was computed: "measured" as Paceline measures it, "script" as ESync's drawer.py does (its throughput, traffic and
// computing ratio). Each is compared with our number by the same formula.
inline constexpr const char* kPublishedFormulas[] = {"measured", "script"};

struct PublishedBand {  // one of them, or none
  std::optional<double> absolute;  // in the value's unit
  std::optional<double> relative;  // a fraction of the value
  bool operator==(const PublishedBand&) const = default;
};

struct PublishedValue {
  PublishedMeasure measure = PublishedMeasure::kAccuracyLast;
  double value = 0;
  PublishedBand band;
  std::string formula = "measured";
  // The runs it holds for: all of these must be so.
  std::string algorithm;       // "": of any
  std::optional<int> workers;  // nullopt: any number
  Params where;                // pointers into the document, and the values that are there
  std::string node;            // kComputingRatio: of this worker; "": mean over the workers
  double target = 0.8;         // accuracy; of times and of speed-ups by time
  std::string over;            // of speed-ups: the algorithm that has 1
  std::string source;          // "": as the section says
  std::string differs;         // how the published setting differs from the run's; "": as the section says
  bool operator==(const PublishedValue&) const = default;
};

struct Published {
  std::string source;   // "Li et al., ESync, 2020, table 1"
  std::string differs;  // "": it is the setting of the document
  std::vector<PublishedValue> values;
  bool operator==(const Published&) const = default;
};

// Its source and what differs stand in each value.
std::vector<PublishedValue> valuesOf(const Published& published);

struct PublishedRange {
  double low = 0, high = 0;
};
std::optional<PublishedRange> rangeOf(const PublishedValue& value);  // of its band; nullopt: none is given

}  // namespace paceline

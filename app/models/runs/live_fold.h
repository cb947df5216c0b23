// A run's rows folded into the numbers and curves of its page. Pure: no Qt, no clock; one thread. Rows may come in any batches, each once.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/spec/run_spec.h"
#include "storage/store/records.h"
#include "storage/summary/summary_curves.h"

namespace paceline::runs {

struct WorkerLine {
  std::string id, role, host, device, state;  // state: "starting", "training", "finished", "failed", ...
  std::int64_t rounds = 0, localSteps = 0;    // localSteps: of the latest round
  double samplesPerSecond = 0;                // over the latest rounds; of an ended run over all of them
  double compute = 0, exchange = 0, wait = 0;  // fractions of the time so far; they sum to 1 once there is a round
  double staleness = 0;                       // of the latest round
  std::int64_t bytesSent = 0, bytesReceived = 0;
};

struct LogLine {
  double unixTime = 0;
  std::string node, kind, level, text;
};

struct LiveSnapshot {
  store::RunRow run;
  std::vector<WorkerLine> nodes;  // workers by rank, then servers
  std::vector<double> accuracySeconds, accuracy, loss;
  std::vector<double> rateSeconds, rate;  // samples/s of all workers
  std::optional<double> accuracyBest, accuracyLast;  // of the run's own curve, as summaries choose it
  std::int64_t samples = 0, bytes = 0, rounds = 0;  // rounds: of the evaluating worker
  double seconds = 0;                     // since the first round began, by the evaluating worker
};

class LiveFold {
 public:
  LiveFold(store::RunRow run, std::vector<store::NodeRow> nodes);

  void setRun(store::RunRow run) { snapshot_.run = std::move(run); }
  void add(const store::RoundRow& row);
  void add(const store::EvaluationRow& row);
  std::optional<LogLine> add(const store::NoticeRow& row);  // nullopt: not worth a line
  const LiveSnapshot& snapshot();                    // brought up to date

 private:
  summary::TrafficRule traffic_;
  struct Recent {
    double t, total;
    std::int64_t samples;
  };
  struct Sums {
    double busy = 0, wait = 0, total = 0;
    std::int64_t samples = 0;
    std::deque<Recent> recent;
  };

  WorkerLine* line(const std::string& node);
  int preference(const store::EvaluationRow& row) const;
  void tellStates();
  void addRate(const RoundRecord& record);
  double rateOver(const Sums& sums) const;

  LiveSnapshot snapshot_;
  std::string evaluator_;
  std::map<std::string, Sums> sums_;
  std::map<std::string, std::string> states_;  // the last state that each node reported
  std::vector<double> buckets_;  // samples by time
  int preferred_ = -1;           // of the evaluations that are shown
  double bucketSeconds_ = 0.5, furthest_ = 0;
};

}  // namespace paceline::runs

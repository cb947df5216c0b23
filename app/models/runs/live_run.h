// Follows one run of the store: at each look the rows that are new since the last one, by row id, are read in the background and folded.
// The recorder says when a look is worth it. Its log and its nodes are tables, which live on the GUI thread.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <QObject>

#include "app/figures/figure.h"
#include "app/models/column_table.h"
#include "app/models/task_queue.h"
#include "engine/core/record/dates.h"
#include "storage/store/records.h"
#include "storage/summary/summary_curves.h"

namespace paceline::runs {

// What a round's time is recorded as, in the order of a round.
struct Phase {
  const char* word;
  double RoundRecord::* seconds;
};
inline constexpr std::array<Phase, 8> kPhases = {{{"fetch", &RoundRecord::fetch}, {"compute", &RoundRecord::compute}, {"update", &RoundRecord::update},
                                                  {"send", &RoundRecord::send}, {"wait", &RoundRecord::wait}, {"receive", &RoundRecord::receive},
                                                  {"query", &RoundRecord::query}, {"evaluate", &RoundRecord::evaluate}}};

struct WorkerLine {
  std::string id, role, host, device, state;  // state: "waiting", "training", "serving", "finished", "failed", ...
  std::int64_t rounds = 0;
  double samplesPerSecond = 0;                // over the latest rounds; of an ended run over all of them
  std::array<double, kPhases.size()> use{};   // seconds so far, by phase
  double totalSeconds = 0;                    // of all rounds; what no phase has is not recorded
  double localSteps = 0, staleness = 0;       // of a round on the mean
  std::int64_t lastLocalSteps = 0;            // of the latest round
  double lastStaleness = 0;
  std::int64_t bytesSent = 0, bytesReceived = 0;

  double share(std::size_t phase) const { return totalSeconds > 0 ? use[phase] / totalSeconds : 0; }
  double busy() const { return share(0) + share(1) + share(2); }  // fetch, compute, update: as summaries count it
};

struct LogLine {
  double unixTime = 0;
  std::string node, kind, level, text;
  std::int64_t seq = 0;  // of its node
};

struct LiveSnapshot {
  store::RunRow run;
  std::vector<WorkerLine> nodes;  // workers by rank, then servers
  std::vector<double> accuracySeconds, accuracy, loss;
  std::vector<double> validationSeconds, validation;  // accuracy over what is held out; empty: nothing is
  std::vector<double> rateSeconds, rate;  // samples/s of all workers
  std::optional<double> accuracyBest, accuracyLast;  // of the run's own curve, as summaries choose it
  std::int64_t samples = 0, bytes = 0, rounds = 0;  // rounds: of the coordinator
  double seconds = 0;                     // since the first round began, by the coordinator
  std::string diverged;                   // "w1: in round 12 the loss is NaN: ...", the first; "": every loss is a number
};

// For how long a run has trained, or did: by its records, and while it is in progress at least since its start. `nowUtc` in Unix s.
double elapsedSeconds(const LiveSnapshot& shot, double nowUtc);

// A run's rows folded into the numbers and curves of its page. Pure: no Qt, no clock; one thread. Rows may come in any batches, each once.
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
  struct Sums {
    double steps = 0, staleness = 0;
    std::int64_t samples = 0, rounds = 0;
    std::deque<std::pair<double, std::int64_t>> recent;  // seconds and samples of the latest rounds
  };

  WorkerLine* line(const std::string& node);
  int preference(const store::EvaluationRow& row);
  void tellStates();
  void addRate(const RoundRecord& record);
  double rateOver(const Sums& sums) const;

  LiveSnapshot snapshot_;
  std::string coordinator_;
  std::map<std::string, Sums> sums_;
  std::map<std::string, std::string> states_;  // the last state that each node reported
  std::vector<double> buckets_;  // samples by time
  int preferred_ = -1;           // of the evaluations that are shown
  double bestDeciding_ = 0;      // of the evaluation that is the best of them
  double bucketSeconds_ = 0.5, furthest_ = 0;
};

// GUI thread; signals are queued.
class LiveRun : public QObject {
  Q_OBJECT
 public:
  explicit LiveRun(std::string storePath, QObject* parent = nullptr);
  ~LiveRun() override;

  void follow(const std::string& run);  // "": stop following
  void look(const std::string& run);    // the store may have newer rows of it
  const std::string& run() const { return run_; }
  double now() const { return dates_.now(); }  // Unix s, by the clock when this run came here
  const LiveSnapshot& snapshot() const { return *snapshot_; }

  double secondsPerUnit() const;  // of the figures' time axis: 60 where it has minutes
  Figure accuracyFigure() const;
  Figure throughputFigure() const;

 signals:
  void reset();                 // another run is followed
  void updated();
  void logged(const std::vector<paceline::runs::LogLine>& lines);  // new ones, as they came
  void failed(const QString& sentence);

 private:
  struct Source;
  struct Answer {
    std::shared_ptr<const LiveSnapshot> snapshot;
    std::vector<LogLine> lines;
  };
  void read();
  void take(const Answer& answer);

  std::string path_, run_;
  Dates dates_;
  int generation_ = 0;  // answers for an earlier run are dropped
  bool reading_ = false, again_ = false;
  std::shared_ptr<const LiveSnapshot> snapshot_;
  std::shared_ptr<Source> source_;  // used by its tasks only
  TaskQueue tasks_;
};

// The nodes: rows keep their place while values change.
class WorkersModel : public ColumnTable {
  Q_OBJECT
 public:
  enum Column { kNode, kPlace, kState, kRounds, kLocalSteps, kRate, kUse, kStaleness, kSent, kReceived, kColumns };
  enum Role { kUseRole = Qt::UserRole, kStateRole };  // QList<double>: the share of each of kPhases; QString: the state as it is recorded

  explicit WorkersModel(QObject* parent = nullptr);
  void take(const std::vector<WorkerLine>& lines);

 private:
  int rows() const override { return static_cast<int>(lines_.size()); }
  QVariant cell(int row, int column, int role) const override;
  std::vector<WorkerLine> lines_;
};

}  // namespace paceline::runs

// What a run amounts to: pure functions over rows. Published formulas reproduce ESync's scripts, the others measure. The recorder keeps the
// summary of a run that has ended in the store; summaryOf() reads of it what is asked for.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/record/label_counts.h"
#include "storage/store/records.h"
#include "storage/store/store.h"
#include "storage/summary/curve.h"

namespace paceline::summary {

// Everything recorded of one run.
struct RunData {
  store::RunRow run;
  std::vector<store::NodeRow> nodes;
  std::vector<store::RoundRow> rounds;
  std::vector<store::EvaluationRow> evaluations;
  std::vector<store::NoticeRow> notices;
  std::vector<store::HostLoadRow> hostLoads;
  std::vector<store::EdgeRow> edges;
  std::vector<store::LabelsRow> labels;
  std::vector<store::MetricRow> metrics;
  std::vector<store::BusyRow> busy;
  std::vector<store::ClockRow> clocks;
  std::vector<store::RecordRow<OrderRecord>> orders;
  std::vector<store::RecordRow<AnswerRecord>> answers;
  std::vector<store::LinkRow> links;
};

// Calls visit(rows) with the list of every type of record, in the order of bundles.
template <class Data, class Visit>
  requires std::same_as<std::remove_const_t<Data>, RunData>
void eachList(Data& data, Visit&& visit) {
  visit(data.rounds), visit(data.evaluations), visit(data.notices), visit(data.hostLoads), visit(data.edges), visit(data.labels);
  visit(data.metrics), visit(data.busy), visit(data.clocks), visit(data.orders), visit(data.answers), visit(data.links);
}
RunData loadRun(const store::StoreReader& store, const store::RunRow& run);

// What one node evaluated of one vector of parameters.
struct EvaluationCurve {
  std::string by;  // node id
  std::string of;  // "": its own (a server's, where an evaluator node asks servers), a worker's id, or "mean"
  Curve points;
};

// A metric that the method recorded under a name of its own, mean over the nodes that record it.
struct MetricCurve {
  std::string name;
  Curve points;  // one for every (number of those nodes) records, in the order of their times
};

// One direction of an edge of a decentralised run, as the receiving worker tells it.
struct EdgeSummary {
  std::string node, peer;       // peer's vectors arrive at node
  std::int64_t exchanges = 0;   // vectors received and applied
  double ageMean = 0;           // steps the worker had taken since it applied the newest one, mean over its steps
  std::int64_t bytesSent = 0, bytesReceived = 0;
  std::int64_t lost = 0;        // records in which the neighbour was unreachable
};

struct NodeSummary {
  std::string id, role, host, device;
  std::int64_t rounds = 0, samples = 0;
  double fetchSeconds = 0, updateSeconds = 0, querySeconds = 0;
  double computeSeconds = 0, waitSeconds = 0, sendSeconds = 0, receiveSeconds = 0, evaluateSeconds = 0, totalSeconds = 0;
  double busyRatio = 0;              // (fetch + compute + update) / total
  double publishedComputingRatio = 0;  // 1 - aggregation time / elapsed, ESync's drawer
  double localStepsMean = 0, stalenessMean = 0;
  std::int64_t bytesSent = 0, bytesReceived = 0;
  std::vector<std::pair<std::int64_t, std::int64_t>> localSteps;  // (round, steps)
  std::map<std::int64_t, std::int64_t> stalenessRounds;           // staleness, to the nearest whole -> rounds that had it
  std::optional<double> keptMean;                                 // fraction, sparse methods only
  LabelCounts labelCounts;                                        // of its training samples, by class; empty: not recorded
};
inline bool trains(const NodeSummary& node) { return node.role != "evaluator"; }

struct RunSummary {
  std::string id, name, state, algorithm, model, dataset, partition, configHash, groupHash;
  std::string source;      // as the run's row keeps it: "simulated"; "": it trained
  std::string document;    // as the run's row keeps it; "": an import without one
  std::uint64_t seed = 0;
  std::int64_t rounds = 0, samples = 0;  // rounds: of the coordinator
  double wallSeconds = 0;
  double throughputSamplesPerSecond = 0, trafficBytesPerSecond = 0;
  std::int64_t bytesSent = 0, bytesReceived = 0;  // by workers
  std::string evaluator;   // id of the coordinator
  // Over the test set; the best of all evaluations, or, where samples were held out, that of the evaluation with the best validation accuracy.
  std::optional<double> accuracyLast, accuracyBest, lossLast;
  std::optional<double> validationBest;  // over what was held out; null: nothing was
  double targetAccuracy = 0;
  std::optional<double> timeToTargetSeconds;  // first raw crossing; null: not reached
  std::vector<std::pair<double, double>> improvements;  // (deciding accuracy, s) of evaluations better than all before: the first that reaches any target is one of them
  double publishedThroughput = 0;             // int(sum of samples / T of the first device)
  double publishedTrafficMbPerSecond = 0;     // int(rounds x workers x model MiB / T), one way
  // Of one worker's round on the mean; NaN: no rounds.
  double bytesSentPerRound = std::numeric_limits<double>::quiet_NaN(), bytesReceivedPerRound = std::numeric_limits<double>::quiet_NaN();
  std::optional<double> keptMean;             // over all rounds that say one
  std::optional<double> consensusLast;
  std::vector<NodeSummary> nodes;             // workers by rank, then evaluator nodes: trains() tells them apart
  // The run's: of the mean of all workers if that was evaluated, else of the evaluator node, else of the coordinator.
  Curve curve;
  std::string curveBy, curveOf;               // which one that is
  std::vector<EvaluationCurve> otherCurves;
  Curve exchanged;          // sparse methods: a point for every (number of workers) rounds closed, with what they kept
  std::vector<MetricCurve> metrics;           // by name
  std::vector<EdgeSummary> edges;             // in the order of first records
  std::shared_ptr<const RunData> timeline{};  // where Details ask: who did what when, in as many rounds or merged ones as a picture shows
  std::optional<std::int64_t> epochSamples;   // that all workers train on, once through; null: a worker's are not recorded
};

inline bool isSimulated(const RunSummary& run) { return run.source == "simulated"; }
inline std::string groupOf(const RunSummary& run) { return run.groupHash.empty() || !isSimulated(run) ? run.groupHash : run.groupHash + ", simulated"; }  // seeds that belong together; "": none but itself

// Which evaluations are the run's own: those with the highest number. 3: of the mean of all workers, 2: what an evaluator node got,
// 1: a worker's own parameters, 0: of one worker, by another node.
int curvePreference(const EvaluationRecord& evaluation, const std::string& node, const std::string& roleOfNode);

void summariseEvaluations(RunSummary& summary);  // what follows from its curve, anew: accuracies, improvements, time to its target

struct SummaryOptions {
  double targetAccuracy = 0.8;
};
RunSummary summarise(const RunData& data, const SummaryOptions& options = {});

// What is read of a summary beside its numbers. A curve that is left out has as many points, all fresh; so has a column.
struct Details {
  std::set<Column> columns{};  // of the curves below
  bool curve = false, others = false, exchanged = false, metrics = false;
  bool localSteps = false;     // of every node
  bool timeline = false;
  static Details all();
  bool covers(const Details& other) const;
  void add(const Details& other);
};
void keepOnly(RunSummary& run, const Details& details);

// The summary that the store keeps of the run, else one made from its rows.
RunSummary summaryOf(const store::StoreReader& store, const store::RunRow& run, const Details& details, const SummaryOptions& options = {});
// For the recorder: makes summaries of runs that have ended, once. A record that comes later takes its run's summary away.
std::vector<std::string> unsummarised(const store::StoreWriter& store);  // ids, oldest first
std::optional<store::SummaryToKeep> summaryToKeep(const store::StoreReader& store, const std::string& run);  // for its writer; nullopt: there is no such run

struct Statistic {
  double mean = 0, deviation = 0;  // of the sample (n - 1); 0 for one value; of none NaN and 0
};
Statistic statistic(const std::vector<double>& values);
double meanBusyRatio(const RunSummary& run);  // over the workers; NaN: none, or one that was not measured

std::string summariesToJson(const std::vector<RunSummary>& runs);  // the document of `paceline summary --format json`
class SummariesJson {  // the same run by run: pieces of text, end() behind the last
 public:
  std::string next(const RunSummary& run);
  std::string end() const;

 private:
  bool any_ = false;
};
struct CsvColumn {
  std::string title;
  std::vector<std::string> cells;  // one for each run
};
std::string summariesToCsv(const std::vector<RunSummary>& runs, const std::vector<CsvColumn>& more = {});  // RFC 4180, one row per run

}  // namespace paceline::summary

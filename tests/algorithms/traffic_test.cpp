// What one worker sends and receives in a round, of every registered algorithm: the bytes that its file documents, headers included.
// An algorithm without a row fails. What aggregations cost is in the aggregator contract; here they go over one server.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "engine/algorithms/algorithm.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

constexpr std::int64_t kElements = 1000;
constexpr int kWorkers = 3;

constexpr std::int64_t scalars(std::int64_t count) {
  return static_cast<std::int64_t>(kHeaderBytes) + count * static_cast<std::int64_t>(sizeof(double));
}
constexpr std::int64_t dense(std::int64_t elements, std::int64_t numbers = 0) {
  return scalars(numbers) + elements * static_cast<std::int64_t>(sizeof(Real));
}

struct Traffic {
  std::int64_t sent = 0, received = 0;
  std::int64_t slack = 0;  // where the bytes depend on the values: at most that many fewer or more
};

struct Row {
  std::function<Traffic(const RoundRecord&)> bytes;  // of one round of the last worker, control messages apart
  std::function<void(RunSpec&)> adapt = {};          // parameters, topology
  int servers = 1;
};

Row fixed(Traffic traffic, int servers = 1) {
  return {.bytes = [traffic](const RoundRecord&) { return traffic; }, .servers = servers};
}

// Entries up as the record says, a hundredth of each of two layers down, both as gaps and values: 8 bytes, the index entropy, the values.
Traffic sparse(const RoundRecord& round, std::size_t valueBytes) {
  const auto message = [valueBytes](double part) {
    const double entries = part * kElements;
    const double indexBits = -std::log2(part) - (1 - part) / part * std::log2(1 - part);
    return scalars(2) + 8 + std::llround(entries * (indexBits / 8 + static_cast<double>(valueBytes)));
  };
  return {.sent = message(round.kept.value()), .received = message(0.01), .slack = 20};
}

Row sparseRow(std::size_t valueBytes) {
  return {.bytes = [valueBytes](const RoundRecord& round) { return sparse(round, valueBytes); }};
}

// Three workers in a ring that exchange at every step.
Row ring(const std::string& stepSize = "") {
  Row row = fixed({.sent = 2 * dense(kElements, 1), .received = 2 * dense(kElements, 1)}, 0);
  row.adapt = [stepSize](RunSpec& spec) {
    spec.topology.params.set("every", std::int64_t{1});
    if (!stepSize.empty()) spec.algorithm.params.set("step_size", stepSize);
  };
  return row;
}

// The same ring, where a round asks or answers as it comes: a vector and a number each time, and nothing else but the progress.
Row averages() {
  Row row = ring();
  row.bytes = [](const RoundRecord& round) {
    return Traffic{.sent = (round.messagesSent - 1) * dense(kElements, 1), .received = round.messagesReceived * dense(kElements, 1)};
  };
  return row;
}

// To add an algorithm: its row. Sparse ones: bytes from the record's kept fraction, with the codec's slack.
std::map<std::string, Row> rows() {
  return {
      {"standalone", fixed({}, 0)},
      {"ssgd", fixed({.sent = dense(kElements), .received = dense(kElements)})},
      {"local_sgd", fixed({.sent = dense(kElements), .received = dense(kElements)})},
      // The change of the model; the round's begin and, after every local step, a question with three numbers.
      {"esync", {.bytes = [](const RoundRecord& round) {
                   return Traffic{.sent = dense(kElements) + scalars(2) + round.localSteps * scalars(3),
                                  .received = dense(kElements) + (1 + round.localSteps) * scalars(1)};
                 }}},
      // Rate and samples with the gradient; staleness and all samples with the values.
      {"asgd", fixed({.sent = dense(kElements, 2), .received = dense(kElements, 2)})},
      {"dc_asgd", fixed({.sent = dense(kElements, 2), .received = dense(kElements, 2)})},
      {"ssp", fixed({.sent = dense(kElements, 2), .received = dense(kElements, 2)})},
      // Also whether the gradient counts, and the answer.
      {"sync_backup", fixed({.sent = dense(kElements, 2) + scalars(1), .received = dense(kElements, 2) + scalars(1)})},
      // Also which group, and how many it has.
      {"grouping_sgd", fixed({.sent = dense(kElements, 4), .received = dense(kElements, 2)})},
      {"diloco", fixed({.sent = dense(kElements), .received = dense(kElements)})},
      {"slowmo", fixed({.sent = dense(kElements), .received = dense(kElements)})},
      {"fedprox", fixed({.sent = dense(kElements), .received = dense(kElements)})},
      // Also how many steps the change is of.
      {"fednova", fixed({.sent = dense(kElements) + dense(1), .received = dense(kElements) + dense(1)})},
      {"scaffold", fixed({.sent = 2 * dense(kElements), .received = 2 * dense(kElements)})},
      {"fedbuff", fixed({.sent = dense(kElements, 2), .received = dense(kElements, 2)})},
      {"ringmaster_asgd", fixed({.sent = dense(kElements, 2), .received = dense(kElements, 2)})},
      {"delayed_nesterov", fixed({.sent = dense(kElements, 2), .received = dense(kElements, 2)})},
      // Which rule with it.
      {"robust_ssgd", fixed({.sent = dense(kElements, 1), .received = dense(kElements)})},
      // Factors of rank 2 of two matrices of 20 x 25.
      {"power_sgd", fixed({.sent = dense(2 * 2 * 20) + dense(2 * 2 * 25), .received = dense(2 * 2 * 20) + dense(2 * 2 * 25)})},
      // 32 of the 500 coefficients of two matrices of 20 x 25; the same of both others.
      {"demo", {.bytes = [](const RoundRecord& round) {
                  const std::int64_t payload = sparse(round, sizeof(Real)).sent - scalars(2);
                  return Traffic{.sent = scalars(1) + payload, .received = 2 * (scalars(0) + payload), .slack = 40};
                }}},
      {"gradient_dropping", sparseRow(sizeof(Real))},
      {"dgc", sparseRow(sizeof(Real))},
      {"dgs", sparseRow(sizeof(HalfBits))},
      // A vector and the number of exchanges at this step to each of two neighbours.
      {"d_sgd", ring()},
      {"pdmm_isvr", ring("published")},
      {"admm_isvr", ring("published")},
      {"ad_psgd", averages()},
      {"sgp", ring()},  // where pairs are no arrows both send; the weight in place of the number
  };
}

TEST(Traffic, IsWhatTheAlgorithmDocuments) {
  const std::map<std::string, Row> all = rows();
  for (const AlgorithmDef& def : algorithms()) {
    const auto row = all.find(def.id);
    if (row == all.end()) {
      ADD_FAILURE() << def.id << " has no row: say what it sends and receives in a round";
      continue;
    }
    const int workers = def.topology == Topology::kStandalone ? 1 : kWorkers;
    RunSpec spec = clusterOf(def.id, workers, row->second.servers);
    if (row->second.adapt) row->second.adapt(spec);
    const SimResult result = runInSim(spec, quadratic({.size = kElements}));
    const std::vector<RoundRecord> rounds = result.rounds(workers - 1);
    ASSERT_GT(rounds.size(), 3u) << def.id;
    for (std::size_t i = 1; i + 1 < rounds.size(); ++i) {  // its progress of the round before counts here
      const Traffic expected = row->second.bytes(rounds[i]);
      const std::int64_t control = workers > 1 ? scalars(2) : 0;
      EXPECT_NEAR(static_cast<double>(rounds[i].bytesSent), static_cast<double>(expected.sent + control), static_cast<double>(expected.slack))
          << def.id << " sends in round " << i + 1;
      EXPECT_NEAR(static_cast<double>(rounds[i].bytesReceived), static_cast<double>(expected.received), static_cast<double>(expected.slack))
          << def.id << " receives in round " << i + 1;
    }
  }
}

TEST(Traffic, EveryRowIsOfAnAlgorithm) {
  for (const auto& [id, row] : rows()) EXPECT_NE(findAlgorithm(id), nullptr) << id;
}

// A schedule by samples costs an aggregated method one number more a round; its constant neighbour nothing.
TEST(Traffic, SamplesAreCountedOnlyForASchedule) {
  RunSpec spec = clusterOf("ssgd", kWorkers, 1);
  const auto sentIn = [](const RunSpec& run) { return runInSim(run, quadratic()).rounds(1)[4].bytesSent; };
  const std::int64_t constant = sentIn(spec);
  spec.learningRateSchedule.id = "cosine";
  EXPECT_EQ(sentIn(spec) - constant, dense(1));
}

}  // namespace
}  // namespace paceline::tests

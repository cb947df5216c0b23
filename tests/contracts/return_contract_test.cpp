// Every registered algorithm with servers, killed again and again and started anew from their journals: the run is that of servers that were left alone, to the last bit.
#include <gtest/gtest.h>

#include <map>

#include "engine/runtime/journal/journal.h"
#include "engine/runtime/setup.h"
#include "tests/support/clusters.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

struct Killed {};

// Ends its node at every so many messages, before one is taken, or before or behind one that is sent.
class DeadlyWire final : public LayerWire {
 public:
  DeadlyWire(Wire& below, int receipts, int sends, bool behind) : LayerWire(below), receipts_(receipts), sends_(sends), behind_(behind) {}
  void send(int to, Message message) override {
    const bool last = sends_ > 0 && --sends_ == 0;
    if (last && !behind_) throw Killed{};
    below_.send(to, std::move(message));
    if (last) throw Killed{};
  }
  std::optional<Message> receive(double timeoutSeconds) override {
    if (receipts_ > 0 && --receipts_ == 0) throw Killed{};
    return below_.receive(timeoutSeconds);
  }

 private:
  int receipts_, sends_;
  bool behind_;
};

struct Harm {
  int receipts = 0, sends = 0;  // of a process; 0: no end
  bool behind = false;
  std::uint64_t leastBytes = Journal::kLeastBytes;
};

struct Outcome {
  SimResult result;
  int processes = 0;
};

Outcome runWith(const RunSpec& spec, const Harm& harm) {
  Outcome outcome;
  const auto server = [&](const NodeRun& run) {
    const Fd memory = Journal::memory();
    for (bool ended = false; !ended;) {
      Journal journal(memory, harm.leastBytes);
      if (journal.isNew()) journal.keepOrders("a");
      ++outcome.processes;
      DeadlyWire wire(run.wire, harm.receipts, journal.processes() > 0 ? 0 : harm.sends, harm.behind);
      NodeRun own{.spec = run.spec, .node = run.node, .wire = wire, .clock = run.clock, .emit = run.emit, .askedToStop = run.askedToStop, .nominalStepSeconds = run.nominalStepSeconds, .journal = &journal};
      try {
        runServer(own);
        ended = true;
      } catch (const Killed&) {
      }
      EXPECT_TRUE(journal.whole());
    }
  };
  SimOptions options;
  options.server = server;
  options.serversReturn = true;
  outcome.result = runInSim(spec, quadratic(), options);
  return outcome;
}

// What was measured, but for what each process says of itself, and which of a server's last answers the stop overtook: what comes twice at one instant may change that.
std::string linesOf(const SimResult& result) {
  std::string lines;
  for (const auto& [node, event] : result.events)
    if (std::holds_alternative<RoundRecord>(event) || std::holds_alternative<EvaluationRecord>(event)) lines += strCat(node, toLine(event), '\n');
  return lines;
}

// Of the coordinator, and of all who end in the same round.
std::vector<std::vector<Real>> lastOf(const RunSpec& spec, const SimResult& result) {
  std::vector<std::vector<Real>> last = result.parameters;
  if (!partsOf(spec).synchronous) last.resize(1);
  return last;
}

// Metrics of all nodes by name: what was sent is what has come, and what the stop overtook.
void expectEven(const SimResult& result, const std::string& name) {
  std::map<std::string, double> sums;
  for (const auto& [node, event] : result.events)
    if (const auto* metric = std::get_if<MetricRecord>(&event)) sums[metric->name] += metric->value;
  for (const std::string what : {"bytes", "messages"}) {
    EXPECT_EQ(sums[what + "_to_servers"], sums[what + "_from_workers"]) << name;
    EXPECT_EQ(sums[what + "_to_workers"], sums[what + "_from_servers"] + sums[what + "_undelivered"]) << name;
  }
}

void forEachServed(const std::function<void(const RunSpec&, const std::string&)>& check) {
  for (const AlgorithmDef& def : algorithms())
    forEachCluster(def, [&](const RunSpec& spec, const std::string& name) {
      if (!spec.servers().empty()) check(spec, name);
    });
}

TEST(ReturnContract, AJournalChangesNothing) {
  forEachServed([](const RunSpec& spec, const std::string& name) {
    const SimResult plain = runInSim(spec, quadratic()), kept = runWith(spec, {}).result;
    EXPECT_EQ(linesOf(plain), linesOf(kept)) << name;
    EXPECT_EQ(plain.parameters, kept.parameters) << name;
    EXPECT_EQ(plain.seconds, kept.seconds) << name;
  });
}

class KilledServers : public ::testing::TestWithParam<Harm> {};

TEST_P(KilledServers, AreWhereTheyWere) {
  int tried = 0, killed = 0;
  forEachServed([&](const RunSpec& spec, const std::string& name) {
    const SimResult plain = runInSim(spec, quadratic());
    const Outcome harmed = runWith(spec, GetParam());
    killed += harmed.processes - static_cast<int>(spec.servers().size());
    EXPECT_EQ(linesOf(plain), linesOf(harmed.result)) << name;
    EXPECT_EQ(lastOf(spec, plain), lastOf(spec, harmed.result)) << name;
    EXPECT_EQ(plain.seconds, harmed.result.seconds) << name;
    expectEven(harmed.result, name);
    ++tried;
  });
  EXPECT_GT(tried, 60);
  EXPECT_GT(killed, tried);
}

INSTANTIATE_TEST_SUITE_P(Sooner, KilledServers,
                         ::testing::Values(Harm{.receipts = 5, .leastBytes = 1}, Harm{.receipts = 2, .leastBytes = 1}, Harm{.receipts = 11}, Harm{.receipts = 3, .leastBytes = 3000}, Harm{.receipts = 7, .leastBytes = 2000}));

// Within what one message leads to: some of its answers have left. A process sends again what the journal has, so only the first one dies so.
INSTANTIATE_TEST_SUITE_P(WithinAnswers, KilledServers,
                         ::testing::Values(Harm{.sends = 4, .leastBytes = 1}, Harm{.sends = 5, .behind = true, .leastBytes = 1}, Harm{.sends = 13}, Harm{.sends = 14, .behind = true, .leastBytes = 2000}));

// A worker that is lost meanwhile is lost in every process.
TEST(ReturnContract, ALostWorkerStaysLost) {
  for (const char* id : {"ssgd", "esync", "ssp", "grouping_sgd", "dgs", "local_sgd", "demo"}) {
    RunSpec spec = clusterOf(id, 4, 2);
    slowRates(spec, *findAlgorithm(id));
    spec.nodes[2].emulate.lostAfterRounds = 3;
    const SimResult plain = runInSim(spec, quadratic());
    for (const Harm& harm : {Harm{.receipts = 5, .leastBytes = 1}, Harm{.receipts = 9}}) {
      const SimResult harmed = runWith(spec, harm).result;
      EXPECT_EQ(plain.rounds(0).size(), harmed.rounds(0).size()) << id;
      EXPECT_EQ(plain.rounds(2).size(), harmed.rounds(2).size()) << id;
      EXPECT_EQ(lastOf(spec, plain), lastOf(spec, harmed)) << id;
    }
  }
}

}  // namespace
}  // namespace paceline::tests
